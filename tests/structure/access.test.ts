/** Who sees and who may write a record is decided in few files, which everything else asks. */
import assert from "node:assert/strict";
import { readSources } from "./imports.ts";

/** The files that compare the teams or groups of a caller, and what they decide. */
const deciders: Readonly<Record<string, string>> = {
  "src/core/access.ts": "who sees records of teams and leads, and where records are placed",
  "src/fields/custom_fields.ts": "who sees a custom field",
  "src/fields/field_sets.ts": "whose order of fields applies",
  "src/identity/owners.ts": "who owns, sees and writes what belongs to the company, a group or a team",
  "src/identity/permissions.ts": "how far the permissions of a type of user reach",
  "src/identity/teams/create.ts": "in which groups a group admin makes teams",
  "src/identity/users/address.ts": "who may replace the address of a user: who has all that the user has",
  "src/integration/explain/access.ts": "which rule shows a record; the answer itself is that of GET",
  "src/library/place.ts": "who reads and writes a place of files",
  "src/sales/leads/access.ts": "who works on a lead",
  "src/sales/leads/body.ts": "to which teams a lead is given",
  "src/console/lead/summary.ts": "which buttons of a lead are shown",
};

Deno.test("teams and groups of a caller are compared in listed files alone", () => {
  const found = readSources(new URL("../../", import.meta.url))
    .filter(({ text }) => /\b(?:visibleTeamIds|teamIds|groupIds)\.includes\(|\.kept_for === /.test(text))
    .map(({ path }) => path);
  assert.deepEqual(found, Object.keys(deciders).sort());
});
