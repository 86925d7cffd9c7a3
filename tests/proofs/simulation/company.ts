/** A company of the plan in the service, and its calls in terms of the model. */
import assert from "node:assert/strict";
import { nameFields } from "../../sales/leads_world.ts";
import type { Body, TestApp } from "../../support/app.ts";
import { type Deed, type Plan, rejectionReason, type TypePlan, type Who } from "./model.ts";
import { type Person, settlePeople } from "./people.ts";
import { formatMoment } from "./calendar.ts";

/** Sends a request to a server. */
export type Ask = (token: string, method: string, path: string, body?: unknown) => Promise<Response>;

export interface Company {
  readonly plan: Plan;
  readonly id: number;
  readonly people: ReadonlyMap<Who, Person>;
  readonly teams: readonly number[];
  readonly agencies: readonly number[];
  readonly types: readonly string[];
  /** Ids of the milestones of the company's only path, by name. */
  readonly milestones: Readonly<Record<string, string>>;
  /** A customer that all teams share. */
  readonly account_id: string;
  readonly contact_id: string;
  /** Ids of the leads in the order of creation. */
  readonly leads: string[];
}

export async function foundCompany(app: TestApp, plan: Plan, server: Ask): Promise<Company> {
  const { id, teams, agencies, people } = await settlePeople(app, plan);
  const admin = people.get("admin")!;
  const make = async (path: string, body: object): Promise<Body> => {
    const made = await server(admin.token, "POST", `/v1/${path}`, body);
    const record = await made.json();
    assert.equal(made.status, 201, JSON.stringify(record));
    return record;
  };
  const path = await make("relations-paths", {
    name: "Cars",
    activity_types: {
      milestones: [
        { name: "Offer" },
        { name: "Order", set_status: "closed" },
        { name: "Again", set_status: "open" },
      ],
    },
  });
  const types: string[] = [];
  for (const type of plan.types) {
    const body = { name: "Offer request", relations_path_ids: [path.id], ...makeCountdowns(type) };
    types.push((await make("lead-types", body)).id);
  }
  const account = await make("accounts", {
    team_id: null,
    fixed_fields: nameFields({ name: "Everybody's" }),
  });
  const contact = await make(`accounts/${account.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
  });
  return {
    plan,
    id,
    people,
    teams,
    agencies,
    types,
    milestones: Object.fromEntries(
      path.activity_types.milestones.map(({ id, name }: Body) => [name, id]),
    ),
    account_id: account.id,
    contact_id: contact.id,
    leads: [],
  };
}

function makeCountdowns({ accept, activity, weekendsCount }: TypePlan) {
  return {
    escalation_accept: accept,
    escalation_activity: activity,
    escalation_ignore_weekends: !weekendsCount,
  };
}

/** An answer, with the record if it is a lead. */
export interface Heard {
  readonly answer: string;
  readonly record: Body | null;
}

/** Performs the action over the API. */
export async function ask(company: Company, deed: Exclude<Deed, { do: "due" }>, server: Ask): Promise<Heard> {
  const { teams, people } = company;
  const lead = () => `/v1/leads/${company.leads[(deed as { lead: number }).lead]}`;
  const send = async (who: Who, method: string, path: string, body?: unknown): Promise<Heard> => {
    const reply = await server(people.get(who)!.token, method, path, body);
    const text = await reply.text();
    const answer = text === "" ? null : JSON.parse(text);
    const isLead = reply.ok && answer !== null && (deed.do === "create" || path.startsWith("/v1/leads/"));
    return {
      answer: reply.status === 409 ? `409 ${answer.code}` : String(reply.status),
      record: isLead ? answer : null,
    };
  };
  const getId = (who: Who | null) => who === null ? null : people.get(who)!.id;
  switch (deed.do) {
    case "create": {
      const parties = deed.known ? { account_id: company.account_id, contact_id: company.contact_id } : {
        account: { fixed_fields: nameFields({ name: "Ada Ltd" }) },
        contact: { fixed_fields: nameFields({ last_name: "Ada" }) },
      };
      return await send(deed.by, "POST", "/v1/leads", {
        b2c: false,
        lead_source: "website",
        lead_type_id: company.types[deed.type],
        team_id: deed.team === null ? null : teams[deed.team],
        agency_team_id: company.agencies[deed.agency],
        expires_at: deed.expires === null ? null : formatMoment(deed.expires),
        ...parties,
      });
    }
    case "assign": {
      const user_id = getId(deed.to);
      const team_id = teams[deed.team];
      return deed.deprecated
        ? await send(deed.by, "PUT", `${lead()}/assign/${team_id}`, { user_id })
        : await send(deed.by, "PUT", `${lead()}/assign`, { team_id, user_id });
    }
    case "accept":
      return await send(deed.by, "PUT", `${lead()}/accept`, { user_id: getId(deed.user) });
    case "reject":
      return await send(deed.by, "PUT", `${lead()}/reject`, { rejection_reason: rejectionReason });
    case "call":
      return await send(deed.by, "PUT", `${lead()}/call`);
    case "act":
      return await send(deed.by, "POST", `/v1/cases/${deed.case}/activities`, {
        activity_type_ids: [company.milestones[deed.what]],
      });
    case "decline":
      return await send(deed.by, "PUT", `/v1/cases/${deed.case}/decline`, { reason: "Too dear" });
    case "update": {
      const type = deed.type === null ? {} : { lead_type_id: company.types[deed.type] };
      return await send(deed.by, "PUT", lead(), { interest: crypto.randomUUID(), ...type });
    }
    case "delete":
      return await send(deed.by, "DELETE", lead());
    case "retype":
      return await send(
        "admin",
        "PUT",
        `/v1/lead-types/${company.types[deed.type]}`,
        makeCountdowns(deed.to),
      );
    case "zone":
      return await send("admin", "PUT", `/v1/teams/${teams[deed.team]}`, { timezone: { name: deed.zone } });
  }
}

/** Translates a record into the form of the model; see `leadRecord`. */
export function inWords(company: Company, record: Body): object {
  const team = (id: number | null) => id === null ? null : company.teams.indexOf(id);
  const user = (id: number | null) =>
    id === null ? null : [...company.people].find(([, person]) => person.id === id)?.[0];
  return {
    status: record.status,
    team: team(record.team_id),
    user: user(record.user_id),
    agency: company.agencies.indexOf(record.agency_team_id),
    type: company.types.indexOf(record.lead_type_id),
    due: record.escalates_at,
    case: record.case_id,
    assignments: record.assignments.map((
      each: Body,
    ) => [team(each.team_id), user(each.user_id), each.assignment_date]),
    acceptions: record.acceptions.map((each: Body) => [
      team(each.team_id),
      user(each.user_id),
      each.case_id,
      each.accepted_date,
      each.first_activity_at,
    ]),
    rejections: record.rejections.map((
      each: Body,
    ) => [team(each.team_id), user(each.user_id), each.rejection_date]),
    escalations: record.escalations.map((
      each: Body,
    ) => [team(each.team_id), each.escalation_type, each.escalation_date]),
    calls: record.calls.map((each: Body) => [team(each.team_id), user(each.user_id), each.call_date]),
    revocations: record.revocations.map((
      each: Body,
    ) => [team(each.team_id), each.escalation_type, each.revocation_date]),
  };
}
