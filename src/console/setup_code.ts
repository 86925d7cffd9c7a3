/**
 * The code that proves that a person runs this service. It follows from SECRETS_KEY, so that every process
 * and every restart has the same one.
 */
import { sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { hmacSha256Hex, timingSafeEqualText } from "../platform/crypto.ts";
import type { Database, Statement } from "../platform/database/database.ts";

/** Letters and digits that nobody mistakes for others. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const length = 10;
export const setupPath = "/app/setup";

/** Returns the code in groups: `XXXX-XXXX-XX`. */
export function makeSetupCode(secretsKey: Uint8Array): string {
  const bytes = hmacSha256Hex(secretsKey, "setup code").match(/../g)!.map((hex) => parseInt(hex, 16));
  // Bytes beyond the last whole multiple would favour some letters.
  const fair = bytes.filter((byte) => byte < 256 - 256 % alphabet.length);
  const code = fair.slice(0, length).map((byte) => alphabet[byte % alphabet.length]).join("");
  return `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
}

/** Returns whether the typed text is the code, in any case, and without its dashes too. */
export function isSetupCode(secretsKey: Uint8Array, typed: string): boolean {
  const normalizeCode = (text: string) => text.toUpperCase().replaceAll(/[\s-]/g, "");
  return timingSafeEqualText(normalizeCode(typed), normalizeCode(makeSetupCode(secretsKey)));
}

export const anyCompany: Statement = sql`select 1 from companies limit 1`;

const known = new WeakSet<Database>();

/** Returns whether the service has a company. Once there is one, the database is not asked again. */
export async function isSetUp({ db }: Pick<Deps, "db">): Promise<boolean> {
  if (known.has(db)) return true;
  const [found] = await db.read([anyCompany]);
  if (found!.rows.length === 0) return false;
  known.add(db);
  return true;
}

/** Logs the address and the code while there is no company: the person who starts the service sets it up. */
export async function reportSetup(deps: Deps, origin: string): Promise<void> {
  if (await isSetUp(deps)) return;
  deps.log.info({ event: "setup", url: `${origin}${setupPath}`, code: makeSetupCode(deps.secretsKey) });
}
