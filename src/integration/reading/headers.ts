/** Compares the names of columns with those of fields. */
import { simplifyName } from "../../core/text.ts";

/** A field that a column can be mapped to. */
export interface Mappable {
  readonly name: string;
  readonly label: string;
}

/**
 * Maps columns to fields by name, else by label. A field is mapped once, to the first column that names it;
 * other columns are null.
 */
export function proposeMapping(
  columns: readonly string[],
  fields: readonly Mappable[],
): Record<string, string | null> {
  const byName = firstBy(fields, ({ name }) => simplifyName(name));
  const byLabel = firstBy(fields, ({ label }) => simplifyName(label));
  const used = new Set<string>();
  return Object.fromEntries(columns.map((column) => {
    const plain = simplifyName(column);
    const field = [byName.get(plain), byLabel.get(plain)].find((each) => each && !used.has(each.name));
    if (field) used.add(field.name);
    return [column, field?.name ?? null];
  }));
}

function firstBy(fields: readonly Mappable[], makeKey: (field: Mappable) => string): Map<string, Mappable> {
  return new Map(fields.toReversed().map((field) => [makeKey(field), field]));
}
