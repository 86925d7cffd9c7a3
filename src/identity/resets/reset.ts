import { lifetimes } from "../../core/lifetimes.ts";
import { noContent, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { makeToken } from "../../core/ids.ts";
import { type Author, commit } from "../../db/commit.ts";
import { insertMail } from "../../db/mails.ts";
import { sql } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { resetMailLimit, resetPageLimit, resetTokenLimit } from "../attempts/limits.ts";
import { Attempts, type Counting } from "../attempts/attempts.ts";
import { endUserTokens } from "../tokens/revoke.ts";
import { wrongToken } from "../mailed_tokens.ts";
import { resetMail } from "../mails.ts";
import { makeEmailKey } from "../email_key.ts";
import { mayHavePassword, selectSignIn, setPassword, type StoredUser, userByKey } from "../users/sign_in.ts";

/** Milliseconds. */
const lifetime = lifetimes.passwordReset;

/**
 * Mails a token for a new password. Returns 204 even when no user who may have a password has the address.
 * Then it writes the same rows and deletes them in the same batch, so that both cases take equally long.
 * Sends an address at most five mails an hour; beyond that, treats the address as unknown. `next`: the page that
 * signing in leads to afterwards.
 */
export async function requestReset(
  author: Counting & { readonly origin: string },
  email: string,
  next = "",
) {
  const token = makeToken();
  const mails = new Attempts(author, [resetMailLimit(email)]);
  const asked = new Attempts(author, author.client ? [] : [resetPageLimit(author.address())]);
  const [found, sent, before] = await author.deps.db.read([selectSignIn(email), mails.read, asked.read]);
  asked.check(before!);
  const enough = mails.spent(sent!) !== null;
  const row = found!.rows[0];
  const user = enough || row?.may_have_password !== 1 ? undefined : row as Pick<StoredUser, "id" | "email">;
  const mail = resetMail(author, user?.email ?? email, token, next);
  if (user) {
    const statements = [
      asked.guard,
      asked.count,
      mails.guard,
      mails.count,
      keepReset(author, user, token),
      guardChanged("stale"),
    ];
    return await commit(author, { statements, answer: noContent, mails: [mail] });
  }
  const statements = [
    asked.guard,
    asked.count,
    mails.count,
    mails.uncount,
    keepReset(author, null, token),
    insertMail(author, mail),
    unwriteMail,
  ];
  const answer = await commit(author, { statements, answer: noContent });
  author.deps.wakeMails(["prompt"]);
  return answer;
}

/** Stores the token, unless `user` is null, no longer has the address or may no longer have a password. */
function keepReset(
  { now, at }: Author,
  user: Pick<StoredUser, "id" | "email"> | null,
  token: string,
): Statement {
  return sql`insert into password_resets (hash, user_id, expires_at, created_at)
    select ${sha256(token)}, u.id, ${now + lifetime}, ${at} from users u where u.id = ${user?.id ?? null}
    and u.email = ${user?.email ?? null} and u.deleted_at is null and ${mayHavePassword}`;
}

const unwriteMail = sql`delete from mails where rowid = last_insert_rowid()`;

/**
 * Returns the user of the token. Throws 404 for a wrong token, and 429 after ten wrong tokens in ten minutes.
 * Put `guard` into the commit that uses the token.
 */
export async function findReset(author: Counting, token: string): Promise<StoredUser & { guard: Statement }> {
  const clientId = author.client?.clientId ?? null;
  const attempts = new Attempts(author, [resetTokenLimit(clientId, author.address())]);
  const [failed, found] = await author.deps.db.read([
    attempts.read,
    sql`select u.id, u.company_id, u.version, u.email from password_resets r
      join users u on u.id = r.user_id and u.deleted_at is null
      join companies c on c.id = u.company_id and c.deleted_at is null where r.hash = ${sha256(token)}
      and r.expires_at > ${author.now}
      and ${mayHavePassword}`,
  ]);
  attempts.check(failed!);
  const user = found!.rows[0] as StoredUser | undefined;
  if (!user || !mayReset(author, user)) {
    await attempts.countFailure();
    throw wrongToken("password_reset");
  }
  return { ...user, guard: attempts.guard };
}

/** Whether the client may reset the user's password. One that is not trusted may only in its own company. */
function mayReset({ client }: Author, user: StoredUser): boolean {
  return !client || client.trusted || client.companyId === user.company_id;
}

/** Returns 200 with the address. Ends all tokens of the user, and all other reset links. */
export async function resetByToken(author: Counting, token: string, password: string) {
  const user = await findReset(author, token);
  const password_hash = await author.deps.passwords.hash(password, author.address());
  return await commit(author, {
    statements: [
      user.guard,
      ...setPassword(user, password_hash),
      ...endUserTokens(user.id),
    ],
    answer: ok({ email: user.email }),
    companyId: user.company_id,
  });
}

/**
 * Sets the password of the user with this address and ends all their tokens; throws 404 when there is none.
 */
export async function resetPassword(author: Author, email: string, password: string): Promise<void> {
  const [found] = await author.deps.db.read([userByKey(makeEmailKey(email))]);
  const row = userByKey.row(found);
  if (!row) throw notFound("No user has this e-mail address.");
  const password_hash = await author.deps.passwords.hash(password, author.address?.());
  await commit(author, {
    statements: [
      ...setPassword(row, password_hash),
      ...endUserTokens(row.id),
    ],
    answer: noContent,
  });
}
