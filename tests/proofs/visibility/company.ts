/** Creates the company of a plan through the API and keeps the facts that the model needs. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp, TestCompany } from "../../support/app.ts";
import { newPath, type Path } from "../../sales/parts.ts";
import { nameValues } from "../../customers/fields_world.ts";
import { fieldsAmong, type KnownFilter, makeFields, makeFilters } from "./filters.ts";
import type { Known, KnownField, Plan, Viewer } from "./model.ts";
import { makeNotes, makeProducts } from "./notes.ts";

export interface Made {
  readonly company: TestCompany;
  readonly actors: readonly Actor[];
  readonly viewers: Viewer[];
  readonly teams: readonly number[];
  readonly groups: readonly number[];
  readonly groupOf: Map<number, number | null>;
  readonly accounts: Known[];
  readonly contacts: (Known & { readonly account: string; readonly fields: readonly KnownField[] })[];
  readonly cases: (Known & { readonly account: string })[];
  readonly leads: Known[];
  readonly notes: Known[];
  readonly fields: KnownField[];
  readonly filters: KnownFilter[];
  /** Records that everybody sees. */
  readonly products: Known[];
  readonly categories: Known[];
}

export const formatDay = (n: number) => `2026-02-0${n + 1} 10:00:00`;

export async function make(app: TestApp, plan: Plan): Promise<Made> {
  const company = await app.company();
  const groups: number[] = [];
  for (let n = 0; n < plan.groups; n++) groups.push(await company.group(`Group ${n}`));
  const teams: number[] = [];
  const groupOf = new Map<number, number | null>();
  for (const of of plan.teams) {
    const group_id = of === null ? null : groups[of]!;
    const id = await company.team({ group_id: group_id ?? undefined, team_type: "dealer" });
    teams.push(id);
    groupOf.set(id, group_id);
  }
  const actors: Actor[] = [];
  const viewers: Viewer[] = [];
  for (const { type, teams: of, agency } of plan.users) {
    const own = of.map((n) => teams[n]!);
    const actor = await company.user({ type, teams: own, rights: agency ? ["agency"] : [] });
    actors.push(actor);
    viewers.push({ id: actor.id, type, teams: own, agency });
  }
  const made: Made = {
    company,
    actors,
    viewers,
    teams,
    groups,
    groupOf,
    accounts: [],
    contacts: [],
    cases: [],
    leads: [],
    notes: [],
    fields: [],
    filters: [],
    products: [],
    categories: [],
  };
  await makeFields(made, plan.fields);
  await makeFilters(made, plan.filters);
  await makeProducts(made, plan.products);
  const path = await newPath(company.admin);
  for (const each of plan.accounts) await makeAccount(app, made, each);
  if (made.contacts.length > 0) { for (const each of plan.cases) await makeCase(app, made, each, path); }
  const type = await post(company.admin, "/v1/lead-types", { name: "Drive", relations_path_ids: [path.id] });
  for (const each of plan.leads) await makeLead(app, made, each, type.id);
  await makeNotes(made, plan.notes);
  for (const list of ["accounts", "contacts", "leads"] as const) await readKeys(made, list);
  return made;
}

/** Moves teams between groups, and users between teams. */
export async function rearrange(made: Made, later: Plan["later"]): Promise<void> {
  const { admin, id } = made.company;
  for (const [n, group] of later.teams.entries()) {
    const group_id = group === null ? null : made.groups[group]!;
    await put(admin, `/v1/teams/${made.teams[n]}`, { group_id });
    made.groupOf.set(made.teams[n]!, group_id);
  }
  for (const [n, of] of later.users.entries()) {
    const teams = of.map((team) => made.teams[team]!);
    await put(admin, `/v1/companies/${id}/users/${made.actors[n]!.id}`, { team_ids: teams });
    made.viewers[n] = { ...made.viewers[n]!, teams };
  }
}

async function makeAccount(app: TestApp, made: Made, given: Plan["accounts"][number]): Promise<void> {
  const { admin } = made.company;
  const team = given.team === null ? null : made.teams[given.team]!;
  const account = await post(admin, "/v1/accounts", {
    fixed_fields: nameValues({ name: `${given.name} Ltd`, city: given.city }),
    created_at: formatDay(given.day),
    team_id: team,
    ...owner(made, given.user, team),
  });
  made.accounts.push(
    takeKnown(account, team, [`${given.name} Ltd`, given.city], { name: `${given.name} Ltd` }),
  );
  for (const { name, day: on, values } of given.contacts) {
    app.clock.move(1000);
    const email = `${sortable(name)}@example.org`;
    const fields = fieldsAmong(made, values);
    const contact = await post(admin, `/v1/accounts/${account.id}/contacts`, {
      fixed_fields: nameValues({ first_name: "Cid", last_name: name, email }),
      custom_fields: fields.map(({ id, word }) => ({ id, value: word })),
      created_at: formatDay(on),
    });
    const texts = ["Cid", name, email];
    made.contacts.push({
      ...takeKnown(contact, team, texts, { last_name: name }),
      account: account.id,
      fields,
    });
  }
}

async function makeCase(app: TestApp, made: Made, given: Plan["cases"][number], path: Path): Promise<void> {
  const { admin } = made.company;
  const of = made.contacts[given.of % made.contacts.length]!;
  const team = given.team === null ? null : made.teams[given.team]!;
  const body = await post(admin, "/v1/cases", {
    contact_id: of.id,
    relations_path_id: path.id,
    team_id: team,
    created_at: formatDay(given.day),
    ...owner(made, given.user, team),
  });
  if (given.closed) {
    app.clock.move(1000);
    const act = { activity_type_ids: [path.types["Sold"]] };
    const { created_at } = await post(admin, `/v1/cases/${body.id}/activities`, act);
    for (const list of [made.accounts, made.contacts]) {
      const at = list.findIndex(({ id }) => id === of.id || id === of.account);
      const touched = list[at]!;
      list[at] = { ...touched, keys: { ...touched.keys, last_activity_at: created_at } } as never;
    }
  }
  const { texts } = made.accounts.find(({ id }) => id === of.account)!;
  made.cases.push({
    ...takeKnown(body, team, [String(body.case_number), texts[0]!, ...of.texts.slice(0, 2)], {}),
    status: given.closed ? "closed" : "open",
    account: of.account,
  });
}

async function makeLead(
  app: TestApp,
  made: Made,
  given: Plan["leads"][number],
  lead_type_id: string,
): Promise<void> {
  app.clock.move(1000);
  const team = given.team === null ? null : made.teams[given.team]!;
  const agency = given.agency === null ? null : made.teams[given.agency]!;
  const body = await post(made.company.admin, "/v1/leads", {
    b2c: false,
    lead_source: given.source,
    lead_type_id,
    team_id: team,
    // A record with neither team would have no owner.
    agency_team_id: team === null ? agency ?? made.teams[0]! : agency,
    account: { fixed_fields: nameValues({ name: "Engines Ltd" }) },
    contact: { fixed_fields: nameValues({ last_name: given.name }) },
    external_weight: given.day === 0 ? null : given.day,
    created_at: formatDay(given.day),
  });
  // Teams reject the leads of fairs.
  const rejected = team !== null && given.source === "fair";
  if (rejected) await put(made.company.admin, `/v1/leads/${body.id}/reject`, { rejection_reason: "Too far" });
  const status = rejected ? "rejected" : body.status;
  made.leads.push({
    ...takeKnown({ ...body, status, user: { id: 0 } }, team, [], { external_weight: given.day }),
    agency: body.agency_team_id,
    source: given.source,
  });
}

/** Returns the user of a record, who must be in its team. */
function owner(made: Made, user: number, team: number | null): object {
  const { id, teams } = made.viewers[user]!;
  return team === null || teams.includes(team) ? { user_id: id } : {};
}

export function takeKnown(
  body: Body,
  team: number | null,
  texts: readonly string[],
  keys: Record<string, string | number>,
): Known {
  const { id, user, status, created_at } = body;
  const folded = Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [name, typeof key === "number" ? key : sortable(key)]),
  );
  return {
    id,
    team,
    user: user.id,
    texts,
    status: status ?? "",
    created_at,
    keys: { ...folded, created_at, last_activity_at: created_at },
  };
}

const sortable = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Reads the time of the last change of each record itself. */
async function readKeys(made: Made, list: "accounts" | "contacts" | "leads"): Promise<void> {
  for (const [n, record] of made[list].entries()) {
    const { body } = await made.company.admin.call("GET", `/v1/${list}/${record.id}`);
    made[list][n] = { ...record, keys: { ...record.keys, updated_at: body.updated_at } } as never;
  }
}

export async function post(by: Actor, path: string, body: object): Promise<Body> {
  const made = await by.call("POST", path, body);
  assert.equal(made.status, 201, made.text);
  return made.body;
}

async function put(by: Actor, path: string, body: object): Promise<void> {
  const changed = await by.call("PUT", path, body);
  assert.equal(changed.status, 200, changed.text);
}
