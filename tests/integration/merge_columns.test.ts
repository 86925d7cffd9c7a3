/** Merging moves all that names an account or a contact: the declared references decide what that is. */
import assert from "node:assert/strict";
import { readAccountRow } from "../../src/customers/accounts/present.ts";
import { accountMembers } from "../../src/customers/accounts/record.ts";
import { readContactRow } from "../../src/customers/contacts/present.ts";
import { contactMembers } from "../../src/customers/contacts/record.ts";
import { References } from "../../src/db/references.ts";
import { noCompanyFields } from "../../src/fields/field_sets.ts";
import { movedColumns } from "../../src/integration/merges/moved_columns.ts";
import { mergeFields } from "../../src/integration/merges/take.ts";
import { listGivenColumns } from "../../src/records/members.ts";
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

Deno.test("a column that a change can set gets the other record's value where it has none", () => {
  const bare = { custom: "{}" };
  const fillRow = (columns: readonly string[]) => ({
    ...bare,
    ...Object.fromEntries(columns.map((column) => [column, "theirs"])),
  });
  const ofAccount = listGivenColumns(accountMembers, "change");
  const account = mergeFields(
    "account",
    noCompanyFields,
    readAccountRow(bare),
    readAccountRow(fillRow(ofAccount)),
    {},
  );
  assert.deepEqual(ofAccount.filter((column) => !(column in account.own)), []);
  // A merge of contacts leaves the one that stays in its account.
  const ofContact = listGivenColumns(contactMembers, "change").filter((column) => column !== "account_id");
  const contact = mergeFields(
    "contact",
    noCompanyFields,
    readContactRow(bare),
    readContactRow(fillRow(ofContact)),
    {},
  );
  assert.deepEqual(ofContact.filter((column) => !(column in contact.own)), []);
  assert.ok(ofAccount.length + ofContact.length > 4);
});
