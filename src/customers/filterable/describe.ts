/** Describes the fields of filters for people who build one. */
import { type OwnerType, ownerTypes } from "../../fields/fixed_fields.ts";
import type { Context } from "../../db/context.ts";
import { type FilterField, type FilterType, operatorsOf, type Relation } from "../../filters/fields.ts";
import { buildCatalogue, type Filtering } from "../filter_catalogue.ts";
import type { shownTypes } from "./schema.ts";

const types: Readonly<Record<FilterType, (typeof shownTypes)[number]>> = {
  text: "text",
  uuid: "id",
  choice: "choice",
  reference: "id",
  integer: "number",
  number: "number",
  boolean: "boolean",
  timestamp: "timestamp",
  date: "date",
};

/** Returns every field that the caller's filters may name, in the order of the catalogue. */
export function describeFields(ctx: Context, { kind, contributions }: Filtering) {
  const catalogue = buildCatalogue(ctx, kind, contributions);
  const labels = collectLabels(ctx);
  return catalogue.names().flatMap((name) => {
    const field = catalogue.field(name);
    return field ? [describe(name, field, labels)] : [];
  });
}

function describe(name: string, field: FilterField, labels: ReadonlyMap<string, string>) {
  const { group, rest } = splitName(name);
  const owner = ownerTypes.find((each) => group.endsWith(each));
  const options = makeOptions(field);
  return {
    field: name,
    label: labels.get(`${owner}.${rest}`) ?? describeInWords(rest),
    group,
    type: options ? "choice" as const : types[field.type],
    operators: operatorsOf[field.type],
    options,
    to_many: isMany(field.relation) ||
      (field.value.kind === "values" && field.value.found?.embedded?.several === true),
    deprecated: field.deprecated === true,
  };
}

/** Returns the records that a field belongs to, and its name among their fields. */
function splitName(name: string): { group: string; rest: string } {
  const values = /^(.+?)\.((?:fixed|custom)_fields\..+)$/s.exec(name);
  if (values) return { group: values[1]!, rest: values[2]! };
  const own = /^((?:b2b_|b2c_)?(?:account|contact))\.(.+)$/s.exec(name);
  if (own) return { group: own[1]!, rest: own[2]! };
  const end = name.lastIndexOf(".");
  return { group: name.slice(0, end), rest: name.slice(end + 1) };
}

/** The labels of fixed and custom fields, by kind of record and name. */
function collectLabels({ fields: { seen } }: Context): Map<string, string> {
  const pairLabels = (owner: OwnerType, values: string, fields: readonly { name: string; label: string }[]) =>
    fields.map(({ name, label }) => [`${owner}.${values}.${name}`, label] as const);
  return new Map(ownerTypes.flatMap((owner) => [
    ...pairLabels(owner, "fixed_fields", seen[owner].fixed),
    ...pairLabels(owner, "custom_fields", seen[owner].custom),
  ]));
}

/** `consent.email.consent_given` becomes `Consent email consent given`. */
function describeInWords(name: string): string {
  const words = name.replaceAll(/[._]+/g, " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function makeOptions({ choices, labels }: FilterField) {
  if (!choices) return null;
  const words = labels?.();
  return [...choices].map((id) => ({ id, value: words?.get(id) ?? id }));
}

/** Whether a filtered record can have several records of the relation. */
function isMany(relation: Relation | null): boolean {
  return relation !== null && (relation.many || isMany(relation.above));
}
