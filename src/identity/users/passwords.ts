import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { type Author, commit } from "../../db/commit.ts";
import { statement, updateVersioned } from "../../db/statements.ts";
import { hashPassword } from "../../platform/crypto.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { endTokensOf } from "../auth/revoke.ts";
import { emailKey } from "./queries.ts";
import { users } from "./table.ts";

/** Gives the user with this address a new password and ends all tokens of theirs; 404 when there is none. */
export async function resetPassword(author: Author, email: string, password: string): Promise<void> {
  const [found] = await author.deps.db.read([
    statement(
      "select id, company_id, version from users where email_key = ? and deleted_at is null",
      emailKey(email),
    ),
  ]);
  const row = found!.rows[0] as { id: number; company_id: number; version: number } | undefined;
  if (!row) throw notFound("Nobody signs in by this address.");
  await commit(author, {
    statements: [
      updateVersioned(users, { password_hash: await hashPassword(password) }, row),
      guardChanged("stale"),
      ...endTokensOf(row.id),
    ],
    answer: noContent,
  });
}
