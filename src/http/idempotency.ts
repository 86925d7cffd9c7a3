/** `Idempotency-Key`: a repeated call takes effect once and gets the same answer. */
import type { Answer } from "../core/answer.ts";
import { conflict, fieldError, invalid, type Problem } from "../core/errors.ts";
import type { ClientContext, Context, Idempotency } from "../db/context.ts";
import {
  findKeyOwner,
  KeyTaken,
  replay,
  selectStoredAnswer,
  selectStoredAnswerByKey,
} from "../db/idempotency_keys.ts";
import { NotUnique } from "../platform/database/database.ts";
import { hashWithKey } from "../platform/crypto.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import { extractPathAndQuery } from "./request.ts";

/** The keyed calls that run in this process. A second call waits for the answer of the first. */
export type InFlight = Map<string, { fingerprint: string; done: Promise<void> }>;

export type IdempotencyKey = {
  valid: true;
  lookUp: (now: number) => (tokenHash: string) => Statement;
  of: (method: string, url: string, body: string) => Idempotency;
} | { valid: false; refusal: Problem };

/** Reads the key that a request sent. */
export function parseIdempotencyKey(key: string, secretsKey: Uint8Array): IdempotencyKey {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const error = fieldError(
      "header.Idempotency-Key",
      "format",
      "Must be 1 to 255 visible ASCII characters.",
    );
    return { valid: false, refusal: invalid(error) };
  }
  return {
    valid: true,
    lookUp: (now) => (tokenHash) => selectStoredAnswerByKey(tokenHash, key, now),
    of: (method, url, body) => ({
      key,
      fingerprint: hashWithKey(secretsKey, "call", `${method} ${extractPathAndQuery(url)}\n${body}`),
      kept: false,
    }),
  };
}

/**
 * Runs the call, or replays its stored answer. `row` is the stored row, read with the token. Errors are not
 * stored. Waits while the same call runs in this process.
 */
export async function once(
  ctx: ClientContext & Partial<Context>,
  row: Row | null,
  inFlight: InFlight,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { fingerprint, key } = ctx.idempotency!;
  const repeat = async (kept: Row) => {
    await ctx.idempotency!.complete?.();
    return await replay(ctx.deps, kept, ctx.idempotency!.fingerprint);
  };
  if (row) return await repeat(row);
  const name = JSON.stringify([...findKeyOwner(ctx), key]);
  const running = inFlight.get(name);
  if (running) {
    if (running.fingerprint !== fingerprint) {
      throw conflict("idempotency_in_progress", "Another call runs under this Idempotency-Key.");
    }
    await running.done;
    const kept = await readKeptAnswer(ctx);
    if (kept) return await repeat(kept);
    return await once(ctx, null, inFlight, run);
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  inFlight.set(name, { fingerprint, done: promise });
  try {
    return await run();
  } catch (error) {
    // The same call may have committed in another process in the meantime and have caused this error.
    const kept = await readKeptAnswer(ctx);
    if (kept) return await repeat(kept);
    if (!(error instanceof KeyTaken || isKeyTaken(error))) throw error;
    throw conflict("idempotency_in_progress", "Another call runs under this Idempotency-Key.");
  } finally {
    inFlight.delete(name);
    resolve();
  }
}

/** Returns the answer that is stored under the key of the call; null when there is none. */
export async function readKeptAnswer(ctx: ClientContext & Partial<Context>): Promise<Row | null> {
  const [result] = await ctx.deps.db.read([selectStoredAnswer(ctx)]);
  return result!.rows[0] ?? null;
}

function isKeyTaken(error: unknown): boolean {
  return error instanceof NotUnique && error.columns.startsWith("idempotency_keys.");
}
