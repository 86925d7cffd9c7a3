/** The result of a verb; `http/endpoint.ts` makes a response from it. */
import { Json, jsonOf } from "./json.ts";

export interface Answer<T = unknown> {
  readonly status: 200 | 201 | 202 | 204 | 303;
  readonly body: Json<T> | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Top-level keys of the body whose values are secret. The stored answer seals them. */
  readonly secrets?: readonly string[];
}

export function ok<T>(value: T | Json<T>, headers?: Record<string, string>): Answer<T> {
  const body = jsonOf(value);
  return headers ? { status: 200, body, headers } : { status: 200, body };
}

/** A 200 whose body is a document instead of JSON. `type`: its media type. */
export function document(type: string, text: string, headers: Record<string, string> = {}): Answer<string> {
  return { status: 200, body: new Json(text), headers: { "Content-Type": type, ...headers } };
}

export function created<T>(value: T | Json<T>): Answer<T> {
  return { status: 201, body: jsonOf(value) };
}

export function accepted<T = never>(body: Json<T> | null = null): Answer<T> {
  return { status: 202, body };
}

export const noContent: Answer<never> = { status: 204, body: null };

/**
 * Returns a number of a record as JSON. Null stands for a number that the batch assigns and then writes into
 * the text.
 */
export function lateNumber(value: number | null): Json<number> {
  return new Json(String(value));
}

/** The start of a body whose integer id comes from the batch; the id replaces the null. */
const unborn = '{"id":null';

/** Returns the body with its id. */
export function withId<T>(body: Json<T>, id: number): Json<T> {
  if (!body.text.startsWith(unborn)) return body;
  const born = (text: string) => `{"id":${id}${text.slice(unborn.length)}`;
  return new Json(born(body.text), born(body.tag), body.constants);
}

/**
 * Returns an SQL expression for the body with its id. `id`: an SQL expression; `?` is the text of the body.
 */
export function withIdSql(body: Json, id: string): string {
  return body.text.startsWith(unborn) ? `'{"id":' || ${id} || substr(?, ${unborn.length + 1})` : "?";
}

/** A number that only the batch knows; bodies have null under the key until then. */
export interface Late {
  readonly key: string;
  /** An SQL expression without parameters. */
  readonly sql: string;
}

/** Returns the body with the number. Quotes inside strings are escaped, so only the key matches. */
export function withLate<T>(body: Json<T>, late: Late, value: number): Json<T> {
  const filled = (text: string) => text.replaceAll(`"${late.key}":null`, `"${late.key}":${value}`);
  return new Json(filled(body.text), filled(body.tag), body.constants);
}

/** Returns an SQL expression for the text with the number. `text`: an SQL expression. */
export function withLateSql(text: string, late: Late): string {
  return `replace(${text}, '"${late.key}":null', '"${late.key}":' || ${late.sql})`;
}
