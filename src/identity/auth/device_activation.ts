/** Letting a device in, or turning it away, by the code that it shows. */
import { type Answer, noContent } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import { statement, update } from "../../db/statements.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { deviceCodeLimits } from "./attempt_limits.ts";
import { Attempts, type Counting } from "./attempts.ts";
import { deviceCodes } from "./table.ts";

/** 204. 422 for a code that no device waits with, and 429 after ten such in ten minutes. */
export async function activateDevice(
  author: Counting,
  userId: number,
  code: number,
  denied = false,
): Promise<Answer> {
  const { deps, now } = author;
  const attempts = new Attempts(
    author,
    deviceCodeLimits(userId, author.client?.clientId ?? null, author.address()),
  );
  const [failed, found] = await deps.db.read([
    attempts.read,
    statement(
      "select hash, user_id, denied from device_codes where user_code = ? and expires_at > ?",
      code,
      now,
    ),
  ]);
  attempts.check(failed!);
  const row = found!.rows[0];
  if (!row || row.user_id !== null || row.denied === 1) {
    // Who sends the same code twice does not guess.
    if (row?.user_id !== userId) await attempts.failed();
    throw invalid(fieldError("code", "exists", "No device waits with this code, or it has expired."));
  }
  return await commit(author, {
    statements: [
      attempts.guard,
      update(deviceCodes, denied ? { denied: 1 } : { user_id: userId }, {
        hash: row.hash as string,
        user_id: null,
        denied: 0,
      }),
      guardChanged("device_code"),
    ],
    answer: noContent,
  });
}
