import assert from "node:assert/strict";
import { filterFields } from "../../src/app.ts";
import { buildCatalogue } from "../../src/customers/filter_catalogue.ts";
import type { Viewer } from "../../src/db/context.ts";
import { noCompanyFields } from "../../src/fields/field_sets.ts";
import type { Catalogue } from "../../src/filters/fields.ts";
import { makeLeadCatalogue } from "../../src/sales/leads/filter_fields.ts";
import { startApp } from "../support/app.ts";

const viewer: Viewer = {
  at: "2026-03-02 09:00:00",
  fields: noCompanyFields,
  caller: {
    tokenId: "",
    clientId: "",
    trusted: false,
    companyId: 0,
    userId: 0,
    userType: "admin",
    rights: new Set(),
    teamIds: [],
    groupIds: [],
    visibleTeamIds: [],
    activeTeamId: null,
  },
};

const catalogues: readonly (readonly [kind: string, catalogue: Catalogue])[] = [
  ["contacts", buildCatalogue(viewer, "contact", filterFields)],
  ["accounts", buildCatalogue(viewer, "account", filterFields)],
  ["leads", makeLeadCatalogue(viewer)],
];

Deno.test("every filter field of known choices refuses a misspelt one and names the choices", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const [kind, catalogue] of catalogues) {
    const names = catalogue.names().filter((name) => catalogue.field(name)!.choices);
    // Each status and type is one of a few words; that of a lead type is a name.
    const few = catalogue.names().filter((name) => /\.(status|type|country)$/.test(name));
    assert.deepEqual(few.filter((name) => !names.includes(name)), [], kind);
    assert.ok(names.includes("lead.status"), kind);
    const conditions = names.flatMap((field) => [
      { field, operator: "eq", value: "asigned" },
      { field, operator: "nin", value: [[...catalogue.field(field)!.choices!][0], "asigned"] },
    ]);
    const reply = await admin.call("POST", `/v1/${kind}/filter`, { filter: conditions });
    assert.equal(reply.status, 422, reply.text);
    const expected = conditions.map(({ operator }, at) =>
      `filter[${at}].value${operator === "nin" ? "[1]" : ""} enum`
    );
    const faults = reply.body.errors.map(({ path, code }: { path: string; code: string }) =>
      `${path} ${code}`
    );
    assert.deepEqual(faults, expected.slice(0, faults.length));
    assert.equal(faults.length, Math.min(expected.length, 100), kind);
  }
  const status = { field: "lead.status", operator: "eq", value: "asigned" };
  const reply = await admin.call("POST", "/v1/leads/filter", { filter: [status] });
  assert.match(reply.body.errors[0].message, /assigned/);
});

Deno.test("a choice that is text compares without case, and parts of it are any text", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const [operator, value] of [["eq", "ASSIGNED"], ["sw", "ass"], ["ct", "gn"], ["in", ["Rejected"]]]) {
    const filter = [{ field: "lead.status", operator, value }];
    const reply = await admin.call("POST", "/v1/leads/filter", { filter });
    assert.equal(reply.status, 200, reply.text);
  }
});
