/** Filters of accounts and contacts: the fields that the caller sees. Other features add fields. */
import type { CustomField } from "../fields/custom_fields.ts";
import { fixedFields } from "../fields/fixed_fields.ts";
import type { Context, Viewer } from "../db/context.ts";
import { identifier, literal, sql } from "../db/statements.ts";
import { type ListCondition, onColumn } from "../lists/conditions.ts";
import { accountField, accountNames, accountRows } from "./accounts/filter_fields.ts";
import { contactField, contactNames, contactRows } from "./contacts/filter_fields.ts";
import { compileFilter } from "../filters/compile.ts";
import { type Catalogue, type FilterField, linkBy, type Relation } from "../filters/fields.ts";
import { type Filter, parseFilter } from "../filters/parse.ts";
import type { Selection } from "../lists/selection.ts";
import { describeCustomValue, describeFixedValue, type Filtered } from "./filter_values.ts";

/** Returns filter fields of related records by name. `root` are the filtered records. */
export type Contribution = (ctx: Viewer, root: Relation) => Readonly<Record<string, FilterField>>;

/** Businesses only, consumers only, or both (null). */
type Kind = "b2b" | "b2c" | null;

const rootOf = { above: null, many: false, link: () => sql`1` };

const accounts: Relation = { ...accountRows, ...rootOf };
const contacts: Relation = { ...contactRows, ...rootOf };

/** Relations from the filtered records to accounts and contacts. */
const relations: Readonly<Record<Filtered, { readonly account: Relation; readonly contact: Relation }>> = {
  account: {
    account: accounts,
    contact: {
      ...contactRows,
      above: accounts,
      many: true,
      link: linkBy("account_id"),
      party: (own) => identifier(own, "account_id"),
    },
  },
  contact: {
    account: {
      ...accountRows,
      above: contacts,
      many: false,
      link: (own, above) => sql`${identifier(own, "id")} = ${identifier(above, "account_id")}`,
    },
    contact: contacts,
  },
};

/** A compiled filter for the list of its kind, and headers for the answer. */
export interface Running extends Selection {
  readonly headers: Readonly<Record<string, string>>;
}

/** The kind of the filtered records, and the filter fields that other features add. */
export interface Filtering {
  readonly kind: Filtered;
  readonly contributions: readonly Contribution[];
}

/** Parses the filter of a request. Throws 422 with every fault. */
export function readFilter(ctx: Context, { kind, contributions }: Filtering, given: unknown): Filter {
  return parseFilter(given, buildCatalogue(ctx, kind, contributions), ctx.now);
}

/** Parses and compiles a filter. `kept`: it comes from a saved filter; see `parseFilter`. */
export function runFilter(
  ctx: Context,
  { kind, contributions }: Filtering,
  given: unknown,
  { kept = false } = {},
): Running {
  const catalogue = buildCatalogue(ctx, kind, contributions);
  const filter = parseFilter(given, catalogue, ctx.now, { kept });
  const { root } = catalogue;
  const selection = compileFilter(filter.nodes, { root, companyId: ctx.caller.companyId, now: ctx.at });
  return { ...selection, headers: filter.deprecated ? deprecation : {} };
}

/**
 * Headers of the answer to a filter that names fixed or custom fields of contacts without a kind. Such names
 * are deprecated since this time, in Unix seconds.
 */
export const deprecation: Readonly<Record<string, string>> = {
  Deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
};

export function buildCatalogue(
  ctx: Viewer,
  filtered: Filtered,
  contributions: readonly Contribution[],
): Catalogue {
  const root = relations[filtered][filtered];
  const shared = sharedFields[filtered] ??= describeShared(filtered);
  // Built only when a filter names such a field: describing all related records takes longer than parsing.
  let more: Readonly<Record<string, FilterField>> | undefined;
  const getContributed = () =>
    more ??= Object.assign({}, ...contributions.map((contribution) => contribution(ctx, root)));
  return {
    companyId: ctx.caller.companyId,
    root,
    field(name) {
      const known = shared.get(name);
      if (known) return known;
      const named = /^(?:(b2b|b2c)_)?(account|contact)\.(.+)$/s.exec(name);
      if (!named) {
        const fields = getContributed();
        return Object.hasOwn(fields, name) ? fields[name]! : null;
      }
      const owner = named[2] === "account" ? "account" : "contact";
      const kind = named[1] === "b2b" || named[1] === "b2c" ? named[1] : null;
      const [rest, { custom }] = [named[3]!, ctx.fields.seen[owner]];
      const found = findCustomField(rest, custom, kind);
      if (found) return { ...describeCustomValue(found), ...describeNamespace(filtered, owner, kind) };
      return kind === null ? shared.get(`${owner}.fixed_fields.${rest}`) ?? null : null;
    },
    names:
      () => [...listNames(ctx, "account"), ...listNames(ctx, "contact"), ...Object.keys(getContributed())],
  };
}

/** Returns the names of the fields in the three namespaces of accounts or of contacts. */
function listNames(ctx: Viewer, owner: Filtered): string[] {
  const own = owner === "account" ? accountNames : contactNames;
  const values = [
    ...fixedFields[owner].map(({ name }) => `fixed_fields.${name}`),
    ...ctx.fields.seen[owner].custom.map(({ name }) => `custom_fields.${name}`),
  ];
  return [
    ...[...own.every, ...values].map((name) => `${owner}.${name}`),
    ...["b2b", "b2c"].flatMap((kind) => [...own.kinds, ...values].map((name) => `${kind}_${owner}.${name}`)),
  ];
}

/** The fields that every caller sees, by name. Described at the first filter: some have long lists of choices. */
const sharedFields: Partial<Record<Filtered, ReadonlyMap<string, FilterField>>> = {};

function describeShared(filtered: Filtered): ReadonlyMap<string, FilterField> {
  const shared = new Map<string, FilterField>();
  for (const owner of ["account", "contact"] as const) {
    const [own, names] = owner === "account" ? [accountField, accountNames] : [contactField, contactNames];
    const relation = relations[filtered][owner];
    for (const kind of [null, "b2b", "b2c"] as const) {
      const namespace = kind === null ? owner : `${kind}_${owner}`;
      for (const name of kind === null ? names.every : names.kinds) {
        shared.set(`${namespace}.${name}`, { ...own(name, kind !== null)!, relation, ...ofKind(kind) });
      }
      for (const fixed of fixedFields[owner]) {
        const field = { ...describeFixedValue(fixed, owner), ...describeNamespace(filtered, owner, kind) };
        shared.set(`${namespace}.fixed_fields.${fixed.name}`, field);
        shared.set(`${namespace}.fixed_fields.id.${fixed.id}`, field);
      }
    }
  }
  return shared;
}

/** Returns the properties that all fixed and custom fields of a namespace share. */
function describeNamespace(filtered: Filtered, owner: Filtered, kind: Kind) {
  // Contact fields without a kind are deprecated names for those of consumers.
  const deprecated = owner === "contact" && kind === null;
  const relation = relations[filtered][owner];
  return { relation, ...ofKind(deprecated ? "b2c" : kind), ...(deprecated && { deprecated }) };
}

function ofKind(kind: Kind): Pick<FilterField, "only"> {
  return kind === null ? {} : { only: kindConditions[kind] };
}

const kindConditions = { b2b: limitToB2c(0), b2c: limitToB2c(1) };

function limitToB2c(value: 0 | 1): ListCondition {
  // Those who filter one kind have mostly customers of it.
  return onColumn((own) => identifier(own, "b2c"), null, (of) => sql`${of} = ${literal(value)}`, 0.9);
}

/** Finds a field by `custom_fields.<name>` or `custom_fields.id.<id>` (prefix optional without a kind). */
function findCustomField(rest: string, custom: readonly CustomField[], kind: Kind): CustomField | null {
  const prefix = "custom_fields.";
  const named = rest.startsWith(prefix) ? findField(rest.slice(prefix.length), custom) : null;
  return named ?? (kind === null ? findField(rest, custom) : null);
}

function findField(which: string, fields: readonly CustomField[]): CustomField | null {
  const id = which.startsWith("id.") ? which.slice("id.".length).toLowerCase() : null;
  return fields.find((field) => id === null ? field.name === which : field.id === id) ?? null;
}
