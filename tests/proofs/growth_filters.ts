/**
 * Filters by every field of accounts and contacts, with every operator. A filter that selects twenty rows
 * must not take longer with more rows. Any other filter reads the rows that the other conditions leave, and
 * `scans.txt` records its time.
 */
import { type Field, listFields, type Operator, operators, type OwnField } from "./filters/fields.ts";
import { customField, madeAt, makeWord, toUuid } from "./grown_rows.ts";

export interface FilterRequest {
  readonly path: string;
  readonly name: string;
  readonly filter: readonly Condition[];
}

interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: unknown;
}

/** The group of the word that rows 420 to 439 share. */
const twenty = 21;
const [from, to] = [madeAt(401), madeAt(420)];

const makeFixed = (type: string, ...names: string[]): OwnField[] =>
  names.map((name, id) => ({ id, name, type, options: [] }));
const custom: OwnField[] = Object.entries(customField).map(([name, { type, option }], id) => ({
  id,
  name,
  type,
  options: option === null ? [] : [{ id: option }],
}));
const own = {
  account: {
    fixed: [
      ...makeFixed("text", "name", "address", "zip_code", "city", "state_region", "vat", "website"),
      { id: 9, name: "country", type: "single_choice", options: [{ id: "AT" }] },
    ],
    custom,
  },
  contact: {
    fixed: makeFixed("text", "salutation", "first_name", "last_name", "email", "phone_number", "title"),
    custom,
  },
};

/** Values that about twenty rows have. Fields that are not listed here have no value in so few rows. */
const rare: Readonly<Record<string, unknown>> = {
  "account.created_at": [from, to],
  "account.updated_at": ["2019-01-01 00:00:00", "2019-01-01 00:00:02"],
  "contact.created_at": [from, to],
  "contact.updated_at": [from, to],
  "contact.account.id": toUuid("account", 40),
  "contact.team_id": 52,
  "contact.status": "customer",
  "case.created_at": [from, to],
  "case.status": "declined",
  "case.lead_type_id": toUuid("lead_type", 1),
  "case.relations_path_id": toUuid("side_path", 0),
  "case.stock_vehicle.id": toUuid("task", 0),
  "case.milestones.id": toUuid("side_milestone", 0),
  "case.tasks.id": toUuid("task", 401),
  "lead.account_id": toUuid("account", 801),
  "lead.contact_id": toUuid("contact", 801),
  "lead.lead_type_id": toUuid("lead_type", 1),
  "lead.interest": makeWord(40),
  "lead.lead_source": "fair",
  "lead.team_id": 52,
};

/** Returns the filters whose growth is measured, and those that scan. */
export function customerFilters(): { selective: FilterRequest[]; scanning: FilterRequest[] } {
  const selective: FilterRequest[] = [];
  const scanning: FilterRequest[] = [];
  for (const root of ["account", "contact"] as const) {
    const below = root === "account" ? [] : ["account", "case", "lead", "product"] as const;
    for (const field of listFields([root, ...below], own).values()) {
      // Skips fields of consumers, and those without a kind: they are found in the same way as fields of
      // organisations.
      const isOwn = field.key.startsWith("fixed_fields.") || field.key.startsWith("custom_fields.");
      if (field.alias || field.kind === "b2c" || (isOwn && field.kind === null)) continue;
      for (const operator of operators[field.type]) {
        const path = `/v1/${root}s/filter`;
        const name = `${path} ${field.name} ${operator}`;
        const filter = selecting(field, operator);
        if (filter) selective.push({ path, name, filter });
        else {scanning.push({
            path,
            name,
            filter: [{ field: field.name, operator, value: pickAny(field, operator) }],
          });}
      }
    }
  }
  return { selective, scanning };
}

/**
 * Returns a filter with the operator that selects twenty rows, or null if the operator or the field has none.
 */
function selecting(field: Field, operator: Operator): Condition[] | null {
  const by = (operator: Operator, value: unknown): Condition => ({ field: field.name, operator, value });
  const value = pickRare(field);
  if (value === undefined) return null;
  if (Array.isArray(value)) {
    const [low, high] = value;
    if (operator === "eq") return [by("eq", low)];
    if (operator === "in") return [by("in", [low, high])];
    // Uses both ends of a range, as requests for a period do.
    if (operator === "gte" || operator === "lte") return [by("gte", low), by("lte", high)];
    return operator === "gt" || operator === "lt" ? [by("gt", low), by("lt", high)] : null;
  }
  if (operator === "eq") return [by("eq", value)];
  if (operator === "in") return [by("in", [value])];
  return operator === "sw" && field.type === "text" ? [by("sw", value)] : null;
}

function pickRare({ name, key, type, options }: Field): unknown {
  if (Object.hasOwn(rare, name)) return rare[name];
  if (key.startsWith("custom_fields.")) {
    const { value } = customField[key.slice("custom_fields.".length) as keyof typeof customField];
    return type === "text" ? makeWord(twenty) : value;
  }
  if (key === "fixed_fields.country") return options[0];
  return key.startsWith("fixed_fields.") ? makeWord(twenty) : undefined;
}

/** Returns an allowed value. */
function pickAny(field: Field, operator: Operator): unknown {
  if (operator === "exists") return true;
  const value = ofType(field);
  return operator === "in" || operator === "nin" ? [value] : value;
}

function ofType({ type, options }: Field): unknown {
  switch (type) {
    case "integer":
    case "number":
      return 7;
    case "boolean":
      return true;
    case "timestamp":
      return from;
    case "day":
      return from.slice(0, 10);
    case "choice":
    case "choices":
      return options[0];
    case "id":
      return toUuid("account", 40);
    case "reference":
      return toUuid("side_milestone", 0);
    case "text":
      return makeWord(twenty);
  }
}
