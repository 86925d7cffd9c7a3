/** What the revert of an import compares: a record stays when somebody has changed what bodies set. */
import assert from "node:assert/strict";
import { readAccountRow } from "../../src/customers/accounts/present.ts";
import { accountMembers } from "../../src/customers/accounts/record.ts";
import { readContactRow } from "../../src/customers/contacts/present.ts";
import { contactMembers } from "../../src/customers/contacts/record.ts";
import {
  hashOwnValues,
  markOfCategory,
  markOfLead,
  markOfProduct,
  pickOwnColumns,
  pickOwnValues,
} from "../../src/integration/imports/own_values.ts";
import type { Row } from "../../src/platform/database/database.ts";
import { optionalFlag, optionalLine, requiredLine } from "../../src/records/kinds.ts";
import { listGivenColumns } from "../../src/records/members.ts";
import { categoryMembers, type CategoryRow } from "../../src/sales/categories/record.ts";
import type { LeadRecord } from "../../src/sales/leads/parts.ts";
import { leadMembers } from "../../src/sales/leads/record.ts";
import { type ProductFacts, productMembers } from "../../src/sales/products/record.ts";

interface Kind {
  readonly members: object;
  readonly mark: (row: Row) => string;
  /** The mark that the first version stores for a record with a name alone. */
  readonly first: string;
}

const kinds: Readonly<Record<string, Kind>> = {
  accounts: {
    members: accountMembers,
    mark: (row) => hashOwnValues("accounts", readAccountRow({ custom: "{}", ...row })),
    first: "951db450bbd997e25cfb1f5b5616f689",
  },
  contacts: {
    members: contactMembers,
    mark: (row) => hashOwnValues("contacts", readContactRow({ custom: "{}", ...row })),
    first: "d440dd8993243f247578a18646f61ef4",
  },
  products: {
    members: productMembers,
    mark: (row) => {
      const product: Partial<ProductFacts> = { custom: "{}", categories: [], related: [], ...row };
      return markOfProduct(product as ProductFacts);
    },
    first: "93ab2278edec1829e7222363bf4240d8",
  },
  categories: {
    members: categoryMembers,
    mark: (row) => markOfCategory(row as CategoryRow),
    first: "88bab6d8f6dc68a877064d584cbb5b6c",
  },
  leads: {
    members: leadMembers,
    mark: (row) =>
      markOfLead(
        {
          row: row as LeadRecord["row"],
          transitions: [] as LeadRecord["transitions"],
        } as LeadRecord,
      ),
    first: "7f94d70ba1de583c0c16f01a989ced11",
  },
};

/** Columns that bodies set, and that a mark leaves out: no change sets the first, moves of a lead show the second. */
const unmarked = new Set(["created_at", "leads.team_id"]);

Deno.test("a change of any column that bodies set changes the mark of an imported record", () => {
  const missing = Object.entries(kinds).flatMap(([kind, { members, mark }]) =>
    listGivenColumns(members, "create", "change").filter((column) =>
      !unmarked.has(column) && !unmarked.has(`${kind}.${column}`) &&
      mark({ [column]: "new" }) === mark({})
    ).map((column) => `${kind}.${column}`)
  );
  assert.deepEqual(missing, []);
});

Deno.test("the marks that the first version has stored stay valid", () => {
  for (const [kind, { mark, first }] of Object.entries(kinds)) {
    assert.equal(mark({ name: "Ada" }), first, kind);
  }
});

Deno.test("a member of a later version is in a mark once it has another value than it begins with", () => {
  const members = { name: requiredLine(255), vip: optionalFlag(), note: optionalLine(255) };
  const own = pickOwnColumns(members, ["name"]);
  assert.deepEqual(pickOwnValues({ name: "Ada", vip: 0, note: null }, own), { name: "Ada" });
  assert.deepEqual(pickOwnValues({ name: "Ada", vip: 1, note: null }, own), { name: "Ada", vip: 1 });
  assert.deepEqual(pickOwnValues({ name: "Ada", vip: 0, note: "x" }, own), { name: "Ada", note: "x" });
});
