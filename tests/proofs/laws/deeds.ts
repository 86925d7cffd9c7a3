/** The actions of users: calls with their expected events, built from small random numbers. */
import type { Body } from "../../support/app.ts";
import { nameFields } from "../walk/world.ts";
import type { LeadLife, Move } from "./leads.ts";
import type { Kind, Mirrored } from "./mirror.ts";
import type { Company, Person } from "./people.ts";

/** The random choices of one step. */
export interface Draw {
  readonly who: number;
  readonly record: number;
  readonly other: number;
  readonly way: number;
}

export interface Call {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
  /** The record that it changes. A caller who does not see it must be refused. */
  readonly about: readonly [Kind, string | number] | null;
  /** The events that it must cause, as `<event> <id>`; `-` when it may cause none itself. */
  readonly events: (reply: Body) => readonly string[];
  /** False: the call must be refused. */
  readonly legal?: boolean;
  /** The leads whose state it changes. */
  readonly moves?: readonly (readonly [id: string, move: Move])[];
}

export interface Scene {
  readonly person: Person;
  readonly company: Company;
  readonly leads: ReadonlyMap<string, LeadLife>;
  /** Picks a random record of the company. */
  pick(kind: Kind, at: number): Mirrored | undefined;
  find(kind: Kind, id: string | number): Mirrored | undefined;
  /** Returns the leads that were accepted into the case. */
  leadsIn(caseId: string): string[];
  /** Returns a user of the team; undefined when it has none. */
  memberOf(team: number): number | undefined;
}

export type Deed = (scene: Scene, draw: Draw) => Call | null;

const names = ["Ada", "Bea", "Cid", "Dora"];
const name = (way: number) => names[way % names.length]!;
const expectCreation = (kind: Kind) => (reply: Body) => [`${kind}_created ${reply.id}`];
const events = (...all: string[]) => () => all;
const pickTeam = ({ company }: Scene, at: number) => company.teams[at % company.teams.length]!;
const pickUser = ({ company }: Scene, at: number) => company.people[at % company.people.length]!.actor.id;

function firm(way: number, b2c: boolean): object {
  if (b2c && way % 2 === 0) return { fixed_fields: nameFields({ city: "Bern" }) };
  return { fixed_fields: nameFields({ name: `${name(way)} Ltd` }) };
}

const makeAccount: Deed = (scene, { way, other }) => ({
  method: "POST",
  path: "/v1/accounts",
  body: {
    ...firm(way, other % 3 === 0),
    b2c: other % 3 === 0,
    ...(way % 3 === 0 ? { team_id: null } : way % 3 === 1 ? { team_id: pickTeam(scene, other) } : {}),
  },
  about: null,
  events: expectCreation("account"),
});

const putAccount: Deed = (scene, { record, way, other }) => {
  const account = scene.pick("account", record);
  if (!account) return null;
  const path = `/v1/accounts/${account.id}`;
  const changes = [
    { fixed_fields: nameFields({ name: `${name(other)} & Co` }) },
    { fixed_fields: nameFields({ city: name(other) }) },
    { team_id: pickTeam(scene, other), user_id: pickUser(scene, other) },
    { team_id: null },
    { fixed_fields: nameFields({ name: null }) },
  ];
  return {
    method: "PUT",
    path,
    body: changes[way % changes.length]!,
    about: ["account", account.id],
    events: events(`account_updated ${account.id}`),
  };
};

const upsertAccount: Deed = (_scene, { way, other }) => ({
  method: "PUT",
  path: `/v1/accounts/by-external-id/e${way % 4}`,
  body: firm(other, false),
  about: null,
  events: ({ id, created_at, updated_at }) => [
    `account_${created_at === updated_at ? "*" : "updated"} ${id}`,
  ],
});

const deleteAccount: Deed = (scene, { record }) => {
  const account = scene.pick("account", record);
  return account ? remove("account", account.id, `/v1/accounts/${account.id}`) : null;
};

function remove(kind: Kind, id: string | number, path: string): Call {
  return { method: "DELETE", path, about: [kind, id], events: events(`${kind}_deleted ${id}`) };
}

const person = (way: number) => ({ fixed_fields: nameFields({ first_name: name(way), last_name: "Byron" }) });

const makeContact: Deed = (scene, { record, way }) => {
  const account = scene.pick("account", record);
  if (!account) return null;
  return {
    method: "POST",
    path: `/v1/accounts/${account.id}/contacts`,
    body: person(way),
    about: ["account", account.id],
    events: expectCreation("contact"),
  };
};

const upsertContact: Deed = (scene, { record, way, other }) => {
  const account = scene.pick("account", record);
  if (!account) return null;
  return {
    method: "PUT",
    path: `/v1/accounts/${account.id}/contacts/by-external-id/c${way % 3}`,
    body: person(other),
    about: ["account", account.id],
    events: ({ id, created_at, updated_at }) => [
      `contact_${created_at === updated_at ? "*" : "updated"} ${id}`,
    ],
  };
};

const contactPath = ({ id, body }: Mirrored) => `/v1/accounts/${body.account.id}/contacts/${id}`;

const putContact: Deed = (scene, { record, way, other }) => {
  const contact = scene.pick("contact", record);
  if (!contact) return null;
  const account = scene.pick("account", other);
  const changes = [
    { fixed_fields: nameFields({ first_name: name(other) }) },
    {
      fixed_fields: nameFields({ last_name: `${name(other)}son` }),
      consent: { email: { consent_given: true } },
    },
    { account_id: account?.id },
    { account_id: account?.id, with_cases: true },
  ];
  return {
    method: "PUT",
    path: contactPath(contact),
    body: changes[way % changes.length]!,
    about: ["contact", contact.id],
    events: events(`contact_updated ${contact.id}`),
  };
};

/** Deletes a contact; prefers the contact of a case. */
const deleteContact: Deed = (scene, { record, other }) => {
  const of = other % 3 === 0 ? undefined : scene.pick("case", record);
  const contact = of ? scene.find("contact", of.body.contact.id) : scene.pick("contact", record);
  return contact ? remove("contact", contact.id, contactPath(contact)) : null;
};

const makeCase: Deed = (scene, { record, way, other }) => {
  const contact = scene.pick("contact", record);
  if (!contact) return null;
  return {
    method: "POST",
    path: "/v1/cases",
    body: {
      contact_id: contact.id,
      relations_path_id: scene.company.path.id,
      ...(way % 3 === 0 ? { team_id: pickTeam(scene, other) } : {}),
    },
    about: ["contact", contact.id],
    events: expectCreation("case"),
  };
};

/** Changes a case; prefers one that was made from a lead. */
const putCase: Deed = (scene, { record, way, other }) => {
  const ofLead = other % 3 === 0
    ? undefined
    : scene.find("lead", leadFor(scene, "activity", { record, other }) ?? "")?.body.case_id;
  const kase = scene.find("case", ofLead) ?? scene.pick("case", record);
  if (!kase) return null;
  const path = `/v1/cases/${kase.id}`;
  const [of, body] = ([
    ["", { contact_id: scene.pick("contact", other)?.id }],
    ["", { contact_id: scene.pick("contact", other + 1)?.id }],
    ["", { contact_id: scene.pick("contact", other + 2)?.id }],
    ["", { team_id: pickTeam(scene, other), user_id: pickUser(scene, other) }],
    ["", { team_id: null }],
    ["/decline", { reason: name(other) }],
    ["/chance_of_success", { chance_of_success: other % 100 }],
    ["/estimated_close_date", { date: "2027-06-30" }],
  ] as const)[way % 8]!;
  return {
    method: "PUT",
    path: path + of,
    body,
    about: ["case", kase.id],
    events: events(`${of === "/decline" ? "case_declined" : "case_updated"} ${kase.id}`),
    ...(of === "/decline" && kase.body.status !== "open" ? { legal: false } : {}),
  };
};

const deleteCase: Deed = (scene, { record }) => {
  const kase = scene.pick("case", record);
  return kase ? remove("case", kase.id, `/v1/cases/${kase.id}`) : null;
};

const planned = { type: "call", start_at: "2040-03-20 09:00:00", end_at: "2040-03-20 10:00:00" };

const act: Deed = (scene, { record, way, other }) => {
  const kase = scene.pick("case", record);
  if (!kase) return null;
  const { types } = scene.company.path;
  const type = ["Call", "Contacted", "Offer", "Sold", "Lost", "Reopened", "Call", "Contacted"][way % 8]!;
  const waits = kase.body.tasks.find(({ status }: Body) => status !== "completed");
  const product = scene.pick("product", other);
  const body = {
    activity_type_ids: [types[type]],
    ...(other % 3 === 0 ? { task: planned } : {}),
    ...(other % 3 === 1 && waits ? { completed_task_id: waits.id } : {}),
    ...(other % 4 === 1 && product
      ? { product_details: [{ products: [{ id: product.id, quantity: 2, price: 10 }] }] }
      : {}),
  };
  return {
    method: "POST",
    path: `/v1/cases/${kase.id}/activities`,
    body,
    about: ["case", kase.id],
    events: (reply) => [
      `activity_created ${reply.id}`,
      `case_updated ${kase.id}`,
      ...(reply.task ? [`task_created ${reply.task.id}`] : []),
      ...(body.completed_task_id ? [`task_updated ${body.completed_task_id}`] : []),
    ],
    ...(kase.body.status !== "open" && type !== "Reopened" ? { legal: false } : {}),
    moves: scene.leadsIn(String(kase.id)).map((id) => [id, "activity"]),
  };
};

const putTask: Deed = (scene, { record, way, other }) => {
  const task = scene.pick("task", record);
  if (!task) return null;
  const changes = [{ completed: true }, { note: name(other) }, { completed: false }, { type: "visit" }];
  return {
    method: "PUT",
    path: `/v1/tasks/${task.id}`,
    body: changes[way % changes.length]!,
    about: ["task", task.id],
    events: events(`task_updated ${task.id}`),
  };
};

const deleteTask: Deed = (scene, { record }) => {
  const task = scene.pick("task", record);
  return task ? remove("task", task.id, `/v1/tasks/${task.id}`) : null;
};

const happening: Deed = (scene, { record, way }) => {
  const kase = scene.pick("case", record);
  if (!kase) return null;
  return {
    method: "POST",
    path: `/v1/cases/${kase.id}/timeline`,
    body: { type: "visit", title: name(way) },
    about: ["case", kase.id],
    events: expectCreation("timeline_event"),
  };
};

const makeNote: Deed = (scene, { record, way, other }) => {
  const kind = way % 3 === 0 ? "contact" as const : "case" as const;
  const of = scene.pick(kind, record);
  if (!of) return null;
  const on = kind === "case" ? { case_id: of.id } : { contact_id: of.id, account_id: of.body.account.id };
  return {
    method: "POST",
    path: "/v1/notes",
    body: { note: name(way), ...on, notify: { users: kind === "case" ? [pickUser(scene, other)] : [] } },
    about: [kind, of.id],
    events: expectCreation("note"),
  };
};

const putNote: Deed = (scene, { record, way }) => {
  const note = scene.pick("note", record);
  if (!note) return null;
  return {
    method: "PUT",
    path: `/v1/notes/${note.id}`,
    body: { note: `${name(way)} again` },
    about: ["note", note.id],
    events: events(`note_updated ${note.id}`),
  };
};

const deleteNote: Deed = (scene, { record }) => {
  const note = scene.pick("note", record);
  return note ? remove("note", note.id, `/v1/notes/${note.id}`) : null;
};

const makeLead: Deed = (scene, { record, way, other }) => {
  const contact = way % 3 === 0 ? scene.pick("contact", record) : undefined;
  const team_id = way % 4 === 3 ? null : scene.company.teams[other % 3]!;
  const b2c = other % 2 === 0;
  const customer = contact
    ? { account_id: contact.body.account.id, contact_id: contact.id }
    : { account: b2c ? { fixed_fields: [] } : firm(way, false), contact: person(other) };
  return {
    method: "POST",
    path: "/v1/leads",
    body: {
      b2c: contact?.body.b2c ?? b2c,
      lead_source: "website",
      lead_type_id: scene.company.leadType,
      team_id,
      agency_team_id: way % 2 === 0 && team_id !== null ? null : scene.company.teams[3],
      ...customer,
    },
    about: contact ? ["contact", contact.id] : null,
    events: ({ id }) => [`lead_created ${id}`, ...(team_id === null ? [] : [`lead_assigned ${id}`])],
  };
};

const leadCall = (
  verb: string,
  move: Move,
  event: string,
  body: (scene: Scene, draw: Draw, team: number) => object,
): Deed =>
(scene, draw) => {
  const id = leadFor(scene, move, draw);
  if (id === undefined) return null;
  const life = scene.leads.get(id);
  return {
    method: "PUT",
    path: `/v1/leads/${id}${verb}`,
    body: body(scene, draw, scene.find("lead", id)?.body.team_id),
    about: ["lead", id],
    events: (reply) => [
      `${event} ${id}`,
      ...(move === "accept" ? withAcceptance(reply) : []),
    ],
    ...(life && !life.allows(move) ? { legal: false } : {}),
    moves: [[id, move]],
  };
};

/** Picks a lead; prefers one in a state that allows the move. */
function leadFor(
  scene: Scene,
  move: Move,
  { record, other }: Pick<Draw, "record" | "other">,
): string | undefined {
  const fit = [...scene.leads].filter(([, life]) => life.allows(move)).map(([id]) => id);
  if (other % 4 > 0 && fit.length > 0) return fit[record % fit.length];
  const lead = scene.pick("lead", record);
  return lead && String(lead.id);
}

/** Returns the events of the case and of the customer, created or updated, of an acceptance. */
const withAcceptance = (
  lead: Body,
) => [`case_* ${lead.case_id}`, `account_* ${lead.account_id}`, `contact_* ${lead.contact_id}`];

const accept = leadCall("/accept", "accept", "lead_accepted", (scene, { way, other }, team) => {
  const taker = scene.person.type === "admin" ? { user_id: scene.memberOf(team) } : {};
  if (way % 3 !== 0) return taker;
  const contact = scene.pick("contact", other);
  return {
    ...taker,
    ...(way % 2 === 0 ? { contact_id: contact?.id } : { account_id: contact?.body.account.id }),
  };
});
const reject = leadCall("/reject", "reject", "lead_rejected", (_scene, { way }) => ({
  rejection_reason: name(way),
}));
const assign = leadCall("/assign", "assign", "lead_assigned", (scene, { other }) => ({
  team_id: scene.company.teams[other % 3],
}));
const callDealer = leadCall("/call", "call", "lead_updated", () => ({}));
const putLead = leadCall("", "update", "lead_updated", (_scene, { way, other }) => ({
  interest: `${name(way)} ${other}`,
}));

const deleteLead: Deed = (scene, { record }) => {
  const lead = scene.pick("lead", record);
  return lead ? remove("lead", lead.id, `/v1/leads/${lead.id}`) : null;
};

const makeProduct: Deed = (_scene, { way }) => ({
  method: "POST",
  path: "/v1/products",
  body: { fixed_fields: nameFields({ name: name(way) }) },
  about: null,
  events: expectCreation("product"),
});

const putProduct: Deed = (scene, { record, way }) => {
  const product = scene.pick("product", record);
  if (!product) return null;
  return {
    method: "PUT",
    path: `/v1/products/${product.id}`,
    body: { fixed_fields: nameFields({ list_price: way }) },
    about: ["product", product.id],
    events: events(`product_updated ${product.id}`),
  };
};

const deleteProduct: Deed = (scene, { record }) => {
  const product = scene.pick("product", record);
  return product ? remove("product", product.id, `/v1/products/${product.id}`) : null;
};

/** Changes the teams of a user, which only an admin may do. Does not move admins. */
const moveUser: Deed = (scene, { other, way }) => {
  const people = scene.company.people.filter(({ type }) => type !== "admin");
  const { actor } = people[other % people.length]!;
  return {
    method: "PUT",
    path: `/v1/companies/${scene.company.test.id}/users/${actor.id}`,
    body: { team_ids: [pickTeam(scene, way), ...(way % 2 ? [pickTeam(scene, way + 1)] : [])] },
    about: null,
    events: events(`user_updated ${actor.id}`),
  };
};

const switchTeam: Deed = (scene, { way }) => ({
  method: "PUT",
  path: "/v1/switch-team",
  body: { team_id: way % 4 === 0 ? null : pickTeam(scene, way) },
  about: null,
  events: events(`user_updated ${scene.person.actor.id}`),
});

const moveTeam: Deed = (scene, { way, other }) => {
  const team = scene.company.teams[other % 3]!;
  return {
    method: way % 2 ? "PUT" : "DELETE",
    path: `/v1/groups/${scene.company.group}/teams/${team}`,
    about: null,
    events: events(`team_updated ${team}`, "-"),
  };
};

const putTeam: Deed = (scene, { way, other }) => {
  const team = scene.pick("team", other);
  if (!team) return null;
  return {
    method: "PUT",
    path: `/v1/teams/${team.id}`,
    body: { city: name(way) },
    about: ["team", team.id],
    events: events(`team_updated ${team.id}`),
  };
};

const makeTeam: Deed = (_scene, { way }) => ({
  method: "POST",
  path: "/v1/teams",
  body: { name: name(way), team_type: "dealer" },
  about: null,
  events: expectCreation("team"),
});

/** Deletes a team created during the walk and gives its records to one of the first teams. */
const deleteTeam: Deed = (scene, { record, other }) => {
  const team = scene.pick("team", record);
  if (!team || scene.company.teams.includes(Number(team.id))) return null;
  const path = `/v1/teams/${team.id}?assign_to=${scene.company.teams[other % 3]}`;
  return remove("team", team.id, path);
};

/** Weights: roughly how often each action is chosen. */
export const deeds: Readonly<Record<string, readonly [weight: number, deed: Deed]>> = {
  makeAccount: [4, makeAccount],
  putAccount: [4, putAccount],
  upsertAccount: [2, upsertAccount],
  deleteAccount: [2, deleteAccount],
  makeContact: [5, makeContact],
  upsertContact: [2, upsertContact],
  putContact: [5, putContact],
  deleteContact: [4, deleteContact],
  makeCase: [5, makeCase],
  putCase: [8, putCase],
  deleteCase: [3, deleteCase],
  act: [8, act],
  putTask: [4, putTask],
  deleteTask: [2, deleteTask],
  happening: [2, happening],
  makeNote: [4, makeNote],
  putNote: [2, putNote],
  deleteNote: [2, deleteNote],
  makeLead: [7, makeLead],
  accept: [9, accept],
  reject: [3, reject],
  assign: [6, assign],
  callDealer: [7, callDealer],
  putLead: [3, putLead],
  deleteLead: [2, deleteLead],
  makeProduct: [2, makeProduct],
  putProduct: [2, putProduct],
  deleteProduct: [2, deleteProduct],
  moveUser: [2, moveUser],
  switchTeam: [2, switchTeam],
  moveTeam: [2, moveTeam],
  putTeam: [3, putTeam],
  makeTeam: [2, makeTeam],
  deleteTeam: [2, deleteTeam],
};

/** Replaces an action that has no record to act on. */
export const beginnings: readonly Deed[] = [makeContact, makeCase, makeAccount, makeLead];
