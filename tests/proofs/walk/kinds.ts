/** What a walk goes through: each kind of record with its list, its sorts, and what may happen to one. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp, TestCompany } from "../../support/app.ts";
import { newPath, type Path } from "../../sales/parts.ts";
import { dropCase, dropLead } from "./removal.ts";

/** The choices of one record: few values, so that ties and nulls are common. */
export interface Seed {
  readonly name: string | null;
  readonly day: number;
  readonly team: "none" | "own" | "sister" | "other";
  readonly b2c: boolean;
  readonly weight: number | null;
}

/** What is done to a record, by the sorts that it may move and whether the record leaves the list. */
export type Happening = "rename" | "touch" | "act" | "move" | "remove";

export interface World {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly admin: Actor;
  readonly member: Actor;
  readonly teams: { readonly own: number; readonly sister: number; readonly other: number };
  readonly path: Path;
  readonly type: string;
  /** The account whose contacts are listed. */
  readonly account: string;
}

export interface Kind {
  readonly name: string;
  readonly sorts: readonly string[];
  /** The query parameter that names the order. */
  readonly parameter: string;
  list(world: World): string;
  /** What is posted for each page, where the list is that of a filter. */
  readonly filter?: object;
  make(world: World, seed: Seed): Promise<string>;
  /** Does it, and tells which orders it may have moved the record in; "left" when it leaves the list. */
  happen(world: World, id: string, what: Happening, seed: Seed): Promise<readonly string[] | "left">;
  /** What the record is sorted by, of its representation; null: an order of more than one value. */
  key(record: Body, sort: string): string | number | null;
}

export async function newWorld(app: TestApp): Promise<World> {
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const own = await company.team({ group_id: group, team_type: "dealer" });
  const sister = await company.team({ group_id: group, team_type: "dealer" });
  const other = await company.team({ team_type: "dealer" });
  const path = await newPath(admin);
  const type = await posted(admin, "/v1/lead-types", { name: "Drive", relations_path_ids: [path.id] });
  const account = await posted(admin, "/v1/accounts", { fixed_fields: named({ name: "Engines Ltd" }) });
  return {
    app,
    company,
    admin,
    member: await company.user({ teams: [own] }),
    teams: { own, sister, other },
    path,
    type,
    account,
  };
}

const customers = ["last_activity_at", "created_at", "updated_at"] as const;

const account: Kind = {
  name: "accounts",
  sorts: signed([...customers, "name"]),
  parameter: "sort",
  list: () => "/v1/accounts",
  make: async ({ admin, teams }, { name, day, team, b2c }) =>
    await posted(admin, "/v1/accounts", {
      b2c: b2c || name === null,
      fixed_fields: named({ name }),
      team_id: team === "none" ? null : teams[team],
      created_at: created(day),
    }),
  async happen(world, id, what, { name, weight }) {
    const { admin, teams } = world;
    if (what === "rename") {
      await put(admin, `/v1/accounts/${id}`, { fixed_fields: named({ name: name ?? "Zoe" }) });
      return ["name", "updated_at"];
    }
    if (what === "touch") {
      await put(admin, `/v1/accounts/${id}`, { fixed_fields: named({ city: `Town ${weight}` }) });
      return ["updated_at"];
    }
    if (what === "move") {
      await put(admin, `/v1/accounts/${id}`, { team_id: teams.other });
      return "left";
    }
    if (what === "act") {
      const { body } = await admin.call("GET", `/v1/accounts/${id}/contacts`);
      const contact = body.data[0]?.id ?? await posted(admin, `/v1/accounts/${id}/contacts`, {
        fixed_fields: named({ last_name: name ?? "Zoe" }),
      });
      await act(world, await openCase(world, contact));
      return ["last_activity_at", "updated_at", "name"];
    }
    await removed(admin, `/v1/accounts/${id}`);
    return "left";
  },
  key: (record, sort) => sort === "name" ? fieldOf(record, "name") : stamp(record, sort),
};

const contact: Kind = {
  name: "contacts",
  sorts: signed([...customers, "last_name"]),
  parameter: "sort",
  list: () => "/v1/contacts",
  async make(world, seed) {
    const under = await account.make(world, { ...seed, name: "Engines Ltd" });
    return await makeContact(world, under, seed);
  },
  async happen(world, id, what, { name, weight }) {
    const { admin } = world;
    const { body: found } = await admin.call("GET", `/v1/contacts/${id}`);
    const at = `/v1/accounts/${found.account.id}/contacts/${id}`;
    if (what === "rename") {
      await put(admin, at, { fixed_fields: named({ last_name: name }) });
      return ["last_name", "updated_at"];
    }
    if (what === "touch") {
      await put(admin, at, { fixed_fields: named({ title: `Title ${weight}` }) });
      return ["updated_at"];
    }
    if (what === "move") {
      const away = await account.make(world, { name: "Away", day: 0, team: "other", b2c: false, weight: 0 });
      await put(admin, at, { account_id: away });
      return "left";
    }
    if (what === "act") {
      await act(world, await openCase(world, id));
      return ["last_activity_at", "updated_at"];
    }
    await removed(admin, at);
    return "left";
  },
  key: (record, sort) => sort === "last_name" ? fieldOf(record, "last_name") : stamp(record, sort),
};

const contactOfAccount: Kind = {
  ...contact,
  name: "contacts of an account",
  list: (world) => `/v1/accounts/${world.account}/contacts`,
  make: (world, seed) => makeContact(world, world.account, seed),
};

const filteredContact: Kind = {
  ...contact,
  name: "contacts that a filter selects",
  sorts: [],
  list: () => "/v1/contacts/filter",
  filter: { filter: [{ field: "contact.created_at", operator: "gte", value: created(0) }] },
};

const lead: Kind = {
  name: "leads",
  sorts: signed(["created_at", "updated_at", "external_weight"]),
  parameter: "sort",
  list: () => "/v1/leads",
  make: async ({ admin, teams, type }, { name, day, team, weight }) =>
    await posted(admin, "/v1/leads", {
      b2c: false,
      lead_source: "website",
      lead_type_id: type,
      team_id: team === "none" ? teams.own : teams[team],
      agency_team_id: teams.own,
      account: { fixed_fields: named({ name: "Engines Ltd" }) },
      contact: { fixed_fields: named({ last_name: name ?? "Zoe" }) },
      external_weight: weight,
      created_at: created(day),
    }),
  async happen({ admin, app }, id, what, { name, weight }) {
    if (what === "remove" || what === "move") {
      await dropLead(app, id);
      return "left";
    }
    const change = what === "touch" ? { interest: name ?? "Boats" } : { external_weight: weight };
    await put(admin, `/v1/leads/${id}`, change);
    return what === "touch" ? ["updated_at"] : ["updated_at", "external_weight"];
  },
  key: (record, sort) => record[sort] ?? 0,
};

const kase: Kind = {
  name: "cases",
  sorts: ["important", "recent"],
  parameter: "sort_mode",
  list: () => "/v1/cases",
  async make(world, seed) {
    const under = await contact.make(world, seed);
    const team_id = seed.team === "none" ? null : world.teams[seed.team];
    return await openCase(world, under, { created_at: created(seed.day), team_id });
  },
  async happen(world, id, what, { weight }) {
    if (what === "remove" || what === "move") {
      await dropCase(world.app, id);
      return "left";
    }
    const { body: found } = await world.admin.call("GET", `/v1/cases/${id}`);
    const open = what === "touch" ? "Call" : weight === null ? "Sold" : "Offer";
    await act(world, id, found.status === "open" ? open : "Reopened");
    return ["important", "recent"];
  },
  key: () => null,
};

const task: Kind = {
  name: "tasks to be done later",
  sorts: signed(["start_at"]),
  parameter: "sort",
  list: () => "/v1/tasks?status=later",
  async make(world, seed) {
    const { task } = await act(world, await kase.make(world, seed), "Call", {
      task: { type: "call", start_at: planned(seed.day), end_at: planned(8) },
    });
    return task.id;
  },
  async happen({ admin }, id, what, { day, name }) {
    if (what === "remove") {
      await removed(admin, `/v1/tasks/${id}`);
      return "left";
    }
    const change = {
      rename: { type: "meeting" },
      touch: { note: name },
      move: { start_at: planned(day) },
      act: { completed: true },
    };
    await put(admin, `/v1/tasks/${id}`, change[what]);
    if (what === "act") return "left";
    return what === "move" ? ["start_at"] : [];
  },
  key: (record) => record.start_at,
};

export const kinds: readonly Kind[] = [
  account,
  contact,
  contactOfAccount,
  filteredContact,
  lead,
  kase,
  task,
];

/** A time after all walks. */
function planned(day: number): string {
  return `2026-04-0${day + 1} 10:00:00`;
}

export function created(day: number): string {
  return `2026-02-0${day + 1} 10:00:00`;
}

export function fieldOf(record: Body, name: string): string {
  const field = record.fixed_fields.find((each: { name: string }) => each.name === name);
  return String(field?.value ?? "").toLowerCase();
}

export const named = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

/** Who has had no activity while the walk went on has been made last. */
function stamp(record: Body, sort: string): string {
  return record[sort === "last_activity_at" ? "created_at" : sort];
}

function signed(sorts: readonly string[]): string[] {
  return sorts.flatMap((sort) => [sort, `-${sort}`]);
}

async function makeContact({ admin }: World, under: string, { name, day }: Seed): Promise<string> {
  return await posted(admin, `/v1/accounts/${under}/contacts`, {
    fixed_fields: named({ first_name: "Ada", last_name: name }),
    created_at: created(day),
  });
}

async function openCase({ admin, path }: World, of: string, more: object = {}): Promise<string> {
  return await posted(admin, "/v1/cases", { contact_id: of, relations_path_id: path.id, ...more });
}

async function act({ admin, path }: World, of: string, type = "Call", more: object = {}): Promise<Body> {
  const activity = { activity_type_ids: [path.types[type]], ...more };
  const made = await admin.call("POST", `/v1/cases/${of}/activities`, activity);
  assert.equal(made.status, 201, made.text);
  return made.body;
}

async function posted(by: Actor, path: string, body: object): Promise<string> {
  const made = await by.call("POST", path, body);
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

async function put(by: Actor, path: string, body: object): Promise<void> {
  const changed = await by.call("PUT", path, body);
  assert.equal(changed.status, 200, changed.text);
}

async function removed(by: Actor, path: string): Promise<void> {
  const gone = await by.call("DELETE", path);
  assert.equal(gone.status, 204, gone.text);
}
