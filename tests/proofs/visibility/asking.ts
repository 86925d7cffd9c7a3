/** Queries of lists, and the check that each returns exactly the visible records. */
import assert from "node:assert/strict";
import type { Actor, Body } from "../../support/app.ts";
import { formatDay } from "./company.ts";
import { type Known, matchesQuery } from "./model.ts";

/** A query that a list accepts, with the records that match it. */
export interface Question {
  readonly query: string;
  readonly holds: (record: Known) => boolean;
}

export const stamps = ["last_activity_at", "created_at", "updated_at"];
export const everything: Question = { query: "", holds: () => true };

/**
 * Compares each query alone and with the next one, and each sort in both directions with and without a query.
 * `also` checks more of the answers without a sort.
 */
export async function compare(
  actor: Actor,
  path: string,
  visible: readonly Known[],
  sorts: readonly string[],
  questions: readonly Question[],
  also: (body: Body, question: Question) => void = () => {},
): Promise<void> {
  const pairs = questions.slice(1).flatMap((question, n) => combineQueries(questions[n]!, question) ?? []);
  for (const question of [everything, ...questions, ...pairs]) {
    also(await ask(actor, path, visible, question), question);
  }
  for (const [n, sort] of sorts.flatMap((name) => [name, `-${name}`]).entries()) {
    const question = questions[n % questions.length] ?? everything;
    await ask(actor, path, visible, everything, sort);
    await ask(actor, path, visible, question, sort);
  }
}

/** Returns the answer. */
export async function ask(
  actor: Actor,
  path: string,
  visible: readonly Known[],
  { query, holds }: Question,
  sort: string | null = null,
): Promise<Body> {
  const expected = visible.filter(holds);
  const url = `${path}?per_page=100&${query}${sort === null ? "" : `&sort=${sort}`}`;
  const { status, body, text } = await actor.call("GET", url);
  assert.equal(status, 200, text);
  const ids: string[] = body.data.map(({ id }: Body) => String(id));
  const wanted = expected.toSorted(rankBy(sort)).map(({ id }) => id);
  assert.deepEqual(sort === null ? ids.toSorted() : ids, sort === null ? wanted.toSorted() : wanted, url);
  assert.equal(body.pagination.total, expected.length, `the total of ${url}`);
  return body;
}

function rankBy(sort: string | null): (a: Known, b: Known) => number {
  const name = (sort ?? "created_at").replace("-", "");
  const sign = sort?.startsWith("-") ? -1 : 1;
  const order = (a: string | number, b: string | number) => a < b ? -1 : a > b ? 1 : 0;
  // Integer ids sort as numbers.
  const id = (record: Known) => /^\d+$/.test(record.id) ? Number(record.id) : record.id;
  return (a, b) => sign * (order(a.keys[name]!, b.keys[name]!) || order(id(a), id(b)));
}

/** Combines two queries; null when they use one parameter differently. */
export function combineQueries(one: Question, other: Question): Question | null {
  const names = [one, other].map(({ query }) => [...new URLSearchParams(query).keys()]);
  if (names[0]!.some((name) => names[1]!.includes(name))) return null;
  return {
    query: `${one.query}&${other.query}`,
    holds: (record) => one.holds(record) && other.holds(record),
  };
}

export function timeQuestions(): Question[] {
  const [first, second] = [formatDay(1), formatDay(2)];
  const from = { query: `start_at=${first}`, holds: (record: Known) => record.created_at >= first };
  const until = { query: `end_at=${second}`, holds: (record: Known) => record.created_at <= second };
  return [from, until, combineQueries(from, until)!];
}

export function searchQuestions(searches: readonly string[]): Question[] {
  return searches.map((text) => ({
    query: `search=${encodeURIComponent(text)}`,
    holds: (record) => matchesQuery(record, text),
  }));
}
