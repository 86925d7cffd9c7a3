/** Leads, cases, and the records of cases and contacts. */
import assert from "node:assert/strict";
import type { Body } from "../../support/app.ts";
import { contact } from "./customers.ts";
import {
  deleteAt,
  formatDay,
  type Id,
  type Kind,
  nameFields,
  postRecord,
  put,
  withDirections,
  type World,
} from "./world.ts";

/** Leads without a countdown come last, the newest first. */
const withoutCountdown = ({ created_at }: Body) =>
  `~${1e13 - Date.parse(`${created_at.replace(" ", "T")}Z`)}`;

export const lead: Kind = {
  name: "leads",
  path: "/v1/leads",
  fallback: "created_at",
  sorts: withDirections(["created_at", "updated_at", "external_weight", "escalates_at"]),
  parameter: "sort",
  list: () => "/v1/leads",
  make: async ({ admin, teams, type }, { name, day, team, weight }) =>
    await postRecord(admin, "/v1/leads", {
      b2c: false,
      lead_source: "website",
      lead_type_id: type,
      team_id: team === "none" ? teams.own : teams[team],
      agency_team_id: teams.own,
      account: { fixed_fields: nameFields({ name: "Engines Ltd" }) },
      contact: { fixed_fields: nameFields({ last_name: name ?? "Zoe" }) },
      external_weight: weight,
      created_at: formatDay(day),
    }),
  async happen({ admin }, id, what, { name, weight }) {
    if (what === "remove" || what === "move") {
      await deleteAt(admin, `/v1/leads/${id}`);
      return "left";
    }
    const change = what === "touch" ? { interest: name ?? "Boats" } : { external_weight: weight };
    await put(admin, `/v1/leads/${id}`, change);
    return what === "touch" ? ["updated_at"] : ["updated_at", "external_weight"];
  },
  key: (record, sort) => record[sort] ?? (sort === "escalates_at" ? withoutCountdown(record) : 0),
};

const filteredLead: Kind = {
  ...lead,
  name: "leads that a filter selects",
  path: "/v1/leads/filter",
  admins: true,
  list: () => "/v1/leads/filter",
  filter: { filter: [{ field: "lead.created_at", operator: "gte", value: formatDay(0) }] },
};

const waitingLead: Kind = {
  ...lead,
  name: "leads that wait to be assigned",
  sorts: withDirections(["created_at", "updated_at", "external_weight"]),
  path: "/v1/leads/assignable",
  fallback: "updated_at",
  admins: true,
  list: () => "/v1/leads/assignable",
  make: async ({ admin, teams, type }, { name, day, weight }) =>
    await postRecord(admin, "/v1/leads", {
      b2c: false,
      lead_source: "website",
      lead_type_id: type,
      agency_team_id: teams.own,
      account: { fixed_fields: nameFields({ name: "Engines Ltd" }) },
      contact: { fixed_fields: nameFields({ last_name: name ?? "Zoe" }) },
      external_weight: weight,
      created_at: formatDay(day),
    }),
  async happen(world, id, what, seed) {
    if (what !== "move") return await lead.happen(world, id, what, seed);
    await put(world.admin, `/v1/leads/${id}/assign`, { team_id: world.teams.other });
    return "left";
  },
};

const dealer: Kind = {
  name: "dealers",
  path: "/v1/agency/dealers",
  fallback: "created_at",
  sorts: withDirections(["created_at", "updated_at", "external_weight"]),
  parameter: "sort",
  admins: true,
  list: () => "/v1/agency/dealers",
  make: async ({ admin }, { name }) =>
    await postRecord(admin, "/v1/teams", { name: name ?? "Zoe", team_type: "dealer" }),
  async happen({ admin }, id, what, { name }) {
    const leaves = what === "remove" || what === "move";
    await put(admin, `/v1/teams/${id}`, leaves ? { team_type: null } : { city: name ?? "Bonn" });
    return leaves ? "left" : ["updated_at"];
  },
  // Teams have no weight.
  key: (record, sort) => record[sort] ?? 0,
};

const kase: Kind = {
  name: "cases",
  path: "/v1/cases",
  fallback: "recent",
  sorts: ["important", "recent"],
  parameter: "sort_mode",
  list: () => "/v1/cases",
  async make(world, seed) {
    const under = await contact.make(world, seed);
    const team_id = seed.team === "none" ? null : world.teams[seed.team];
    return await openCase(world, under, { created_at: formatDay(seed.day), team_id });
  },
  async happen(world, id, what, { weight }) {
    if (what === "remove" || what === "move") {
      await deleteAt(world.admin, `/v1/cases/${id}`);
      return "left";
    }
    const { body: found } = await world.admin.call("GET", `/v1/cases/${id}`);
    const open = what === "touch" ? "Call" : weight === null ? "Sold" : "Offer";
    await act(world, id, found.status === "open" ? open : "Reopened");
    return ["important", "recent"];
  },
  key: () => null,
};

const sortedCase: Kind = {
  ...kase,
  name: "cases in an order of their values",
  fallback: "created_at",
  sorts: withDirections(["created_at", "updated_at", "latest_activity_at", "estimated_close_date", "value"]),
  parameter: "sort",
  async happen(world, id, what, seed) {
    const happened = await kase.happen(world, id, what, seed);
    return happened === "left"
      ? "left"
      : withDirections(["updated_at", "latest_activity_at", "value"]).map((sort) => sort.replace("-", ""));
  },
};

const caseOfAccount: Kind = {
  ...kase,
  name: "cases of an account",
  path: "/v1/accounts/:account_id/cases",
  sorts: [],
  list: (world) => `/v1/accounts/${world.account}/cases`,
  async make(world, { name, day, team }) {
    const person = { fixed_fields: nameFields({ last_name: name ?? "Zoe" }) };
    const contact = await postRecord(world.admin, `/v1/accounts/${world.account}/contacts`, person);
    const team_id = team === "none" ? null : world.teams[team];
    return await openCase(world, contact, { created_at: formatDay(day), team_id });
  },
};

const foundCase: Kind = { ...kase, name: "cases that are searched for", list: () => "/v1/cases?search=ada" };

/** Activities of one case do not change during a walk; new ones are added. */
const activity: Kind = {
  name: "activities of a case",
  path: "/v1/cases/:case_id/activities",
  sorts: withDirections(["created_at"]),
  fallback: "created_at",
  parameter: "sort",
  shared: true,
  list: (world) => `/v1/cases/${world.case}/activities`,
  make: async (world, { day }) => (await act(world, world.case, "Call", { created_at: formatDay(day) })).id,
  happen: () => Promise.resolve([]),
  key: (record) => record.created_at,
};

const correspondence: Kind = {
  ...activity,
  name: "correspondences of a case",
  path: "/v1/cases/:case_id/correspondences",
  sorts: [],
  fallback: "created_at",
  list: (world) => `/v1/cases/${world.case}/correspondences`,
  make: async (world) => {
    const made = await act(world, world.case, "Call", { correspondence: { email: { content: "Hello" } } });
    return made.correspondence.email.id;
  },
};

/** The timeline of one case: events, activities and notes together. */
const entry: Kind = {
  name: "the timeline of a case",
  path: "/v1/cases/:case_id/timeline",
  sorts: [],
  fallback: "occurred_at",
  parameter: "sort",
  shared: true,
  list: (world) => `/v1/cases/${world.case}/timeline`,
  async make(world, { name, day, weight }) {
    const at = formatDay(day);
    if (weight === 1) return (await act(world, world.case, "Call", { created_at: at })).id;
    if (weight === 2) {
      const note = { case_id: world.case, note: `Ada ${name}`, created_at: at };
      return await postRecord(world.admin, "/v1/notes", note);
    }
    const event = { title: `Ada ${name}`, occurred_at: at };
    return await postRecord(world.admin, `/v1/cases/${world.case}/timeline`, event);
  },
  async happen({ admin }, id, what) {
    // Only notes can be deleted.
    if (typeof id !== "number" || what !== "remove") return [];
    await deleteAt(admin, `/v1/notes/${id}`);
    return "left";
  },
  key: (record) => record.occurred_at,
};

const task: Kind = {
  name: "tasks to be done later",
  path: "/v1/tasks",
  sorts: withDirections(["start_at", "end_at"]),
  fallback: "start_at",
  parameter: "sort",
  list: () => "/v1/tasks?status=later",
  async make(world, seed) {
    const { task } = await act(world, await kase.make(world, seed), "Call", {
      task: { type: "call", start_at: planTime(seed.day), end_at: planTime(8 - seed.day) },
    });
    return task.id;
  },
  async happen({ admin }, id, what, { day, name }) {
    if (what === "remove") {
      await deleteAt(admin, `/v1/tasks/${id}`);
      return "left";
    }
    const change = {
      rename: { type: "meeting" },
      touch: { note: name },
      move: { start_at: planTime(day), end_at: planTime(8 - day) },
      act: { completed: true },
    };
    await put(admin, `/v1/tasks/${id}`, change[what]);
    if (what === "act") return "left";
    return what === "move" ? ["start_at", "end_at"] : [];
  },
  key: (record, sort) => record[sort.replace("-", "")],
};

/** A time after all walks. */
function planTime(day: number): string {
  return `2026-04-0${day + 1} 10:00:00`;
}

const note: Kind = {
  name: "notes",
  path: "/v1/notes",
  sorts: withDirections(["created_at"]),
  fallback: "created_at",
  parameter: "sort",
  list: () => "/v1/notes",
  async make(world, seed) {
    const contact_id = await contact.make(world, seed);
    const { body } = await world.admin.call("GET", `/v1/contacts/${contact_id}`);
    const on = { contact_id, account_id: body.account.id, created_at: formatDay(seed.day) };
    return await postRecord(world.admin, "/v1/notes", { ...on, note: `Ada ${seed.name}` });
  },
  async happen(world, id, what, seed) {
    const { admin } = world;
    if (what === "remove") {
      await deleteAt(admin, `/v1/notes/${id}`);
      return "left";
    }
    if (what !== "act" && what !== "move") {
      await put(admin, `/v1/notes/${id}`, { note: `Ada is ${seed.name}` });
      return [];
    }
    // Deletes the contact of the note, which also deletes the note.
    const { body } = await admin.call("GET", `/v1/notes/${id}`);
    await deleteAt(admin, `/v1/accounts/${body.account_id}/contacts/${body.contact_id}`);
    return "left";
  },
  key: (record) => record.created_at,
};

const foundNote: Kind = { ...note, name: "notes that are searched for", list: () => "/v1/notes?search=ada" };

export const sales: readonly Kind[] = [
  lead,
  filteredLead,
  waitingLead,
  dealer,
  kase,
  sortedCase,
  caseOfAccount,
  foundCase,
  activity,
  correspondence,
  entry,
  task,
  note,
  foundNote,
];

export async function openCase({ admin, path }: World, of: Id, more: object = {}): Promise<Id> {
  return await postRecord(admin, "/v1/cases", { contact_id: of, relations_path_id: path.id, ...more });
}

export async function act({ admin, path }: World, of: Id, type = "Call", more: object = {}): Promise<Body> {
  const body = { activity_type_ids: [path.types[type]], ...more };
  const made = await admin.call("POST", `/v1/cases/${of}/activities`, body);
  assert.equal(made.status, 201, made.text);
  return made.body;
}
