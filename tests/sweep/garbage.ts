/** Garbage for fast-check: changes to a right call, after which it is mostly no longer right. */
import fc, { anyText } from "../support/properties.ts";
import { RawBody } from "../support/app.ts";
import type { Prepared } from "./sweep.ts";

export interface Garbage {
  /** Replaced parts of the path, numbered from the third part on, modulo their count. */
  readonly path: readonly { readonly part: number; readonly text: string }[];
  readonly query: readonly { readonly name: number; readonly text: string }[];
  readonly body: readonly Damage[];
  /** Replaces the JSON of the body. */
  readonly raw: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A change at one place of a body. */
interface Damage {
  readonly place: number;
  readonly how: "replace" | "remove" | "add" | "wrap";
  readonly value: unknown;
}

const ids = ["0", "-1", "7", "9007199254740991", "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"];
const oddText = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "x\udfff",
  "\u202e",
  "\u{1F600}",
  "null",
  "true",
  "x".repeat(300),
  "x".repeat(70_000),
  "'; drop table users; --",
  '"',
  "%",
  "2026-02-30",
  "2026-02-30 10:00:00",
  "2026-01-31T10:00:00Z",
  "0000-00-00 00:00:00",
  "javascript:alert(1)",
  "http://",
  "ada@example.org",
  "DE",
  "en-GB",
  ...ids,
];
const texts = fc.oneof(fc.constantFrom(...oddText), anyText, fc.uuid());
const numbers = fc.constantFrom(0, -1, 1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 4711);
const values = fc.oneof(
  texts,
  numbers,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { id: null }, { id: {} }, [1, "1", null], {
    name: [],
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

const queryTexts = fc.oneof(
  fc.constantFrom(
    "",
    "%00",
    "%",
    "%ff",
    "-",
    ",",
    ",,,",
    "a,b",
    "1,x",
    "true",
    "-created_at",
    "--",
    "[]",
    "0",
    "101",
    "1e3",
  ),
  fc.constantFrom(
    "2026-02-30%2010:00:00",
    "2026-01-01%2000:00:00",
    "x".repeat(3000),
    "%ED%A0%80",
    "😀",
    "'--",
    "*",
    '"',
    "NEAR(",
  ),
  fc.constantFrom(...ids),
  fc.string().map(encodeURIComponent),
);
const pathTexts = fc.constantFrom(
  ...ids,
  "x",
  "%00",
  "%ff",
  "%zz",
  "%2e%2e",
  "%2f",
  "null",
  "1.0",
  "01",
  "'",
  "x".repeat(2000),
  "%F0%9F%98%80",
);

const headers = fc.record({
  "Idempotency-Key": fc.constantFrom("", "a b", "é", "k".repeat(256), "good-key"),
  "If-Match": fc.constantFrom("", "*", '"x"', "W/", ",", "x".repeat(3000)),
  "If-None-Match": fc.constantFrom("", "*", '"x"', ",,"),
  "Content-Type": fc.constantFrom(
    "",
    "text/plain",
    "application/json; charset=x",
    "multipart/form-data",
    ";",
    "application/json",
  ),
  "X-Request-Id": fc.constantFrom("", "a b", "é", "x".repeat(1000)),
  "Accept": fc.constantFrom("text/html", "", "*/*;q=0"),
  "Accept-Encoding": fc.constantFrom("br", "x"),
}, { requiredKeys: [] });

const rarely = <T>(of: fc.Arbitrary<T>, otherwise: T, weight = 4) =>
  fc.oneof({ arbitrary: fc.constant(otherwise), weight }, { arbitrary: of, weight: 1 });

export const garbage: fc.Arbitrary<Garbage> = fc.record({
  path: rarely(fc.array(fc.record({ part: fc.nat(3), text: pathTexts }), { maxLength: 2 }), []),
  query: fc.array(fc.record({ name: fc.nat(40), text: queryTexts }), { maxLength: 3 }),
  body: fc.array(
    fc.record({
      place: fc.nat(60),
      how: fc.constantFrom<Damage["how"]>("replace", "replace", "replace", "remove", "add", "wrap"),
      value: values,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  raw: rarely(
    fc.oneof(
      fc.constantFrom(
        "",
        "{",
        "[]",
        "null",
        '"x"',
        "5",
        "\u0000",
        "{}{}",
        '{"a":1e999}',
        "[".repeat(5000),
        '{"__proto__":{}}',
      ),
      anyText,
      fc.json(),
    ),
    null,
    8,
  ),
  headers: rarely(headers, {}),
});

/** Returns the call with the garbage in it. `names` are the query parameters that the endpoint knows. */
export function spoil(call: Prepared, spoilt: Garbage, names: readonly string[]): Prepared {
  const [path = "", query] = call.path.split("?");
  const parts = path.split("/");
  // The first parts stay, such as `/v1/accounts`: otherwise every call would go to an unknown path.
  const first = 3;
  for (const { part, text } of spoilt.path) {
    if (parts.length > first) parts[first + part % (parts.length - first)] = text;
  }
  const known = [...names, "unknown", "__proto__"];
  const asked = spoilt.query.map(({ name, text }) => `${known[name % known.length]}=${text}`);
  const whole = [...(query ? [query] : []), ...asked].join("&");
  return {
    ...call,
    path: parts.join("/") + (whole ? `?${whole}` : ""),
    body: call.method === "GET"
      ? undefined
      : call.body instanceof RawBody
      ? spoilt.body.reduce(tornBytes, call.body)
      : spoilt.raw ?? JSON.stringify(spoilt.body.reduce(damage, call.body ?? {})),
  };
}

/** Breaks a raw body: cuts it off, puts garbage into it, or changes its type. */
function tornBytes({ type, bytes }: RawBody, { place, how, value }: Damage): RawBody {
  const text = new TextEncoder().encode(JSON.stringify(value));
  const at = Math.floor(bytes.length * place / 60);
  if (how === "remove") return new RawBody(type, bytes.slice(0, at));
  if (how === "wrap") return new RawBody(type.slice(0, Math.floor(type.length * place / 60)), bytes);
  const rest = how === "add" ? at : Math.min(bytes.length, at + text.length);
  return new RawBody(type, new Uint8Array([...bytes.slice(0, at), ...text, ...bytes.slice(rest)]));
}

/** Returns the body with a change at one of its places. */
function damage(body: unknown, { place, how, value }: Damage): unknown {
  const places = placesIn(body);
  const at = places[place % places.length]!;
  return rebuilt(body, at, (before) => {
    if (how === "wrap") return [before];
    if (how === "add" && before !== null && typeof before === "object") {
      return Array.isArray(before) ? [...before, value] : { ...before, unknown: value };
    }
    return value;
  }, how === "remove");
}

type Place = readonly (string | number)[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (value === null || typeof value !== "object") return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, key]))];
}

function rebuilt(
  value: unknown,
  [key, ...rest]: Place,
  change: (before: unknown) => unknown,
  removes: boolean,
): unknown {
  if (key === undefined) return change(value);
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  if (removes && rest.length === 0) delete copy[key];
  else copy[key] = rebuilt(copy[key], rest, change, removes);
  return Array.isArray(value) ? Object.values(copy) : copy;
}
