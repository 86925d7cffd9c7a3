/**
 * An independent model of leads: permissions, countdowns, and the team that has a lead. Written from the
 * specification; it shares no code with the service.
 */
import { countDown, formatMoment } from "./calendar.ts";

/**
 * `member0` belongs to the first dealer, `agent0` to the first agency, and so on; `agent1` also to the first
 * dealer.
 */
export type Who = "admin" | `member${number}` | `agent${number}`;

export interface Plan {
  /** Time zones of the dealers, in order. */
  readonly zones: readonly string[];
  /** True when the first two dealers share a group and see each other's records. */
  readonly grouped: boolean;
  readonly types: readonly TypePlan[];
}

/** Minutes; null for never. */
export interface TypePlan {
  readonly accept: number | null;
  readonly activity: number | null;
  readonly weekendsCount: boolean;
}

/** A request. Leads, dealers, agencies and types are numbered in the order of creation. */
export type Deed =
  | {
    do: "create";
    by: Who;
    lead: number;
    team: number | null;
    agency: number;
    type: number;
    expires: number | null;
    known: boolean;
  }
  | { do: "assign"; by: Who; lead: number; team: number; to: Who | null; deprecated: boolean }
  | { do: "accept"; by: Who; lead: number; user: Who | null }
  | { do: "reject"; by: Who; lead: number }
  | { do: "call"; by: Who; lead: number }
  | { do: "act"; by: Who; lead: number; case: string; what: Milestone }
  | { do: "decline"; by: Who; case: string }
  | { do: "update"; by: Who; lead: number; type: number | null }
  | { do: "delete"; by: Who; lead: number }
  | { do: "zone"; team: number; zone: string }
  | { do: "retype"; type: number; to: TypePlan }
  | { do: "due"; lead: number };

/** Effects of activities: the second closes the case, the third reopens it. */
export type Milestone = "Offer" | "Order" | "Again";

/** What the calls of the simulation give as the reason. */
export const rejectionReason = "Too far";

type Status = "assignable" | "assigned" | "rejected" | "accepted" | "escalated" | "called" | "revoked";
type Countdown = "accept" | "activity";

export interface Lead {
  readonly known: boolean;
  readonly agency: number;
  readonly expires: number | null;
  type: number;
  status: Status;
  team: number | null;
  user: Who | null;
  /** True when the present team has accepted the lead. */
  accepted: boolean;
  /** True when the team has added an activity since then. */
  final: boolean;
  due: number | null;
  /** True when the lead is deleted, or expired and processed by the timers. */
  gone: boolean;
  case: string | null;
  readonly log: Log;
  readonly moves: Move[];
  readonly events: string[];
}

/** A change of the status, as it is explained. `by`: null for a timer. */
export interface Move {
  readonly move: string;
  readonly to: Status;
  readonly at: string;
  readonly by: Who | null;
  readonly team: number | null;
  readonly reason: string | null;
}

/** All moves of a lead, in order. */
interface Log {
  assignments: [team: number, user: Who | null, at: string][];
  acceptions: [team: number, user: Who, its_case: string, at: string, first: string | null][];
  rejections: [team: number, user: Who, at: string][];
  escalations: [team: number, type: Countdown, at: string][];
  calls: [team: number, user: Who, at: string][];
  revocations: [team: number, type: Countdown, at: string][];
}

interface Case {
  readonly team: number;
  /** The shared customer, or the id of the customer's first case. */
  readonly customer: string;
  status: "open" | "closed" | "declined";
}

export interface State {
  readonly plan: Plan;
  readonly zones: string[];
  readonly types: TypePlan[];
  /** The leads in the order of creation. */
  readonly leads: Map<number, Lead>;
  /** The cases by the ids of the service. */
  readonly cases: Map<string, Case>;
}

export function makeEmptyState(plan: Plan): State {
  return { plan, zones: [...plan.zones], types: [...plan.types], leads: new Map(), cases: new Map() };
}

/** The expected answer: a status, and the code when the state of the lead or case refuses it. */
export type Answer = 200 | 201 | 204 | 403 | 404 | "409 lead_state" | "409 case_state" | 422;

/**
 * Performs the action and returns the expected answer. `opened` is the id of the lead's case in the service,
 * which a new case gets in the model.
 */
export function perform(state: State, deed: Deed, now: number, opened: string | null): Answer {
  const at = formatMoment(now);
  if (deed.do === "zone") {
    state.zones[deed.team] = deed.zone;
    return 200;
  }
  // Running countdowns do not change.
  if (deed.do === "retype") {
    state.types[deed.type] = deed.to;
    return 200;
  }
  if (deed.do === "create") return create(state, deed, now);
  if (deed.do === "act" || deed.do === "decline") return act(state, deed, now);
  const lead = state.leads.get(deed.lead)!;
  if (deed.do === "due") {
    if (isDue(lead, now)) runOut(lead, at);
    return 200;
  }
  const ofAgents = deed.do === "assign" || deed.do === "call";
  if (ofAgents && deed.by.startsWith("member")) return 403;
  if (deed.do === "delete" && deed.by !== "admin") return 403;
  if (isExpired(lead, now) || !seesLead(state.plan, deed.by, lead)) return 404;
  switch (deed.do) {
    case "delete":
      lead.gone = true;
      lead.due = null;
      lead.events.push("lead_deleted");
      return 204;
    case "update":
      if (lead.accepted && lead.status !== "revoked") return "409 lead_state";
      lead.type = deed.type ?? lead.type;
      lead.events.push("lead_updated");
      return 200;
    case "assign":
      if (!looksAfter(deed.by, lead)) return 403;
      if (!["assignable", "rejected", "revoked"].includes(lead.status)) return "409 lead_state";
      if (deed.to !== null && !belongs(deed.to, deed.team)) return 422;
      assign(state, lead, deed, deed.to, now);
      return deed.deprecated ? 200 : 201;
    case "call":
      if (!looksAfter(deed.by, lead)) return 403;
      if (lead.status !== "escalated") return "409 lead_state";
      lead.status = "called";
      lead.log.calls.push([lead.team!, deed.by, at]);
      note(lead, "called", at, deed.by);
      lead.events.push("lead_updated");
      start(state, lead, lead.accepted ? "activity" : "accept", now);
      return 200;
    case "reject":
      if (!isOfTeam(deed.by, lead)) return 403;
      if (!isUndecided(lead)) return "409 lead_state";
      lead.status = "rejected";
      lead.due = null;
      lead.log.rejections.push([lead.team!, deed.by, at]);
      note(lead, "rejected", at, deed.by, rejectionReason);
      lead.events.push("lead_rejected");
      return 200;
    case "accept": {
      if (!isOfTeam(deed.by, lead)) return 403;
      if (!isUndecided(lead)) return "409 lead_state";
      const user = deed.user ?? (belongs(deed.by, lead.team!) ? deed.by : lead.user);
      if (user === null || !belongs(user, lead.team!)) return 422;
      accept(state, lead, user, now, opened);
      note(lead, "accepted", at, deed.by);
      return 200;
    }
  }
}

/** True when the countdown of the lead has ended and the lead still exists. */
export function isDue(lead: Lead, now: number): boolean {
  return lead.due !== null && lead.due <= now && !isExpired(lead, now);
}

export function isExpired(lead: Lead, now: number): boolean {
  return lead.gone || (lead.expires !== null && lead.expires <= now);
}

/** Marks expired leads as gone after the jobs have run: they never return, even when a clock is set back. */
export function forget(state: State, aged: number): void {
  for (const lead of state.leads.values()) {
    if (!isExpired(lead, aged)) continue;
    lead.gone = true;
    lead.due = null;
  }
}

/** Returns whether the caller sees the lead. */
export function seesLead(plan: Plan, who: Who, lead: Lead): boolean {
  if (looksAfter(who, lead)) return true;
  return lead.team !== null && seesTeam(plan, who, lead.team);
}

export function seesTeam(plan: Plan, who: Who, team: number): boolean {
  if (who === "admin" || belongs(who, team)) return true;
  return plan.grouped && team < 2 && (belongs(who, 0) || belongs(who, 1));
}

/** Returns whether the caller is a member of the dealer. */
function belongs(who: Who, team: number): boolean {
  return who === `member${team}` || (who === "agent1" && team === 0);
}

/** Returns the list of the agency that shows the lead, or null. */
export function waitsIn(lead: Lead): string | null {
  return ["assignable", "rejected", "escalated", "revoked"].includes(lead.status) ? lead.status : null;
}

export function looksAfter(who: Who, lead: Lead): boolean {
  return who === "admin" || who === `agent${lead.agency}`;
}

function isOfTeam(who: Who, lead: Lead): boolean {
  return lead.team === null || who === "admin" || belongs(who, lead.team);
}

/** True when a team has the lead and has neither accepted nor returned it. */
function isUndecided({ status, accepted }: Lead): boolean {
  return !accepted && (status === "assigned" || status === "escalated" || status === "called");
}

function create(state: State, deed: Extract<Deed, { do: "create" }>, now: number): Answer {
  const lead: Lead = {
    known: deed.known,
    agency: deed.agency,
    expires: deed.expires,
    type: deed.type,
    status: "assignable",
    team: null,
    user: null,
    accepted: false,
    final: false,
    due: null,
    gone: false,
    case: null,
    log: { assignments: [], acceptions: [], rejections: [], escalations: [], calls: [], revocations: [] },
    moves: [],
    events: ["lead_created"],
  };
  note(lead, "created", formatMoment(now), deed.by);
  state.leads.set(deed.lead, lead);
  if (deed.team !== null) assign(state, lead, { team: deed.team, by: deed.by }, null, now);
  return 201;
}

/** Restarts the lead with the new team. The work of an earlier team stays with that team. */
function assign(
  state: State,
  lead: Lead,
  { team, by }: { readonly team: number; readonly by: Who },
  user: Who | null,
  now: number,
): void {
  Object.assign(lead, { status: "assigned", team, user, accepted: false, final: false, case: null });
  lead.log.assignments.push([team, user, formatMoment(now)]);
  note(lead, "assigned", formatMoment(now), by);
  lead.events.push("lead_assigned");
  start(state, lead, "accept", now);
}

function accept(state: State, lead: Lead, user: Who, now: number, opened: string | null): void {
  const team = lead.team!;
  // A team continues with its earlier case. The first team to accept takes the shared customer; later teams
  // create their own.
  const before = lead.log.acceptions.findLast(([by]) => by === team)?.[2];
  const shared = lead.known && lead.log.acceptions.length === 0 ? "everybody's" : null;
  const customer = before === undefined ? shared : state.cases.get(before)!.customer;
  const open = [...state.cases].filter(([, its]) =>
    its.customer === customer && its.team === team && its.status === "open"
  ).map(([id]) => id);
  if (opened !== null && open.length === 0 && !state.cases.has(opened)) {
    state.cases.set(opened, { team, customer: customer ?? opened, status: "open" });
    lead.case = opened;
  } else lead.case = open.find((id) => id === opened) ?? "another case";
  lead.status = "accepted";
  lead.accepted = true;
  lead.log.acceptions.push([team, user, lead.case, formatMoment(now), null]);
  lead.events.push("lead_accepted");
  start(state, lead, "activity", now);
}

function act(state: State, deed: Extract<Deed, { do: "act" | "decline" }>, now: number): Answer {
  const its = state.cases.get(deed.case)!;
  if (!seesTeam(state.plan, deed.by, its.team)) return 404;
  if (its.status !== "open" && (deed.do === "decline" || deed.what !== "Again")) return "409 case_state";
  if (deed.do === "decline") {
    its.status = "declined";
    return 200;
  }
  if (deed.what !== "Offer") its.status = deed.what === "Order" ? "closed" : "open";
  for (const lead of state.leads.values()) {
    if (lead.case !== deed.case || lead.final || isExpired(lead, now) || lead.status === "revoked") continue;
    lead.status = "accepted";
    lead.final = true;
    lead.due = null;
    lead.log.acceptions.at(-1)![4] = formatMoment(now);
    note(lead, "first_activity", formatMoment(now), deed.by);
    lead.events.push("lead_updated");
  }
  return 201;
}

/** Ends a countdown: escalates the lead the first time, and revokes it after a call. */
function runOut(lead: Lead, at: string): void {
  const type: Countdown = lead.accepted ? "activity" : "accept";
  const revoked = lead.status === "called";
  lead.log[revoked ? "revocations" : "escalations"].push([lead.team!, type, at]);
  lead.events.push(revoked ? "lead_updated" : "lead_escalated");
  lead.status = revoked ? "revoked" : "escalated";
  lead.due = null;
  note(lead, lead.status, at, null, `escalation_${type}`);
}

/** Notes a move to the present status of the lead. */
function note(lead: Lead, move: string, at: string, by: Who | null, reason: string | null = null): void {
  lead.moves.push({ move, to: lead.status, at, by, team: lead.team, reason });
}

/** What happens to the lead next without anybody's doing. */
export function expectNext({ due, expires, status, accepted }: Lead) {
  if (expires !== null && (due === null || expires <= due)) {
    return { move: "expired", at: formatMoment(expires), rule: "expires_at" };
  }
  if (due === null) return null;
  const at = formatMoment(due);
  if (status === "called") return { move: "revoked", at, rule: "call" };
  return { move: "escalated", at, rule: accepted ? "escalation_activity" : "escalation_accept" };
}

function start(state: State, lead: Lead, which: Countdown, now: number): void {
  const type = state.types[lead.type]!;
  const minutes = type[which];
  lead.due = minutes === null ? null : countDown(now, minutes, type.weekendsCount, state.zones[lead.team!]!);
}

/** Returns the expected record of the lead in the form of the model. */
export function leadRecord({ status, team, user, agency, type, due, case: its, log }: Lead): object {
  return {
    status,
    team,
    user,
    agency,
    type,
    due: due === null ? null : formatMoment(due),
    case: its,
    ...log,
  };
}
