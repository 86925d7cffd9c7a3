/** The signatures of a delivery, and the tokens of subscriptions that make them. */
import { isStillAhead } from "../../core/clocks.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { decodeUnpaddedBase64, hmacSha256Base64, open, seal, sha1Hex } from "../../platform/crypto.ts";
import type { WebhookRow } from "./record.ts";

/** The signature of an attempt: its time in seconds, the hash and the signatures. */
export type Signed = readonly [timestamp: string, hash: string, signatures: string];

/**
 * Signs an attempt at `attemptAt` (epoch milliseconds). `tokens` are opened: the first makes the hash, each
 * makes a signature. Returns null without tokens.
 */
export function signBody(
  { id, body }: { readonly id: string; readonly body: string },
  tokens: readonly string[],
  attemptAt: number,
): Signed | null {
  const [present] = tokens;
  if (present === undefined) return null;
  const seconds = String(Math.floor(attemptAt / 1000));
  const text = `${id}.${seconds}.${body}`;
  const signatures = tokens.map((token) => `v1,${hmacSha256Base64(readSigningKey(token), text)}`);
  return [seconds, sha1Hex(body + present), signatures.join(" ")];
}

const prefix = "whsec_";

/** Returns the bytes of the token; after `whsec_`, the decoded base64. */
function readSigningKey(token: string): Uint8Array {
  if (token.startsWith(prefix)) {
    const key = decodeUnpaddedBase64(token.slice(prefix.length));
    // Without valid base64, the whole text is the token.
    if (key !== null && key.length > 0) return key;
  }
  return new TextEncoder().encode(token);
}

type Sealed = Pick<WebhookRow, "verification_token" | "previous_token">;

/** Milliseconds during which a replaced token still signs. */
const bothFor = lifetimes.replacedSecret;
/** Most previous tokens that still sign, which keeps the header short. */
const mostBefore = 4;

/** A previous token and its end (epoch milliseconds). An implausibly late end counts as passed. */
type Earlier = readonly [token: string, until: number];

/**
 * Returns the tokens that sign at a time (epoch milliseconds): the present one first, then previous ones.
 * `opened` caches opened texts by their sealed ones.
 */
export function listTokens(
  key: Uint8Array,
  { verification_token: present, previous_token: before }: Sealed,
  at: number,
  opened: Map<string, string> = new Map(),
): string[] {
  if (present === null) return [];
  const read = (sealed: string) => {
    const text = opened.get(sealed) ?? open(key, sealed);
    opened.set(sealed, text);
    return text;
  };
  return [read(present), ...readEarlier(before === null ? null : read(before), at).map(([token]) => token)];
}

type Tokens = Pick<WebhookRow, "verification_token" | "previous_token" | "previous_token_until">;

/**
 * Returns the columns after `given` replaces the token at `now` (epoch milliseconds). The replaced token
 * signs for another 24 hours. Null removes all tokens immediately.
 */
export function makeTokenColumns(key: Uint8Array, row: Tokens, given: string | null, now: number): Tokens {
  if (given === null) return { verification_token: null, previous_token: null, previous_token_until: null };
  const { verification_token: sealed, previous_token: before } = row;
  const present = sealed === null ? null : open(key, sealed);
  if (given === present) return pickTokens(row);
  const still = readEarlier(before === null ? null : open(key, before), now);
  const replaced: Earlier[] = present === null ? [] : [[present, now + bothFor]];
  const earlier = [...replaced, ...still].filter(([token]) => token !== given).slice(0, mostBefore);
  return {
    verification_token: seal(key, given),
    previous_token: earlier.length > 0 ? seal(key, JSON.stringify(earlier)) : null,
    previous_token_until: earlier.length > 0 ? Math.max(...earlier.map(([, until]) => until)) : null,
  };
}

function pickTokens({ verification_token, previous_token, previous_token_until }: Tokens): Tokens {
  return { verification_token, previous_token, previous_token_until };
}

function readEarlier(text: string | null, at: number): readonly Earlier[] {
  if (text === null) return [];
  return (JSON.parse(text) as Earlier[]).filter(([, until]) => isStillAhead(until, at, bothFor));
}
