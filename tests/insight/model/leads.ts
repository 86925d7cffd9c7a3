/** Leads of a history, with their countdowns. */
import type { Body } from "../../support/app.ts";
import { actOn, findFitting, meetCase } from "./cases.ts";
import {
  livingContacts,
  meetAccount,
  meetContact,
  type Origin,
  seeAccount,
  seeContact,
} from "./customers.ts";
import { type Happening, Life, type Properties } from "./history.ts";
import {
  call,
  chooseFrom,
  day,
  type Draw,
  formatSeconds,
  listMembers,
  look,
  parseSeconds,
  readSeconds,
  type Scene,
} from "./scene.ts";

/** The state of a lead. `late`: after the acceptance, because an activity is missing. */
type Standing =
  | "assignable"
  | "assigned"
  | "rejected"
  | "accepted"
  | "final"
  | "escalated"
  | "escalated late"
  | "called"
  | "called late"
  | "revoked"
  | "gone";
const open: readonly Standing[] = ["assignable", "assigned", "rejected", "escalated", "called", "revoked"];

interface LeadState {
  readonly standing: Standing;
  readonly user: number | null;
  readonly team: number | null;
  readonly agency: number | null;
  readonly type: string;
  readonly source: string;
  readonly products: readonly string[];
}
export interface Lead {
  readonly id: string;
  readonly expires: number | null;
  readonly life: Life<LeadState>;
  /** How many of its transitions of each kind were noted. */
  readonly seen: Record<string, number>;
  /** What its present assignment counted. */
  assignment: Happening | null;
  /** Who has accepted the present assignment. */
  accepter: { user: number; team: number | null; at: number; acted: boolean; caseId: string } | null;
}

function ofLead({ user, team, agency, type, source, products }: LeadState, more = {}): Properties {
  return { user, team, agency, leadType: type, leadSource: source, fromLead: true, products, ...more };
}

const pickRecord = (body: Body) => ({
  user: body.user_id,
  team: body.team_id,
  agency: body.agency_team_id,
  type: body.lead_type_id,
  source: body.lead_source,
  products: body.product_ids,
});

export async function addLead(scene: Scene, draw: Draw): Promise<void> {
  const { place, leadTypes, products, teams } = scene;
  const at = readSeconds(scene.app);
  const team = [teams[1]!, teams[2]!, null][draw.which % 3]!;
  const body = await call(
    scene,
    scene.admin,
    "POST",
    "/v1/leads",
    place.body({
      b2c: draw.pick % 2 === 0,
      lead_source: ["website", "fair"][draw.pick % 2],
      lead_type_id: leadTypes[draw.pick % 2],
      team_id: team,
      agency_team_id: team !== null && draw.flag ? null : place.agency,
      product_ids: products.slice(0, draw.pick % 3),
      ...(draw.back === null ? {} : { created_at: formatSeconds(at - draw.back) }),
      ...(draw.pick % 5 === 0 ? { expires_at: formatSeconds(at + (1 + draw.which) * day / 2) } : {}),
    }),
  );
  const made = parseSeconds(body.created_at);
  const expires = body.expires_at === null ? null : parseSeconds(body.expires_at);
  const state = { standing: "assignable" as Standing, ...pickRecord(body) };
  const life = new Life<LeadState>(
    made,
    state,
    (state, end) =>
      open.includes(state.standing) && (expires === null || end <= expires)
        ? { of: ofLead(state), levels: { "leads.open": 1 } }
        : null,
  );
  const lead = { id: body.id, expires, life, seen: {}, assignment: null, accepter: null };
  scene.history.live(life);
  scene.history.count("leads.created", made, ofLead(state, { user: null }));
  scene.leads.push(lead);
  await note(scene, lead, body);
}

/** Records the present state of leads. */
export async function seeLeads(scene: Scene, leads: readonly Lead[] = scene.leads): Promise<void> {
  for (const lead of leads) {
    if (lead.life.now.standing === "gone") continue;
    if (isExpired(scene, lead)) continue;
    const body = await look(scene, `/v1/leads/${lead.id}`);
    if (body) await note(scene, lead, body);
    else {
      const at = readSeconds(scene.app);
      const { now: state } = lead.life;
      scene.history.count("leads.deleted", at, ofLead(state, { user: lead.accepter?.user ?? state.user }));
      lead.life.change(at, { standing: "gone" });
    }
  }
}

const isExpired = ({ app }: Scene, { expires }: Lead) => expires !== null && expires <= readSeconds(app);

/** Records the new transitions of a lead. */
async function note(scene: Scene, lead: Lead, body: Body): Promise<void> {
  const { history } = scene;
  const record = pickRecord(body);
  let { standing } = lead.life.now;
  const fresh = (kind: string): Body[] => {
    const all: Body[] = body[kind];
    const known = lead.seen[kind] ?? 0;
    lead.seen[kind] = all.length;
    return all.slice(known);
  };
  const of = (more: object) => ofLead({ standing, ...record }, more);
  for (const { user_id: user, team_id: team, rejection_date } of fresh("rejections")) {
    history.count("leads.rejected", parseSeconds(rejection_date), of({ user, team }));
    standing = "rejected";
  }
  for (const { user_id: user, team_id: team, assignment_date } of fresh("assignments")) {
    lead.assignment = history.count("leads.assigned", parseSeconds(assignment_date), of({ user, team }));
    history.happened.push(lead.assignment = { ...lead.assignment, indicator: "leads.acceptance_rate" });
    lead.accepter = null;
    standing = "assigned";
  }
  for (const acception of fresh("acceptions")) {
    const { user_id: user, team_id: team, accepted_date, case_id: caseId } = acception;
    const at = parseSeconds(accepted_date);
    history.count("leads.accepted", at, of({ user, team }));
    history.count("leads.time_to_accept", at, of({ user, team }), at - lead.assignment!.at);
    lead.assignment!.accepted = at;
    lead.accepter = { user, team, at, acted: false, caseId };
    standing = "accepted";
    await meetCustomers(scene, acception, {
      leadType: record.type,
      leadSource: record.source,
      fromLead: true,
    });
  }
  const user = lead.accepter?.user ?? record.user;
  for (const { team_id: team, escalation_date } of fresh("escalations")) {
    history.count("leads.escalated", parseSeconds(escalation_date), of({ user, team }));
    standing = standing === "accepted" ? "escalated late" : "escalated";
  }
  for (const { user_id: user, team_id: team, call_date } of fresh("calls")) {
    history.count("leads.called", parseSeconds(call_date), of({ user, team }));
    standing = standing === "escalated late" ? "called late" : "called";
  }
  for (const { team_id: team, revocation_date } of fresh("revocations")) {
    history.count("leads.revoked", parseSeconds(revocation_date), of({ user, team }));
    standing = "revoked";
  }
  const first = body.acceptions.at(-1)?.first_activity_at;
  if (lead.accepter && !lead.accepter.acted && first) {
    const { user, team, at } = lead.accepter;
    lead.accepter.acted = true;
    const seconds = parseSeconds(first) - at;
    history.count("leads.time_to_first_activity", parseSeconds(first), of({ user, team }), seconds);
    standing = "final";
  }
  lead.life.change(readSeconds(scene.app), { ...record, standing });
}

/** Records the customers and cases that an acceptance created or changed. */
async function meetCustomers(scene: Scene, acception: Body, origin: Origin): Promise<void> {
  const { account_id, contact_id, case_id } = acception;
  let account = scene.accounts.find(({ id }) => id === account_id);
  if (account) await seeAccount(scene, account);
  else account = meetAccount(scene, await look(scene, `/v1/accounts/${account_id}`), origin);
  const contact = scene.contacts.find(({ id }) => id === contact_id);
  if (contact) await seeContact(scene, contact);
  else meetContact(scene, await look(scene, `/v1/contacts/${contact_id}`), account, origin);
  if (scene.cases.some(({ id }) => id === case_id)) return;
  const body = await look(scene, `/v1/cases/${case_id}`);
  const path = scene.paths.find(({ id }) => id === body.relations_path.id)!;
  meetCase(scene, body, path, origin);
}

const standingAt = (scene: Scene, ...standings: Standing[]) =>
  scene.leads.filter((lead) => standings.includes(lead.life.now.standing) && !isExpired(scene, lead));

/** Accepts a lead as a member of its team, sometimes into an existing contact. */
export async function accept(scene: Scene, draw: Draw): Promise<void> {
  // Only leads without an expiry: the records of an expired lead are not visible.
  const lead = chooseFrom(
    standingAt(scene, "assigned", "escalated", "called").filter(({ expires }) => expires === null),
    draw.which,
  );
  if (!lead) return;
  const member = chooseFrom(listMembers(scene, lead.life.now.team!), draw.pick);
  if (!member) return;
  const by = draw.flag ? scene.admin : member;
  const record = await look(scene, `/v1/leads/${lead.id}`);
  const known = livingContacts(scene).filter(({ account }) => account.b2c === record.b2c);
  const contact = draw.back === null ? undefined : chooseFrom(known, draw.pick);
  await call(scene, by, "PUT", `/v1/leads/${lead.id}/accept`, {
    user_id: member.actor.id,
    relations_path_id: chooseFrom(scene.paths, draw.pick)!.id,
    ...(contact && by === scene.admin ? { contact_id: contact.id } : {}),
  });
  await seeLeads(scene, [lead]);
}

export async function reject(scene: Scene, draw: Draw): Promise<void> {
  const lead = chooseFrom(standingAt(scene, "assigned", "escalated", "called"), draw.which);
  if (!lead) return;
  const by = chooseFrom([scene.admin, ...listMembers(scene, lead.life.now.team!)], draw.pick)!;
  await call(scene, by, "PUT", `/v1/leads/${lead.id}/reject`, { rejection_reason: "Too far" });
  await seeLeads(scene, [lead]);
}

export async function assign(scene: Scene, draw: Draw): Promise<void> {
  const lead = chooseFrom(standingAt(scene, "assignable", "rejected", "revoked"), draw.which);
  if (!lead) return;
  const team_id = scene.teams[1 + draw.pick % 2]!;
  const user = draw.flag ? chooseFrom(listMembers(scene, team_id), draw.pick) : undefined;
  await call(scene, scene.admin, "PUT", "/v1/leads/" + lead.id + "/assign", {
    team_id,
    ...(user ? { user_id: user.actor.id } : {}),
  });
  await seeLeads(scene, [lead]);
}

export async function callLead(scene: Scene, draw: Draw): Promise<void> {
  const lead = chooseFrom(standingAt(scene, "escalated", "escalated late"), draw.which);
  if (!lead) return;
  const { agency } = lead.life.now;
  const isTheirs = agency === null || scene.agent.life.now.teams.includes(agency);
  const by = draw.flag || !isTheirs ? scene.admin : scene.agent;
  await call(scene, by, "PUT", `/v1/leads/${lead.id}/call`);
  await seeLeads(scene, [lead]);
}

/** Changes the lead's source, and sometimes its products and type. */
export async function changeLead(scene: Scene, draw: Draw): Promise<void> {
  const lead = chooseFrom(standingAt(scene, ...open), draw.which);
  if (!lead) return;
  const { source } = lead.life.now;
  await call(scene, scene.admin, "PUT", `/v1/leads/${lead.id}`, {
    lead_source: source === "fair" ? "website" : "fair",
    ...(draw.flag
      ? { product_ids: scene.products.slice(draw.pick % 3), lead_type_id: scene.leadTypes[draw.pick % 2] }
      : {}),
  });
  await seeLeads(scene, [lead]);
}

export async function deleteLead(scene: Scene, draw: Draw): Promise<void> {
  const lead = chooseFrom(
    standingAt(scene, ...open, "accepted", "final", "escalated late", "called late"),
    draw.which,
  );
  if (!lead) return;
  await call(scene, scene.admin, "DELETE", `/v1/leads/${lead.id}`);
  await seeLeads(scene, [lead]);
}

/** Records an activity on the case of a lead that waits for one. */
export async function actOnLead(scene: Scene, draw: Draw): Promise<void> {
  const lead = chooseFrom(standingAt(scene, "accepted", "escalated late", "called late"), draw.which);
  const of = scene.cases.find(({ id, life }) => id === lead?.accepter?.caseId && life.now.status === "open");
  if (!lead || !of) return;
  await actOn(scene, of, [draw.flag ? "Contacted" : "Call"], draw);
  await seeLeads(scene);
}

/** Returns an action: an activity of the named types on any case. */
export function act(...names: readonly string[]) {
  return async (scene: Scene, draw: Draw): Promise<void> => {
    const of = findFitting(scene, names, draw.which);
    if (!of) return;
    await actOn(scene, of, names, draw);
    await seeLeads(scene);
  };
}
