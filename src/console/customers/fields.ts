/** The fields of the filter builder: those of the API by the names of the console, which mean both kinds of customers. */
import { nameCountry } from "../parts/labels.ts";
import type { Choice } from "../forms.tsx";
import type { Visit } from "../visit.ts";
import type { Kind } from "./kinds.ts";

/** A field as the API describes it. */
interface Described {
  readonly field: string;
  readonly label: string;
  readonly group: string;
  readonly type: "text" | "number" | "date" | "timestamp" | "boolean" | "choice" | "id";
  readonly operators: readonly string[];
  readonly options: readonly { readonly id: string; readonly value: string }[] | null;
  readonly deprecated: boolean;
}

export interface BuilderField {
  /** The value of its option, such as `contact.last_name`. */
  readonly name: string;
  /** The names of the API that it means: a record has the value in one of them. */
  readonly names: readonly string[];
  readonly label: string;
  readonly group: string;
  readonly type: Described["type"];
  /** Operators of the builder, in its order. */
  readonly operators: readonly string[];
  /** Null for values that are typed. */
  readonly choices: readonly Choice[] | null;
}

/** The operators of the builder, in the order in which it offers them. */
export const builderOperators = [
  "eq",
  "neq",
  "ct",
  "nct",
  "sw",
  "ew",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
  "exists",
  "not_exists",
] as const;

/** Reads the fields that the person may filter by. */
export async function readBuilderFields(visit: Visit, kind: Kind): Promise<readonly BuilderField[]> {
  const operation = kind === "contacts" ? "listContactFilterFields" : "listAccountFilterFields";
  const { data } = await visit.call<{ data: readonly Described[] }>(operation);
  const own = kind === "contacts" ? "contact" : "account";
  const fields = data.map((field) => makeBuilderField(visit, field)).filter((field) => field !== null);
  // What people filter by most comes first: the records of the list.
  return fields.toSorted((one, other) => rankField(one, own) - rankField(other, own));
}

function rankField({ name }: BuilderField, own: string): number {
  if (name.startsWith(`${own}.`)) return 0;
  return /^(?:contact|account)\./.test(name) ? 1 : /^b2[bc]_/.test(name) ? 3 : 2;
}

function makeBuilderField(visit: Visit, field: Described): BuilderField | null {
  const named = /^(contact|account)\.(fixed|custom)_fields\.(.+)$/s.exec(field.field);
  const [, owner, values, rest] = named ?? [];
  const isBoth = owner === "contact";
  // Other deprecated names have a better one.
  if (field.deprecated && !isBoth) return null;
  const operators = new Set<string>([...field.operators, "not_exists"]);
  return {
    name: named ? `${owner}.${values === "custom" ? "custom." : ""}${rest}` : field.field,
    names: isBoth ? ["b2b", "b2c"].map((one) => `${one}_${owner}.${values}_fields.${rest}`) : [field.field],
    label: chooseLabel(visit, field),
    group: visit.texts.filter.groups[field.group] ?? field.group,
    type: field.type,
    operators: builderOperators.filter((operator) => operators.has(operator)),
    choices: listChoices(visit, field),
  };
}

function chooseLabel({ texts }: Visit, { field, group, label }: Described): string {
  const rest = field.slice(group.length + 1);
  const fixed = /^fixed_fields\.(.+)$/.exec(rest);
  if (fixed) return texts.fixedFields[fixed[1]!] ?? label;
  const consent = /^consent\.(\w+)\.(.+)$/.exec(rest);
  if (consent) {
    const channels: Readonly<Record<string, string>> = texts.customers.consentChannels;
    return texts.filter.consent(channels[consent[1]!] ?? consent[1]!, consent[2] === "updated_at");
  }
  return rest.startsWith("custom_fields.") ? label : texts.filter.names[rest] ?? label;
}

function listChoices(visit: Visit, { field, group, type, options }: Described): readonly Choice[] | null {
  const { texts } = visit;
  if (type === "boolean") return [{ value: "true", text: texts.yes }, { value: "false", text: texts.no }];
  if (!options) return null;
  if (field.endsWith("fixed_fields.country")) {
    return options.map(({ id, value }) => ({ value: id, text: nameCountry(visit, id, value) }));
  }
  const rest = field.slice(group.length + 1);
  const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "contact.status": texts.customers.statuses,
    "lead.status": texts.leads.statuses,
    "case.status": texts.cases.statuses,
    "case.milestones.type": texts.cases.statuses,
    "case.tasks.type": texts.tasks.types,
    "case.tasks.status": texts.filter.taskStatuses,
  };
  const words = named[`${group}.${rest}`] ?? {};
  return options.map(({ id, value }) => ({ value: id, text: words[id] ?? value }));
}
