/** Limits of a company's field definitions: their number, and their size in each record. */
import { sql } from "../../db/statements.ts";
import { countBytes, counts, linksBudget, partBudgets } from "../../core/budgets.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { type CustomField, isChoice } from "../../fields/custom_fields.ts";
import type { OwnerType } from "../../fields/fixed_fields.ts";
import { frameSize } from "../../fields/frames.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";

/** The path in the request that an error names when a definition exceeds a limit. */
type Path = "label" | "value" | "links";

/**
 * Throws 422 `max` when the created or updated field exceeds a limit together with the others. `before` is
 * null for a new field. A company that already exceeds a limit may still make changes that add nothing to it.
 */
export function checkDefinitions(
  all: Fields,
  before: CustomField | null,
  after: CustomField,
  path: Path,
): void {
  const kind = after.owner_type;
  const others = all[kind].custom.filter(({ id }) => id !== after.id);
  const own = before ? [before] : [];
  const findExcess = (
    measure: (field: CustomField) => number,
    among: readonly CustomField[],
    budget: number,
  ) => {
    const taken = sum(among, measure);
    const size = taken + measure(after);
    return size > budget && size > taken + sum(own, measure) ? size : null;
  };
  const refuse = (message: string) => invalid(fieldError(path, "max", message));

  if (findExcess(() => 1, others, counts.fields) !== null) {
    throw refuse(`At most ${counts.fields} custom fields of a kind of record.`);
  }
  if (findExcess(countOptions, [], counts.options) !== null) {
    throw refuse(`At most ${counts.options} options of a field.`);
  }
  const ofCompany = Object.values(all).flatMap(({ custom }) => custom).filter(({ id }) => id !== after.id);
  if (findExcess(countOptions, ofCompany, counts.companyOptions) !== null) {
    throw refuse(`At most ${counts.companyOptions} options of all fields of a company.`);
  }
  const size = findExcess((field) => measureField(field, kind), others, partBudgets.definitions);
  if (size !== null) {
    throw refuse(
      `The custom fields with their options would take ${size} bytes of each ${kind}; ` +
        `at most ${partBudgets.definitions}.`,
    );
  }
  const links = findExcess(measureLinks, others, linksBudget);
  if (links !== null) {
    throw refuse(`The links of the fields would take ${links} bytes together; at most ${linksBudget}.`);
  }
}

/** Rejects the batch when a field of the company was created, updated or deleted since they were read. */
export function guardDefinitions(companyId: number, all: Fields): Statement {
  const read = Object.values(all).flatMap(({ custom }) => custom);
  // Row ids are never reused and versions only rise, so no two states have the same three values.
  const state = [
    read.length,
    sum(read, ({ version }) => version),
    Math.max(0, ...read.map(({ seq }) => seq)),
  ];
  return guardThat(
    "definitions",
    sql`(select json_array(count(*), coalesce(sum(version), 0), coalesce(max(seq), 0)) from fields
    where company_id = ${companyId} and deleted_at is null) = ${JSON.stringify(state)}`,
  );
}

function countOptions({ options }: CustomField): number {
  return options.length;
}

function measureField(field: CustomField, kind: OwnerType): number {
  const { is_hidden: hidden, is_read_only: read_only } = field;
  const options = isChoice(field.type) ? field.options : null;
  return frameSize({ ...field, hidden, read_only, options }, kind === "product");
}

function measureLinks({ links }: CustomField): number {
  return links.length === 0 ? 0 : countBytes(JSON.stringify(links));
}

function sum(fields: readonly CustomField[], measure: (field: CustomField) => number): number {
  return fields.reduce((total, field) => total + measure(field), 0);
}
