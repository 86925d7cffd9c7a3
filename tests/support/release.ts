/**
 * The database file of a released version, with some records of every kind, and the answers of its API. Each
 * later version must migrate the file and give the same answers.
 */
import { makeId, makeToken } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { insert } from "../../src/db/statements.ts";
import { accessTokens } from "../../src/identity/auth/table.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { type Body, startApp, type TestApp } from "./app.ts";
import { newFolder } from "./temporary.ts";

export interface Answer {
  /** Includes the query. */
  readonly path: string;
  readonly body: Body;
}

export interface Release {
  /** Epoch milliseconds: when the answers were given. */
  readonly now: number;
  /** The user who got the answers. */
  readonly user_id: number;
  readonly answers: readonly Answer[];
}

/** The `SECRETS_KEY` of every such file. */
export const releaseKey = new Uint8Array(32).fill(5).toBase64();

const folder = new URL("../fixtures/", import.meta.url);

export function locateDatabase(version: string): URL {
  return new URL(`release_${version}.db.gz`, folder);
}

export function locateAnswers(version: string): URL {
  return new URL(`release_${version}.json.gz`, folder);
}

export async function readRelease(version: string): Promise<Release> {
  return JSON.parse(new TextDecoder().decode(await unzip(locateAnswers(version))));
}

export async function writeZipped(to: URL, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  Deno.writeFileSync(to, await through(new CompressionStream("gzip"), bytes));
}

async function unzip(from: URL): Promise<Uint8Array<ArrayBuffer>> {
  return await through(new DecompressionStream("gzip"), Deno.readFileSync(from));
}

/**
 * Serves a copy of the file of the version, at the moment of its answers. `prepare`: changes the copy before it is
 * brought up to date.
 */
export async function startRelease(
  version: string,
  prepare: (file: string) => void = () => {},
): Promise<TestApp> {
  const unpacked = newFolder("wayline-release-");
  try {
    const file = `${unpacked}/crm.db`;
    Deno.writeFileSync(file, await unzip(locateDatabase(version)));
    prepare(file);
    const app = await startApp({ SECRETS_KEY: releaseKey }, { from: file });
    app.clock.set((await readRelease(version)).now);
    return app;
  } finally {
    Deno.removeSync(unpacked, { recursive: true });
  }
}

/** Creates a token of the trusted client that acts for the user. */
export async function tokenFor(app: TestApp, userId: number): Promise<string> {
  const [client] = await app.sql(
    "select client_id from applications where user_id = ? and trusted = 1",
    userId,
  );
  const token = makeToken();
  await app.deps.db.write([insert(accessTokens, {
    hash: sha256(token),
    id: makeId(),
    client_id: String(client!.client_id),
    user_id: userId,
    expires_at: Date.UTC(2100, 0),
    created_at: formatTimestamp(app.clock.now()),
  })]);
  return token;
}

/**
 * Returns the paths, such as `data.0.name`, where the later answer lacks or changes a value of the earlier
 * one. Empty when it only adds keys.
 */
export function findLosses(earlier: unknown, later: unknown, at = ""): string[] {
  if (typeof earlier !== "object" || earlier === null) return Object.is(earlier, later) ? [] : [at];
  if (typeof later !== "object" || later === null) return [at];
  if (Array.isArray(earlier) && (!Array.isArray(later) || later.length !== earlier.length)) return [at];
  const found = new Map(Object.entries(later));
  return Object.entries(earlier).flatMap(([key, value]) =>
    findLosses(value, found.get(key), at === "" ? key : `${at}.${key}`)
  );
}

async function through(
  stream: { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<BufferSource> },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
