/** Tokens of subscriptions: which sign at a time, and their rotation. */
import { clockSkew } from "../../core/clocks.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { webhooks } from "./table.ts";
import { open, seal } from "../../platform/crypto.ts";

type WebhookRow = typeof webhooks.$inferSelect;
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
export function tokensAt(
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
  return [read(present), ...earlierOf(before === null ? null : read(before), at).map(([token]) => token)];
}

type Tokens = Pick<WebhookRow, "verification_token" | "previous_token" | "previous_token_until">;

/**
 * Returns the columns after `given` replaces the token at `now` (epoch milliseconds). The replaced token
 * signs for another 24 hours. Null removes all tokens immediately.
 */
export function changedTokens(key: Uint8Array, row: Tokens, given: string | null, now: number): Tokens {
  if (given === null) return { verification_token: null, previous_token: null, previous_token_until: null };
  const { verification_token: sealed, previous_token: before } = row;
  const present = sealed === null ? null : open(key, sealed);
  const still = earlierOf(before === null ? null : open(key, before), now);
  const replaced: Earlier[] = present === null ? [] : [[present, now + bothFor]];
  const earlier = [...replaced, ...still].filter(([token]) => token !== given).slice(0, mostBefore);
  return {
    verification_token: seal(key, given),
    previous_token: earlier.length > 0 ? seal(key, JSON.stringify(earlier)) : null,
    previous_token_until: earlier.length > 0 ? Math.max(...earlier.map(([, until]) => until)) : null,
  };
}

function earlierOf(text: string | null, at: number): readonly Earlier[] {
  if (text === null) return [];
  const furthest = at + bothFor + clockSkew;
  return (JSON.parse(text) as Earlier[]).filter(([, until]) => until > at && until <= furthest);
}
