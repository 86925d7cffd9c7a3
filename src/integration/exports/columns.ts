/** The columns of a file: those of imports, and some that imports do not set. */
import { fieldError, invalid } from "../../core/errors.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { type Column, describeColumns, findColumn } from "../columns/catalogue.ts";
import type { ImportEntity } from "../columns/entities.ts";

/** Columns that an import cannot set. */
const furtherNames = ["id", "status", "updated_at", "user", "team"];

function further(name: string): Column | null {
  if (!furtherNames.includes(name)) return null;
  return {
    name,
    label: name,
    type: name === "updated_at" ? "timestamp" : "text",
    required: false,
    source: { kind: "property", of: "self", property: name },
  };
}

/** Returns the columns of the names; null in the place of one that there is not. */
export function findColumns(
  entity: ImportEntity,
  fields: Fields,
  names: readonly string[],
): (Column | null)[] {
  const known = describeColumns(entity, fields);
  return names.map((name) => findColumn(known, name) ?? further(name));
}

/** Throws 422 for a name that no column has. */
export function checkColumns(entity: ImportEntity, fields: Fields, names: readonly string[]): void {
  const errors = findColumns(entity, fields, names).flatMap((column, place) =>
    column ? [] : [fieldError(`columns[${place}]`, "unknown_field", `There is no column ${names[place]}.`)]
  );
  if (errors.length > 0) throw invalid(...errors);
}

/**
 * Returns what an import can set without people, without a column that says the same as others. `keys`: those of the
 * data of leads.
 */
export function chooseUsualColumns(entity: ImportEntity, fields: Fields, keys: readonly string[]): Column[] {
  return describeColumns(entity, fields).flatMap((column) => {
    const { source } = column;
    switch (source.kind) {
      case "full_name":
        return [];
      case "custom":
        return source.field.team_id === null && source.field.group_id === null ? [column] : [];
      case "fixed":
        return entity === "contacts" && source.of === "account" && source.field.name !== "name"
          ? []
          : [column];
      case "lead_data":
        return keys.map((key): Column => ({
          ...column,
          name: `lead_data.${key}`,
          label: key,
          source: { kind: "lead_data", of: "self", key },
        }));
      default:
        return [column];
    }
  });
}
