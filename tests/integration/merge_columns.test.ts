/** Merging moves all that names an account or a contact: the declared references decide what that is. */
import assert from "node:assert/strict";
import { movedColumns } from "../../src/integration/merges/moved_columns.ts";
import { References } from "../../src/db/references.ts";
import { references } from "../../src/schema.ts";

/** Columns whose rows the merge writes anew with the record, or that are its own. */
const others = new Set([
  "custom_values.owner",
  "merges.entity_id",
  "merges.from_id",
  "merges.root_id",
  "merged_records.from_id",
  "merged_records.into_id",
]);

Deno.test("a merge knows every column that names an account or a contact", () => {
  const declared = references.flatMap((each: References) =>
    Object.entries(each.columns).flatMap(([column, names]) =>
      typeof names === "object" && ("account" in names || "contact" in names)
        ? [`${each.table}.${column}`]
        : []
    )
  );
  const known = Object.entries(movedColumns).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`)
  );
  assert.deepEqual(declared.filter((column) => !others.has(column)).toSorted(), known.toSorted());
});
