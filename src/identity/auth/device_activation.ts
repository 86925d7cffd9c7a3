/** Allows or denies a device by the code that it shows. */
import { noContent } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import { sql, update } from "../../db/statements.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { makeDeviceCodeLimits } from "../attempts/limits.ts";
import { Attempts, type Counting } from "../attempts/attempts.ts";
import { deviceCodes } from "./table.ts";

/**
 * Returns 204. Throws 422 when no device waits with the code, and 429 after ten such codes in ten minutes.
 */
export async function activateDevice(
  author: Counting,
  userId: number,
  code: number,
  denied = false,
) {
  const { hash, attempts } = await readWaitingDevice(author, userId, code);
  return await commit(author, {
    statements: [
      attempts.guard,
      update(deviceCodes, denied ? { denied: 1 } : { user_id: userId }, { hash, user_id: null, denied: 0 }),
      guardChanged("device_code"),
    ],
    answer: noContent,
  });
}

export interface WaitingDevice {
  readonly hash: string;
  /** The name of the device's application. */
  readonly application: string;
  /** The name of the application's company; null for none. */
  readonly company: string | null;
  readonly attempts: Attempts;
}

/** Returns the device that waits with the code. Throws 422 and 429 as `activateDevice` does. */
export async function readWaitingDevice(
  author: Counting,
  userId: number,
  code: number,
): Promise<WaitingDevice> {
  const { deps, now } = author;
  const attempts = new Attempts(
    author,
    makeDeviceCodeLimits(userId, author.client?.clientId ?? null, author.address()),
  );
  const [failed, found] = await deps.db.read([
    attempts.read,
    sql`select d.hash, d.user_id, d.denied, a.name as application, c.name as company from device_codes d
      join applications a on a.client_id = d.client_id left join companies c on c.id = a.company_id
      where d.user_code = ${code} and d.expires_at > ${now}`,
  ]);
  attempts.check(failed!);
  const row = found!.rows[0];
  if (!row || row.user_id !== null || row.denied === 1) {
    // A repetition of the user's own activation does not count as a wrong code.
    if (row?.user_id !== userId) await attempts.countFailure();
    throw invalid(
      fieldError("code", "exists", "No device is waiting with this code, or the code has expired."),
    );
  }
  return { ...row as Pick<WaitingDevice, "hash" | "application" | "company">, attempts };
}
