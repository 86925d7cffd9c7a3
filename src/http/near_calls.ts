/** Finds the calls that a request of no endpoint probably means: elsewhere, or with a misspelt name. */
import { isIntegerId, isUuid } from "../core/ids.ts";
import { findNearName } from "../core/near_names.ts";
import type { Offered } from "./paths.ts";

/** How unlike a call is; calls from `tooFar` on are not named. */
const tooFar = 5;
const mostNamed = 4;
/** Longer paths are compared with none. */
const mostParts = 12;

/**
 * Returns the nearest calls, such as `POST /v1/accounts/:account_id/contacts`; none if all are unlike. Calls of
 * the path itself are left out: the header `Allow` names them.
 */
export function findNearCalls(offered: readonly Offered[], method: string, pathname: string): string[] {
  const asked = describeAsked(offered, method, pathname);
  if (asked.words.length === 0 || asked.parts.length > mostParts) return [];
  const known = offered.filter((one) => !isPage(one.path) && !matchesPath(one, asked.parts))
    .map((one) => ({ call: `${one.method} ${one.path}`, far: measureDistance(one, asked) }))
    .filter(({ far }) => far < tooFar)
    .sort((one, other) => one.far - other.far || one.call.length - other.call.length);
  const nearest = known.filter(({ far }) => far === known[0]!.far);
  return [...new Set(nearest.map(({ call }) => call))].slice(0, mostNamed);
}

interface Asked {
  readonly method: string;
  readonly parts: readonly string[];
  /** The parts that are names, not ids, as `stemWord` has them. */
  readonly words: readonly string[];
  /** The last of them, as it is. */
  readonly last: string | undefined;
  readonly endsWithId: boolean;
  /** Whether the path has other methods. */
  readonly exists: boolean;
}

function describeAsked(offered: readonly Offered[], method: string, pathname: string): Asked {
  const parts = pathname.split("/");
  const isId = (part: string) => isUuid(part) || isIntegerId(part);
  const names = parts.filter((part) => !isId(part));
  return {
    method: method === "HEAD" ? "GET" : method,
    parts,
    words: extractWords(names),
    last: names.at(-1),
    endsWithId: isId(parts.at(-1)!),
    exists: offered.some((one) => matchesPath(one, parts)),
  };
}

/** Whether the path is one of the call, in any form of its ids. */
function matchesPath({ parts }: Offered, asked: readonly string[]): boolean {
  return parts.length === asked.length &&
    parts.every((part, index) => part === asked[index] || (part.startsWith(":") && asked[index] !== ""));
}

/** The names of each call, because a request is compared with every one. */
const kept = new WeakMap<Offered, readonly string[]>();

function getNames(one: Offered): readonly string[] {
  let names = kept.get(one);
  if (!names) kept.set(one, names = extractWords(one.parts));
  return names;
}

function extractWords(parts: readonly string[]): string[] {
  return parts.filter((part) => part !== "" && !part.startsWith(":") && !prefixes.has(part)).map(stemWord);
}

/** First parts of addresses, which say nothing about the record. */
const prefixes = new Set(["v1", "api", "upload"]);

const isPage = (path: string) => !/^\/(v1|upload|files)\//.test(path);

function measureDistance(one: Offered, { method, words, last, endsWithId, exists }: Asked): number {
  const names = getNames(one);
  const elsewhere = (one.parts.at(-1)!.startsWith(":") === endsWithId ? 0 : 1) +
    (one.method === method ? 0 : 2);
  const same = (index: number) => names[index] === words[index];
  // The same names, perhaps misspelt.
  if (names.length === words.length && names.every((name, index) => isNear(words[index]!, name))) {
    if (exists && one.method !== method) return tooFar;
    return elsewhere + names.filter((_, index) => !same(index)).length;
  }
  // The list of which a part was asked for.
  const isList = one.method === "GET" && names.length + 1 === words.length &&
    names.every((_, index) => same(index));
  if (isList && !one.parts.at(-1)!.startsWith(":")) return 4;
  // The record below another one, else the same word of another record.
  const sameLast = one.parts.findLast((part) => !part.startsWith(":")) === last;
  if (one.method !== method || names.length < words.length || !sameLast) return tooFar;
  return names.length > words.length ? 2 + elsewhere : 4;
}

/** A name in lower case without the ending of its plural. */
function stemWord(part: string): string {
  return part.toLowerCase().replace(/(?<=...)ies$/, "y").replace(/s$/, "");
}

function isNear(word: string, name: string): boolean {
  return word === name || findNearName(word, [name.toUpperCase()]) !== null;
}
