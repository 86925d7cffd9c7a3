/** What causes the events of products, teams and users. */
import type { EventName } from "../../../src/core/events.ts";
import type { Body } from "../../support/app.ts";
import { makeFile, makeMultipart, makePng } from "../../support/pictures.ts";
import { nameFields } from "../../sales/leads_world.ts";
import { call, createContact, listMilestones, makeFirm, makePerson, planned } from "./records.ts";
import type { Causes, EventsWorld } from "./world.ts";

async function product({ make, admin, custom }: EventsWorld, more: object = {}): Promise<Body> {
  const body = { fixed_fields: nameFields({ name: "Van" }), custom_fields: custom.product, ...more };
  return await make(admin, "/v1/products", body);
}

async function team({ make, admin, custom }: EventsWorld): Promise<Body> {
  return await make(admin, "/v1/teams", { name: "Bremen", team_type: "dealer", custom_fields: custom.team });
}

let newcomers = 0;
const newcomer = (more: object = {}) => ({
  first_name: "Grace",
  last_name: "Hopper",
  email: `grace-${++newcomers}@example.org`,
  password: "correct horse battery",
  ...more,
});

async function user({ make, admin, company: { id }, dealer }: EventsWorld): Promise<Body> {
  return await make(admin, `/v1/companies/${id}/users`, newcomer({ team_ids: [dealer] }));
}

export const company = {
  product_created: {
    "a product is made": ({ admin, custom }) => {
      const body = { fixed_fields: nameFields({ name: "Van" }), custom_fields: custom.product };
      return call([admin, "POST", "/v1/products", body]);
    },
  },
  product_updated: {
    "a product changes": async (world) => {
      const body = { fixed_fields: nameFields({ name: "Car", list_price: 19_900.5 }) };
      return call([world.admin, "PUT", `/v1/products/${(await product(world)).id}`, body]);
    },
  },
  product_deleted: {
    "a product is deleted": async (world) => {
      const path = `/v1/products/${(await product(world)).id}`;
      return call([world.admin, "DELETE", path], [], [path]);
    },
  },
  team_created: {
    "a team is made": ({ admin, custom }) =>
      call([admin, "POST", "/v1/teams", { name: "Kiel", custom_fields: custom.team }]),
  },
  team_updated: {
    "a team changes": async (world) =>
      call([world.admin, "PUT", `/v1/teams/${(await team(world)).id}`, { city: "Bremen" }]),
    "a team joins a group": async (world) => {
      const group = await world.company.group();
      return call([world.admin, "PUT", `/v1/groups/${group}/teams/${(await team(world)).id}`]);
    },
    "a group is deleted": async (world) => {
      const group = await world.company.group();
      const teams = [await team(world), await team(world)];
      for (const { id } of teams) await world.admin.call("PUT", `/v1/groups/${group}/teams/${id}`);
      return call([world.admin, "DELETE", `/v1/groups/${group}`], ["team_updated"]);
    },
    "a team leaves its group": async (world) => {
      const group = await world.company.group();
      const { id } = await team(world);
      await world.admin.call("PUT", `/v1/groups/${group}/teams/${id}`);
      return call([world.admin, "DELETE", `/v1/groups/${group}/teams/${id}`]);
    },
  },
  team_deleted: {
    "a team is deleted, with members who alone see a field of it": async (world) => {
      const { make, admin, company, member, dealer } = world;
      const { id } = await team(world);
      const label = `Of team ${id}`;
      const { name } = await make(admin, "/v1/fields/team", { label, type: "text", team_id: id });
      const path = `/v1/teams/${id}`;
      await admin.call("PUT", path, { custom_fields: [{ name, value: "Ours" }] });
      const address = `/v1/companies/${company.id}/users/${member.id}`;
      await admin.call("PUT", address, { team_ids: [dealer, id] });
      return call([admin, "DELETE", path], ["user_updated"], [path]);
    },
    "a team is deleted, and another takes what it has": async (world) => {
      const { make, admin, company, dealer, path: relations_path_id } = world;
      const { id: team_id } = await team(world);
      const user_id = (await company.user({ teams: [team_id] })).id;
      const { id } = await make(admin, "/v1/accounts", { team_id, ...makePerson(), ...makeFirm() });
      const { id: contact_id } = await make(admin, `/v1/accounts/${id}/contacts`, makePerson());
      await make(admin, "/v1/cases", { contact_id, relations_path_id, team_id, user_id });
      await make(admin, "/v1/leads", world.body({ team_id }));
      const path = `/v1/teams/${team_id}`;
      return call([admin, "DELETE", `${path}?assign_to=${dealer}`], [
        "user_updated",
        "account_updated",
        "case_updated",
        "lead_updated",
      ], [path]);
    },
    "a team is deleted": async (world) => {
      const path = `/v1/teams/${(await team(world)).id}`;
      return call([world.admin, "DELETE", path], [], [path]);
    },
  },
  user_created: {
    "a user is made": ({ admin, company: { id }, dealer }) =>
      call([admin, "POST", `/v1/companies/${id}/users`, newcomer({ team_ids: [dealer] })]),
    "an invitation is accepted": async ({ app, admin, make, company: { id }, dealer }) => {
      const body = newcomer();
      const { invite_token } = await make(admin, `/v1/companies/${id}/invitations`, {
        email: body.email,
        team_ids: [dealer],
      });
      const client = await app.trustedClient();
      const run = () => app.call(client, "POST", `/v1/companies/${id}/users/${invite_token}`, body);
      return { by: null, maker: admin, run, also: [], gone: [] };
    },
  },
  user_updated: {
    "a user changes": async (world) => {
      const { id } = await user(world);
      const path = `/v1/companies/${world.company.id}/users/${id}`;
      return call([world.admin, "PUT", path, { job_title: "Admiral", team_ids: [world.dealer, world.far] }]);
    },
    "a user leaves the active team": ({ member }) =>
      call([member, "PUT", "/v1/switch-team", { team_id: null }]),
    "a user gets a picture": async (world) => {
      const { id } = await user(world);
      const picture = await makeMultipart({ profile_picture: makeFile("me.png", makePng(20, 30)) });
      return call([world.admin, "POST", `/v1/users/${id}/profile-picture`, picture]);
    },
  },
  user_deleted: {
    "a user is deleted, and another takes what is open": async (world) => {
      const { make, admin, company, dealer, member, path: relations_path_id } = world;
      const { id: user_id } = await user(world);
      const { id: contact_id } = await createContact(world);
      const { id } = await make(admin, "/v1/cases", {
        contact_id,
        relations_path_id,
        user_id,
        team_id: dealer,
      });
      const body = {
        activity_type_ids: (await listMilestones(world)).slice(0, 1),
        task: { ...planned, user_id },
      };
      await make(member, `/v1/cases/${id}/activities`, body);
      const path = `/v1/companies/${company.id}/users/${user_id}`;
      return call([admin, "DELETE", `${path}?assign_to=${member.id}`], ["case_updated", "task_updated"], [
        path,
      ]);
    },
    "a user is deleted": async (world) => {
      const path = `/v1/companies/${world.company.id}/users/${(await user(world)).id}`;
      return call([world.admin, "DELETE", path], [], [path]);
    },
  },
} satisfies Partial<Record<EventName, Causes>>;
