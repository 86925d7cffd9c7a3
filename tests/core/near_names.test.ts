import assert from "node:assert/strict";
import { findNearestNames, findNearName } from "../../src/core/near_names.ts";

const known = ["HOST", "PORT", "DATABASE_URL", "DATABASE_AUTH_TOKEN", "MAIL_URL", "MAIL_FROM"];

Deno.test("a misspelled name is found: a swap, a letter too many or too few, another case", () => {
  const cases = {
    DATBASE_URL: "DATABASE_URL",
    DATABSAE_URL: "DATABASE_URL",
    DATABASE_URLS: "DATABASE_URL",
    DATABASEURI: "DATABASE_URL",
    database_url: "DATABASE_URL",
    MAIL_FORM: "MAIL_FROM",
    MAILURL: "MAIL_URL",
    PROT: "PORT",
    port: "PORT",
  };
  for (const [typed, meant] of Object.entries(cases)) assert.equal(findNearName(typed, known), meant, typed);
});

Deno.test("a known name, and one that is close to none, is not reported", () => {
  for (const name of [...known, "HOME", "HOSTNAME", "POSTS", "PATH", "MAIL", "DATABASE", "URL", "", "PO"]) {
    assert.equal(findNearName(name, known), null, name);
  }
});

Deno.test("the closest names come first: those that contain the name, then by steps, without case", () => {
  const names = ["contact.status", "contact.name", "account.name", "account.fixed_fields.city"];
  assert.deepEqual(findNearestNames("CITY", names, 1), ["account.fixed_fields.city"]);
  assert.deepEqual(findNearestNames("contact.stats", names, 2), ["contact.status", "contact.name"]);
  assert.deepEqual(findNearestNames("", names, 9).length, 4);
  assert.deepEqual(findNearestNames("x", [], 9), []);
});
