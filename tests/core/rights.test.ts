import assert from "node:assert/strict";
import { listRightsInForce, type Right, rights, userTypes } from "../../src/core/rights.ts";

const defaults = [
  "customers.create",
  "customers.update",
  "cases.create",
  "cases.update",
  "leads.create",
  "templates.manage",
  "reports.view",
  "notifications.send",
];

Deno.test("the catalogue of rights is unchanged", () => {
  const shown = Object.entries(rights).map((
    [name, { group, default: given, assignable, dependencies, user_types }],
  ) => [name, group, given, assignable, dependencies.join(" "), (user_types ?? []).join(" ")].join("|"));
  assert.deepEqual(shown, [
    "customers.create|customers|true|true||",
    "customers.update|customers|true|true||",
    "customers.delete|customers|false|true|customers.update|",
    "cases.create|cases|true|true||",
    "cases.update|cases|true|true||",
    "leads.create|leads|true|true||",
    "leads.delete|leads|false|true|leads.create|",
    "agency|leads|false|true||",
    "products.manage|products|false|true||",
    "templates.manage|messages|true|true||",
    "campaigns.manage|messages|false|true||",
    "campaigns.send|messages|false|true|campaigns.manage|",
    "automations.manage|messages|false|true||admin group_admin team_admin",
    "files.publish|files|false|true||",
    "reports.view|reports|true|true||",
    "reports.export|reports|false|true|reports.view|",
    "reports.schedule|reports|false|true|reports.view|",
    "ranks.manage|gamification|false|true||admin group_admin team_admin",
    "notifications.send|notifications|true|true||",
    "webhooks.manage|integration|false|true||",
    "imports.manage|integration|false|true||",
    "applications.manage|integration|false|true||admin",
    "admin|administration|false|false||admin",
  ]);
});

Deno.test("an admin has every right, independent of roles", () => {
  assert.deepEqual(listRightsInForce("admin", []), Object.keys(rights));
});

Deno.test("a user of any type without roles has the default rights", () => {
  for (const type of ["user", "team_admin", "group_admin"] as const) {
    assert.deepEqual(listRightsInForce(type, []), defaults);
  }
});

Deno.test("a right from a role counts only where its user types and dependencies allow it", () => {
  const cases: [keyof typeof userTypes, string[], Right[]][] = [
    ["user", ["agency"], ["agency"]],
    ["user", ["customers.delete"], ["customers.delete"]],
    ["user", ["campaigns.send"], []],
    ["user", ["campaigns.send", "campaigns.manage"], ["campaigns.manage", "campaigns.send"]],
    ["user", ["automations.manage", "ranks.manage"], []],
    ["team_admin", ["automations.manage", "ranks.manage"], ["automations.manage", "ranks.manage"]],
    ["group_admin", ["automations.manage"], ["automations.manage"]],
    ["group_admin", ["applications.manage", "admin"], []],
    ["user", ["no such right", "agency", "agency"], ["agency"]],
  ];
  for (const [type, given, expected] of cases) {
    const beyond = listRightsInForce(type, given).filter((name) => !defaults.includes(name));
    assert.deepEqual(beyond, expected, `${type} ${given}`);
  }
});
