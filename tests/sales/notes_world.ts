/** A company with two teams in a group and one apart, and a customer with a case, for the tests of notes. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp, TestCompany } from "../support/app.ts";
import { nameFields } from "./leads_world.ts";

export interface Customer {
  readonly account_id: string;
  readonly contact_id: string;
  readonly case_id: string;
  readonly activity_id: string;
}

export interface NotesWorld {
  readonly company: TestCompany;
  readonly admin: Actor;
  readonly north: number;
  readonly outside: number;
  /** Members of the team north, of a team in its group, and of a team apart. */
  readonly member: Actor;
  readonly friend: Actor;
  readonly stranger: Actor;
  /** Created by the admin, for the team north by default. */
  customer(team?: number | null): Promise<Customer>;
}

export async function notesWorld(app: TestApp): Promise<NotesWorld> {
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [north, near] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const outside = await company.team();
  const path = await createRecord(admin, "/v1/relations-paths", {
    name: "Cars",
    activity_types: { milestones: [{ name: "Offer" }] },
  });
  return {
    company,
    admin,
    north,
    outside,
    member: await company.user({ teams: [north] }),
    friend: await company.user({ teams: [near] }),
    stranger: await company.user({ teams: [outside] }),
    async customer(team_id = north) {
      const account = await createRecord(admin, "/v1/accounts", {
        team_id,
        fixed_fields: nameFields({ name: "Ada Ltd" }),
      });
      const contact = await createRecord(admin, `/v1/accounts/${account.id}/contacts`, {
        fixed_fields: nameFields({ last_name: "Byron" }),
      });
      const sale = await createRecord(admin, "/v1/cases", {
        contact_id: contact.id,
        relations_path_id: path.id,
        team_id,
        user_id: (await company.user({ teams: team_id === null ? [] : [team_id] })).id,
      });
      const activity = await createRecord(admin, `/v1/cases/${sale.id}/activities`, {
        activity_type_ids: [path.activity_types.milestones[0].id],
      });
      return { account_id: account.id, contact_id: contact.id, case_id: sale.id, activity_id: activity.id };
    },
  };
}

export async function createRecord(actor: Actor, path: string, body: object): Promise<Body> {
  const reply = await actor.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

export const readCodes = (reply: { body: Body }) =>
  reply.body.errors.map(({ path, code }: Body) => `${path} ${code}`);
