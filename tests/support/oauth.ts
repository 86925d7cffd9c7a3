/** Clients with known secrets, and calls of the token endpoint. */
import { formatTimestamp } from "../../src/core/time.ts";
import { createClient } from "../../src/identity/applications/create.ts";
import { resetPassword } from "../../src/identity/resets/reset.ts";
import type { Author } from "../../src/db/commit.ts";
import { hashPassword } from "../../src/platform/crypto.ts";
import { type Actor, type Reply, send, type TestApp } from "./app.ts";
import { quickPasswords } from "./passwords.ts";

export interface TestClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Creates a client that acts for the user. Without a user, the client belongs to no company. */
export async function newClient(
  app: TestApp,
  trusted: boolean,
  actor: Actor | null = null,
): Promise<TestClient> {
  const owner = actor ? { company_id: actor.companyId, user_id: actor.id } : null;
  return await createClient(makeAuthor(app), { name: "Test", owner, trusted });
}

/**
 * Gives the user a password and returns the e-mail address to sign in with. The hash is a cheap one, unless a
 * test about times sets `asServed`.
 */
export async function withPassword(
  app: TestApp,
  actor: Actor,
  password: string,
  { asServed = false } = {},
): Promise<string> {
  const [row] = await app.sql("select email from users where id = ?", actor.id);
  const author = makeAuthor(app);
  const { hash } = asServed ? { hash: hashPassword } : quickPasswords();
  const deps = { ...author.deps, passwords: { ...author.deps.passwords, hash } };
  await resetPassword({ ...author, deps }, row!.email as string, password);
  return row!.email as string;
}

/** Asks for a token with a JSON body. */
export async function askToken(
  app: TestApp,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return await send(`${app.url}/auth/token`, "POST", null, body, headers);
}

export function makeBasicHeader(id: string, secret: string): Record<string, string> {
  return { Authorization: `Basic ${btoa(`${id}:${secret}`)}` };
}

function makeAuthor(app: TestApp): Author {
  const now = app.clock.now();
  return { deps: app.deps, now, at: formatTimestamp(now) };
}
