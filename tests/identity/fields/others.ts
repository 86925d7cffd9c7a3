/** Fields of teams, groups, roles, applications and devices. */
import { choice, flag, freshEmail, id, type Need, phone, rule, text, unseen, url } from "./rules.ts";
import {
  type Fields,
  listAddressRules,
  listLocaleRules,
  listTimezoneRules,
  makeWorld,
  nothing,
  sendTo,
} from "./world.ts";

export const ofOthers: readonly Fields[] = [
  {
    operation: "createTeam",
    of: "a new team",
    success: 201,
    elsewhere: ["custom_fields"],
    async open(app) {
      const world = await makeWorld(app);
      const foreign = [await world.other.group(), nothing];
      return {
        rules: team("always", await world.company.group(), foreign),
        least: () => ({ name: "North" }),
        send: sendTo(world, "POST", "/v1/teams"),
      };
    },
  },
  {
    operation: "updateTeam",
    of: "a changed team",
    success: 200,
    elsewhere: ["custom_fields", "group"],
    async open(app) {
      const world = await makeWorld(app);
      const foreign = [await world.other.group(), nothing];
      return {
        rules: team("never null", await world.company.group(), foreign),
        least: () => ({}),
        send: sendTo(world, "PUT", `/v1/teams/${world.team}`),
      };
    },
  },
  {
    operation: "createGroup",
    of: "a new group",
    success: 201,
    async open(app) {
      const send = sendTo(await makeWorld(app), "POST", "/v1/groups");
      return {
        rules: [text("name", 255, { least: 1, need: "always" })],
        least: () => ({ name: "All" }),
        send,
      };
    },
  },
  {
    operation: "updateGroup",
    of: "a changed group",
    success: 200,
    async open(app) {
      const world = await makeWorld(app);
      const send = sendTo(world, "PUT", `/v1/groups/${await world.company.group()}`);
      return { rules: [text("name", 255, { least: 1, need: "never null" })], least: () => ({}), send };
    },
  },
  {
    operation: "createRole",
    of: "a new role",
    success: 201,
    async open(app) {
      const send = sendTo(await makeWorld(app), "POST", "/v1/roles");
      return { rules: role("always"), least: () => ({ name: freshEmail() }), send };
    },
  },
  {
    operation: "updateRole",
    of: "a changed role",
    success: 200,
    async open(app) {
      const world = await makeWorld(app);
      return {
        rules: role("never null"),
        least: () => ({}),
        send: sendTo(world, "PUT", `/v1/roles/${world.role}`),
      };
    },
  },
  ...(["createApplication", "updateApplication"] as const).map((operation): Fields => ({
    operation,
    of: operation === "createApplication" ? "a new application" : "a changed application",
    success: operation === "createApplication" ? 201 : 200,
    async open(app) {
      const { company } = await makeWorld(app);
      const token = await company.token(company.admin.id, true);
      const least = () => ({ name: "Website" });
      if (operation === "createApplication") {
        const send = (body: object) => app.call(token, "POST", "/v1/applications", body);
        return { rules: application("always"), least, send };
      }
      const { body: { client_id } } = await app.call(token, "POST", "/v1/applications", least());
      const send = (body: object) => app.call(token, "PUT", `/v1/applications/${client_id}`, body);
      return { rules: application("never null"), least: () => ({}), send };
    },
  })),
  {
    operation: "activateDevice",
    of: "the activation of a device",
    success: 204,
    async open(app) {
      const { company } = await makeWorld(app);
      const waiting = await company.deviceCode(1);
      return {
        rules: [
          rule("code", "integer", { need: "always" }, {}, ["10000001", 1.5, true, [waiting]], [
            {
              says: "a code without a waiting device is refused with exists",
              refused: [[10_000_002, "exists"]],
            },
            { says: "the code of a waiting device is accepted", taken: [[waiting, unseen]] },
          ]),
        ],
        least: () => ({}),
        send: (body) => company.admin.call("POST", "/v1/device-activation", body),
      };
    },
  },
];

function team(need: Need, group_id: number, foreign: readonly number[]) {
  return [
    text("name", 255, { least: 1, need }),
    ...listAddressRules(""),
    phone("phone_number"),
    url("website"),
    text("vat", 16),
    ...listTimezoneRules("", "UTC"),
    ...listLocaleRules("en-GB"),
    choice("team_type", ["dealer"], ["Dealer", "agency", ""]),
    id("group_id", "integer", group_id, foreign),
    flag("use_social_lookup"),
  ];
}

function application(need: Need) {
  return [
    text("name", 255, { least: 1, need }),
    url("redirect_uri", { hosts: false, refused: ["https://example.org/#part"] }),
  ];
}

function role(need: Need) {
  return [
    text("name", 255, { least: 1, need }),
    rule("rights", "array", { need: { cleared: [] } }, { maxItems: 500 }, ["agency", 7, { 0: "agency" }], [
      {
        says: "assignable rights are accepted, also repeated, at most 500",
        taken: [[["agency"], ["agency"]], [Array(500).fill("agency"), ["agency"]], [[], []]],
        refused: [[Array(501).fill("agency"), "max"]],
      },
      {
        says: "unknown names are refused with enum, other types with type",
        refused: [[["agency", "magic"], "enum", "rights[1]"], [[7], "type", "rights[0]"]],
      },
    ]),
  ];
}
