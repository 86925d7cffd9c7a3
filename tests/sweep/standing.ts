/** The callers of the matrix, and the records that they call about, by the team of these records. */
import assert from "node:assert/strict";
import { findRightEntry, type Right } from "../../src/core/rights.ts";
import type { World } from "../sales/leads_world.ts";
import type { TestApp, TestCompany } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";
import type { Who } from "./matrix.ts";
import {
  fill,
  followUp,
  indicatorSet,
  makeRank,
  nameFields,
  type Place,
  sentTo,
  waitingSend,
  writeStreamEvent,
} from "./place.ts";

/** The owners of the records that a call is about. */
export const places = ["own", "group", "other", "shared"] as const;
export type Where = typeof places[number];

export interface Somebody {
  readonly token: string | null;
  /** The caller's user; the admin for callers without a user. */
  readonly id: number;
}

export type Callers = Readonly<Record<Who, Somebody>>;

export interface Standing {
  readonly at: Readonly<Record<Where, Place>>;
  readonly teams: Readonly<Record<"own" | "near" | "far", number>>;
  /**
   * Returns the callers: with a role that gives the right, and with tokens of trusted clients, if asked for.
   */
  callers(right: Right | null, trusted: boolean): Promise<Callers>;
  /** Sets whether teams and groups may write relations paths. */
  allow(allowed: boolean): Promise<void>;
}

export async function stand(app: TestApp): Promise<Standing> {
  const own = await fill(app);
  const { make, ids } = own;
  const dealer = { team_type: "dealer" };
  const south = (await make("/v1/groups", { name: "South" })).id;
  const near = (await make("/v1/teams", { name: "Near", group_id: ids.group_id, ...dealer })).id;
  const far = (await make("/v1/teams", { name: "Far", group_id: south, ...dealer })).id;
  const teams = { own: ids.team_id, near, far };
  const client = await clientToken(app);
  const other = await app.company("Other");
  // Every company that sends campaigns has these settings.
  const settings = { domain_slug: `other-${other.id}` };
  assert.equal((await other.admin.call("PUT", "/v1/campaigns/settings", settings)).status, 200);
  const made = new Map<string, Promise<Callers>>();
  return {
    teams,
    at: {
      own: await makeRecords(own, ids.team_id, ids.group_id),
      group: await makeRecords(own, near, ids.group_id),
      other: await makeRecords(own, far, south),
      shared: await makeRecords(own, null, ids.group_id),
    },
    callers(right, trusted) {
      const key = `${right} ${trusted}`;
      const known = made.get(key) ??
        makeCallers(own.world.company, teams.own, right, trusted, {
          client,
          trusted: own.trusted,
          other,
          call: app.call,
        });
      made.set(key, known);
      return known;
    },
    async allow(allowed) {
      const reply = await app.call(own.trustedAdmin, "PUT", `/v1/companies/${ids.company_id}/settings`, {
        teams_can_create_relations_paths: allowed,
        groups_can_create_relations_paths: allowed,
      });
      assert.equal(reply.status, 200, reply.text);
    },
  };
}

/** An ordinary client of no company, by its own credentials. */
async function clientToken(app: TestApp): Promise<string> {
  const client = await newClient(app, false);
  const reply = await askToken(app, { grant_type: "client_credentials", ...client });
  assert.equal(reply.status, 200, reply.text);
  // As long as the other tokens last: some calls move the clock by hours.
  await app.deps.db.write([{
    sql: "update access_tokens set expires_at = ? where client_id = ?",
    args: [Date.UTC(2100, 0), client.client_id],
  }]);
  return reply.body.access_token;
}

async function makeCallers(
  company: TestCompany,
  team: number,
  right: Right | null,
  trusted: boolean,
  outside: { client: string; trusted: string; other: TestCompany; call: TestApp["call"] },
): Promise<Callers> {
  const member = async (type: "user" | "team_admin" | "group_admin") => {
    const { id } = await company.user({ type, teams: [team], rights: right ? withDependencies(right) : [] });
    return { id, token: await company.token(id, trusted) };
  };
  const anAdmin = async (of: TestCompany) => {
    const { id } = await of.user({ type: "admin" });
    return { id, token: await of.token(id, trusted) };
  };
  const { call } = outside;
  const admin = await anAdmin(company);
  const works = async ({ token }: { token: string }) =>
    assert.equal((await call(token, "GET", "/v1/me")).status, 200);
  const deleted = await anAdmin(company);
  await works(deleted);
  const gone = await call(company.admin.token, "DELETE", `/v1/companies/${company.id}/users/${deleted.id}`);
  assert.equal(gone.status, 204, gone.text);
  const revoked = { id: admin.id, token: await company.token(admin.id, trusted) };
  await works(revoked);
  const ended = await call(admin.token, "DELETE", `/v1/tokens/${revoked.token}`);
  assert.equal(ended.status, 204, ended.text);
  return {
    none: { id: admin.id, token: null },
    client: { id: admin.id, token: outside.client },
    trusted: { id: admin.id, token: outside.trusted },
    user: await member("user"),
    team_admin: await member("team_admin"),
    group_admin: await member("group_admin"),
    admin,
    foreign: await anAdmin(outside.other),
    deleted,
    revoked,
  };
}

/**
 * Returns the place with records of the team, or of no team, instead of its own. They are of new users, or of `people`.
 */
export async function makeRecords(
  place: Place,
  team: number | null,
  group_id: number,
  people?: Pick<World, "member" | "agent">,
): Promise<Place> {
  const { make, ids, world } = place;
  const { company } = world;
  const teams = team === null ? [] : [team];
  const user = people?.member ?? await company.user({ teams });
  const account = await make("/v1/accounts", {
    team_id: team,
    user_id: user.id,
    fixed_fields: nameFields({ name: "Ada Ltd" }),
  });
  const contact = await make(`/v1/accounts/${account.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
  });
  const field = await make("/v1/fields/account", { label: "Size", type: "single_choice", team_id: team });
  const option = await make(`/v1/fields/account/${field.id}/options`, { value: "Small" });
  const path = await make("/v1/relations-paths", {
    name: "Cars",
    team_id: team,
    activity_types: { milestones: [{ name: "Offer" }, { name: "Sold", set_status: "closed" }] },
  });
  const type = await make("/v1/lead-types", {
    name: "Offer request",
    team_id: team,
    relations_path_ids: [path.id],
  });
  const ofTeam = { team_id: team, agency_team_id: team ?? ids.team_id };
  const lead = await make("/v1/leads", world.body({ ...ofTeam, lead_type_id: type.id }));
  const sale = await make("/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    team_id: team,
    user_id: user.id,
  });
  const milestone: string = path.activity_types.milestones[0].id;
  const activity = await make(`/v1/cases/${sale.id}/activities`, {
    activity_type_ids: [milestone],
    correspondence: { email: { subject: "Offer", content: "Here" }, letter: { content: "There" } },
    task: { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" },
  });
  const note = await make("/v1/notes", { note: "Called", case_id: sale.id });
  const template = await make("/v1/templates", {
    type: "email",
    title: "Answer",
    content: "<p>Hello</p>{{content}}",
    team_id: team,
  });
  const campaign = await make("/v1/campaigns", {
    type: "email",
    name: "Spring",
    approved: false,
    message: { subject: "Offers", content: "<p>Hello</p>", sender: "Ada" },
    filter: [],
    team_id: team,
  });
  const automated = await make("/v1/automated-communications", followUp(team));
  const set = await make("/v1/reports/indicator-sets", indicatorSet(team), 200);
  const rank = await make("/v1/gamification/ranks", makeRank(team));
  return {
    ...place,
    milestone,
    world: {
      ...world,
      dealer: team ?? world.dealer,
      member: user,
      agency: ofTeam.agency_team_id,
      agent: people?.agent ?? await company.user({ teams, rights: ["agency"] }),
      body: (more = {}) => world.body({ ...ofTeam, ...more }),
      lead: (more = {}) => world.lead({ ...ofTeam, ...more }),
    },
    ids: {
      ...ids,
      group_id,
      team_id: team ?? ids.team_id,
      user_id: user.id,
      account_id: account.id,
      contact_id: contact.id,
      field_id: field.id,
      option_id: option.id,
      relations_path_id: path.id,
      lead_type_id: type.id,
      lead_id: lead.id,
      case_id: sale.id,
      activity_id: activity.id,
      correspondence_id: activity.correspondence.email.id,
      letter_id: activity.correspondence.letter.id,
      task_id: activity.task.id,
      note_id: note.id,
      template_id: template.id,
      campaign_id: campaign.id,
      automated_communication_id: automated.id,
      indicator_set_id: set.id,
      rank_id: rank.id,
      event_id: await writeStreamEvent(place.write, { company_id: company.id, user_id: user.id }),
      automated_id: await waitingSend(place.write, sale.id),
      campaign_message_id: await sentTo(place.write, campaign.id, contact.id, team),
    },
  };
}

/** Returns the right with those that it depends on, because it does not work without them. */
function withDependencies(right: Right): Right[] {
  return [right, ...findRightEntry(right).dependencies as Right[]];
}
