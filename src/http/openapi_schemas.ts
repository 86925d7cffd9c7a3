/** Schemas of the OpenAPI document, in forms that client generators read correctly. */
import { z } from "zod";

/**
 * Returns the named schemas in `roots`, each after the schemas that it uses. The library registers a schema
 * at its first use, and registers it as nullable if that use is nullable. So schemas are registered before
 * their uses.
 */
export function listNamedSchemas(roots: Iterable<z.ZodType>): z.ZodType[] {
  const seen = new Set<z.core.$ZodType>();
  const names = new Set<string>();
  const found: z.ZodType[] = [];
  const visit = (schema: z.core.$ZodType) => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const inner = listInnerSchemas(schema);
    for (const one of inner) visit(one);
    const name = nameSchema(schema);
    if (name === undefined || names.has(name) || wrappers.has((schema as z.core.$ZodTypes)._zod.def.type)) {
      return;
    }
    names.add(name);
    found.push(schema as z.ZodType);
  };
  for (const root of roots) visit(root);
  return found;
}

declare module "zod" {
  interface GlobalMeta {
    /** The named schema that this one extends. A precise type would make the compiler compare all schemas. */
    readonly extends?: { readonly description?: string };
    /** The place from which the OpenAPI library reads names. */
    readonly _internal?: { readonly refId: string; readonly extendedFrom?: object };
  }
}

/**
 * Returns the name of a schema, or of the schema that it wraps. Moves the name from `meta({ id })` to
 * `_internal`, from which the library reads it, also on wrappers.
 *
 * Works around: the library reads names only where its own `openapi()` puts them.
 * True for: @asteasolutions/zod-to-openapi 9.1.0.
 * Remove when: it reads the `id` of `meta`, also below wrappers.
 */
function nameSchema(schema: z.core.$ZodType): string | undefined {
  const meta = z.globalRegistry._map.get(schema);
  const { id, extends: base, ...others } = meta ?? {};
  const refId = others._internal?.refId ?? id ?? nameWrapped(schema);
  if (meta === undefined || refId === undefined || others._internal) return refId;
  const _internal = { refId, extendedFrom: base && { refId: nameSchema(base as z.ZodType), schema: base } };
  z.globalRegistry.remove(schema).add(schema, { description: base?.description, ...others, _internal });
  return refId;
}

function nameWrapped(schema: z.core.$ZodType): string | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return wrappers.has(def.type) ? nameSchema((def as z.core.$ZodNullableDef).innerType) : undefined;
}

const wrappers = new Set(["nullable", "optional", "default", "readonly"]);

function listInnerSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.values(def.shape);
    case "array":
      return [def.element];
    case "union":
      return def.options;
    case "intersection":
      return [def.left, def.right];
    case "tuple":
      return def.items;
    case "record":
      return [def.valueType];
    case "pipe":
      return [def.in, def.out];
    case "nullable":
    case "optional":
    case "default":
    case "readonly":
      return [def.innerType];
    default:
      return [];
  }
}

/** Marks a choice between full and short rows: the document has the full ones alone. */
export const summaryMark = "x-summary";

/** A schema in the document. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/**
 * Rewrites nullable references as `anyOf` (the library writes `allOf`, which nothing satisfies) and moves
 * defaults of fields into descriptions (generators treat a field with `default` as always present).
 *
 * Works around: nullable references as `allOf`.
 * True for: @asteasolutions/zod-to-openapi 9.1.0.
 * Remove when: it writes `anyOf`; the part about defaults stays.
 */
export function forGenerators(schema: SchemaNode): SchemaNode {
  const mapped: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties") mapped[key] = mapValues(value as Record<string, SchemaNode>, describeDefault);
    else if (lists.has(key)) mapped[key] = (value as SchemaNode[]).map(forGenerators);
    else if (single.has(key) && typeof value === "object") mapped[key] = forGenerators(value as SchemaNode);
    else mapped[key] = value;
  }
  if (summaryMark in mapped) return (mapped.anyOf as SchemaNode[])[0]!;
  return mergeNullableReference(mapped) ?? mapped;
}

const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const single = new Set(["items", "additionalProperties", "not"]);

function describeDefault(schema: SchemaNode): SchemaNode {
  const { default: otherwise, ...rest } = forGenerators(schema);
  if (otherwise === undefined) return rest;
  const words = `Default: \`${JSON.stringify(otherwise)}\`.`;
  return { ...rest, description: rest.description === undefined ? words : `${rest.description} ${words}` };
}

function mergeNullableReference({ allOf, ...rest }: SchemaNode): SchemaNode | null {
  if (!Array.isArray(allOf) || allOf.length !== 2) return null;
  const [reference, { type, ...more }] = allOf as [SchemaNode, SchemaNode];
  if (!("$ref" in reference) || !Array.isArray(type) || !type.includes("null") || "properties" in more) {
    return null;
  }
  return { anyOf: [reference, { type: "null" }], ...more, ...rest };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
