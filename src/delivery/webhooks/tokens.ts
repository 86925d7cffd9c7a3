/** Tokens of subscriptions: which of them sign at a moment, and what becomes of them when they change. */
import { clockSkew } from "../../core/clocks.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { webhooks } from "../../db/tables.ts";
import { open, seal } from "../../platform/crypto.ts";

type WebhookRow = typeof webhooks.$inferSelect;
type Sealed = Pick<WebhookRow, "verification_token" | "previous_token">;

/** Milliseconds for which a token signs beside the one that replaced it. */
const bothFor = lifetimes.replacedSecret;
/** Tokens that sign beside the present one at most, so that the header stays short. */
const mostBefore = 4;

/** A token before the present one, and its end (epoch milliseconds); an end too far off has passed. */
type Earlier = readonly [token: string, until: number];

/**
 * The tokens that sign at a moment (epoch milliseconds): the present one first, then those before it whose time
 * has not ended. `opened` keeps texts that were opened, by their sealed ones.
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
 * What a row's tokens become when `given` is its token from `now` (epoch milliseconds) on. The one that it
 * replaces signs beside it for 24 hours, and so do those that still did. Null takes all of them away at once.
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
