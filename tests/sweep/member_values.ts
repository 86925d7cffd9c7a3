/** Values of the members of bodies: several right ones for each, from the OpenAPI document, the sample and names. */
import type { Body } from "../support/app.ts";
import type { Place } from "./place.ts";

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A member of a body: its keys, and values to try in this order. */
export interface Member {
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

/** Texts by the last key of the member, where the document does not say which are right. */
const texts: Readonly<Record<string, readonly unknown[]>> = {
  email: ["anna@example.org", "berta@example.org"],
  invoice_email: ["anna@example.org", "berta@example.org"],
  website: ["https://a.example.org", "https://b.example.org"],
  phone_number: ["+49 40 123456", "+49 40 654321"],
  country: ["NL", "BE"],
  language: ["de", "nl"],
  currency: ["EUR", "CHF"],
  redirect_uri: ["https://a.example.org/back", "https://b.example.org/back"],
  target_url: ["http://127.0.0.1:9/hooks/a", "http://127.0.0.1:9/hooks/b"],
  unsubscribe_url: ["https://a.example.org/", "https://b.example.org/"],
  password: ["correct horse battery", "correct horse battery staple"],
  new_password: ["correct horse battery one", "correct horse battery two"],
  verification_token: ["whisper of the wood", "whisper of the wind"],
  start_at: ["2026-05-02 09:00:00", "2026-05-02 10:00:00"],
  end_at: ["2026-05-02 17:00:00", "2026-05-02 18:00:00"],
  send_at: ["2026-05-01 09:00:00", "2026-05-01 10:00:00"],
  date: ["2026-06-10", "2026-06-11"],
  name: ["Alpha", "Beta", "Europe/Berlin", "Europe/Amsterdam"],
  code: ["de_DE", "nl_NL", "de-DE", "nl-NL"],
  icon: ["envelope", "phone"],
  since: ["2026-01-30 10:00:00", "2026-01-31 10:00:00"],
  webhook_event: ["lead_created", "lead_updated"],
};

/** Returns the members of an operation's body. Members of nested objects count, not those of lists. */
export function listMembers(
  document: Body,
  place: Place,
  method: string,
  path: string,
  sample: unknown,
): Member[] {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")][method];
  const schema: Schema | undefined = operation.requestBody?.content?.["application/json"]?.schema;
  return schema ? within(document, place, schema, [], sample) : [];
}

/** Returns the members that every body of the operation needs. */
export function listRequired(document: Body, method: string, path: string): readonly string[] {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")][method];
  const schema: Schema | undefined = operation.requestBody?.content?.["application/json"]?.schema;
  return schema ? listShapes(document, schema)[0]?.required ?? [] : [];
}

function within(
  document: Body,
  place: Place,
  schema: Schema,
  keys: readonly string[],
  sample: unknown,
): Member[] {
  const [shape] = listShapes(document, schema);
  return Object.entries(shape?.properties ?? {}).flatMap(([key, part]) => {
    const own = [...keys, key];
    const given = isPlain(sample) ? sample[key] : undefined;
    // The sweep of own answers judges the objects of answers that stand for other members.
    if (/^As the answer shows it, in place of/.test(part.description ?? "")) return [];
    const [inner] = listShapes(document, part);
    if (inner?.type === "object" && inner.properties && keys.length < 2) {
      return within(document, place, part, own, given);
    }
    return [{ keys: own, values: makeValues(document, place, part, own, given) }];
  });
}

function makeValues(
  document: Body,
  place: Place,
  schema: Schema,
  keys: readonly string[],
  given: unknown,
): unknown[] {
  const made = listShapes(document, schema).flatMap((shape) => makeShape(shape, keys.at(-1)!, place));
  const values = [
    ...(given === undefined || given === null ? [] : [given, ...vary(given)]),
    ...made,
    null,
  ];
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    return !seen.has(text) && seen.add(text);
  });
}

function makeShape(shape: Schema, key: string, place: Place): unknown[] {
  const ids: Readonly<Record<string, unknown>> = { ...place.ids };
  if (shape.const !== undefined) return [shape.const];
  if (shape.enum) return [...shape.enum];
  const id = ids[key] ?? ids[key.replace(/^default_|^parent_/, "")];
  if (shape.type === "boolean") return [true, false];
  if (shape.type === "integer" || shape.type === "number") {
    const low = Math.max(1, shape.minimum ?? 1);
    return [...(id === undefined ? [] : [id]), low, low + 1].filter((n) =>
      Number(n) <= (shape.maximum ?? Infinity)
    );
  }
  if (shape.type === "string") {
    if (shape.format === "uuid") return id === undefined ? [] : [id];
    return [...(texts[key] ?? []), "Alpha", "Beta"];
  }
  if (shape.type === "array") {
    const one = ids[key.replace(/s$/, "")];
    return [...(one === undefined ? [] : [[one]]), ["Alpha"], []];
  }
  return [];
}

/** Returns the value with another text or number at its last place. */
function vary(value: unknown): unknown[] {
  if (typeof value === "string") return [`${value} b`];
  if (typeof value === "number") return [value + 1];
  if (typeof value === "boolean") return [!value];
  if (Array.isArray(value)) {
    const [last] = value.slice(-1);
    return [...vary(last).map((other) => [...value.slice(0, -1), other]), []];
  }
  if (!isPlain(value)) return [];
  return Object.entries(value).toReversed()
    .flatMap(([key, part]) => vary(part).map((other) => ({ ...value, [key]: other })));
}

/** Returns the shapes that a value may have, without null. */
function listShapes(document: Body, schema: Schema): Schema[] {
  if (schema.$ref) return listShapes(document, document.components.schemas[schema.$ref.split("/").at(-1)!]);
  if (schema.allOf) {
    const all = schema.allOf.map((one) => listShapes(document, one)[0] ?? {});
    return [{ ...Object.assign({}, ...all), ...schema, allOf: undefined }];
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return several.flatMap((one) => listShapes(document, one));
  const types = [schema.type].flat().filter((type) => type !== "null");
  return types.length === 0 && schema.type !== undefined ? [] : [{ ...schema, type: types[0] }];
}

/** Returns the body with the value at the keys. */
export function withMember(body: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  const record = isPlain(body) ? body : {};
  return { ...record, [key]: withMember(record[key], rest, value) };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
