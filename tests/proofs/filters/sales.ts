/** Cases with activities, tasks and milestones, and leads in every state, of customers that there are. */
import type { Actor, Body, TestApp } from "../../support/app.ts";
import { named } from "../../customers/fields_world.ts";
import type { Facts, Scalar } from "./evaluator.ts";
import { answer, type Dice, some } from "./world.ts";

/** A contact of an account, where cases are opened and leads arrive. */
export interface Customer {
  readonly account: string;
  readonly contact: string;
  readonly b2c: boolean;
}

/** A dealer team and a member of it, who accepts its leads. */
export interface Dealer {
  readonly team: number;
  readonly member: Actor;
}

/** A case or a lead, and whose it is. */
export interface Hanging {
  readonly root: "case" | "lead";
  readonly facts: Facts;
  readonly account: string | null;
  readonly contact: string | null;
  readonly team: number | null;
}

interface Process {
  readonly app: TestApp;
  readonly admin: Actor;
  readonly random: Dice;
  readonly dealers: readonly Dealer[];
  readonly paths: readonly Body[];
  readonly types: readonly Body[];
}

/** What activities have done on a case. */
interface Done {
  readonly milestones: Facts[];
  readonly supportive: Set<string>;
  readonly extraSteps: Set<string>;
}

interface Opened {
  readonly path: Body;
  readonly team: number | null;
  /** Of the lead that it was made from. */
  readonly lead_type: string | null;
  readonly done: Done;
}

export async function newSales(
  app: TestApp,
  admin: Actor,
  random: Dice,
  dealers: readonly Dealer[],
  customers: readonly Customer[],
): Promise<Hanging[]> {
  const paths = [await newPath(admin, "New cars"), await newPath(admin, "Used cars")];
  const types: Body[] = [];
  for (const name of ["Test drive", "Brochure"]) {
    const body = { name, relations_path_ids: paths.map(({ id }) => id) };
    types.push(await answer(admin, "POST", "/v1/lead-types", body, 201));
  }
  const process: Process = { app, admin, random, dealers, paths, types };
  const cases = new Map<string, Opened>();
  const opened = (id: string, given: Omit<Opened, "done">) => {
    if (cases.has(id)) return;
    cases.set(id, { ...given, done: { milestones: [], supportive: new Set(), extraSteps: new Set() } });
  };
  const leads: string[] = [];
  for (const customer of customers) {
    for (let left = random.below(3); left > 0; left--) {
      const path = random.of(paths);
      const team = random.of([null, ...dealers.map(({ team }) => team)]);
      opened(await newCase(process, customer, path, team), { path, team, lead_type: null });
    }
    for (let left = random.below(3); left > 0; left--) {
      const { id, case_id, team_id: team, lead_type_id: lead_type } = await newLead(process, customer);
      leads.push(id);
      if (case_id !== null) opened(case_id, { path: paths[0]!, team, lead_type });
    }
  }
  for (const [id, given] of cases) await work(process, id, given);
  // Months before it have no such day.
  app.clock.set(Date.UTC(2026, 2, 31, 12));

  const hanging: Hanging[] = [];
  for (const [id, { lead_type, done }] of cases) {
    const body = await answer(admin, "GET", `/v1/cases/${id}`, undefined, 200);
    const facts = caseFacts(body, lead_type, done);
    const { account, contact, team_id: team } = body;
    hanging.push({ root: "case", facts, account: account.id, contact: contact.id, team });
  }
  for (const id of leads) {
    const body = await answer(admin, "GET", `/v1/leads/${id}`, undefined, 200);
    const { account_id: account, contact_id: contact, team_id: team } = body;
    hanging.push({ root: "lead", facts: leadFacts(body), account, contact, team });
  }
  return hanging;
}

async function newPath(admin: Actor, name: string): Promise<Body> {
  return await answer(admin, "POST", "/v1/relations-paths", {
    name,
    activity_types: {
      milestones: [
        { name: "Contacted" },
        { name: "Drive", type: "test_drive", extra_step: { name: "Licence" } },
        { name: "Offer", type: "offer", extra_step: { name: "Signed" } },
        { name: "Sold", set_status: "closed" },
        { name: "Lost", set_status: "declined" },
      ],
      supportive: [{ name: "Call" }, { name: "Letter" }],
    },
  }, 201);
}

async function newCase(
  { app, admin, random }: Process,
  of: Customer,
  path: Body,
  team_id: number | null,
): Promise<string> {
  if (random.chance(0.5)) app.clock.move(1000);
  const vehicles = ["0190a0a0-0000-7000-8000-000000000001", "0190a0a0-0000-7000-8000-000000000002"];
  const body = await answer(admin, "POST", "/v1/cases", {
    contact_id: of.contact,
    relations_path_id: path.id,
    team_id,
    stock_vehicle_id: random.of([null, ...vehicles]),
    ...(random.chance(0.3) && { created_at: "2026-01-31 23:59:59" }),
  }, 201);
  return body.id;
}

/** Up to three activities, the last of which may end the case. */
async function work({ app, admin, random, dealers }: Process, id: string, given: Opened): Promise<void> {
  const { path, team, done } = given;
  const doers = [admin, ...dealers.filter((dealer) => dealer.team === team).map(({ member }) => member)];
  const { milestones, supportive } = path.activity_types;
  const steps = milestones.slice(0, 3);
  let open: string | null = null;
  for (let left = random.below(4); left > 0; left--) {
    if (random.chance(0.6)) app.clock.move(random.of([1000, 3_600_000]));
    const last = left === 1 && random.chance(0.5);
    const milestone = last ? random.of(milestones.slice(3)) : random.of([null, steps.shift() ?? null]);
    const chosen = [milestone, random.of([null, ...supportive])].filter((type) => type !== null);
    if (chosen.length === 0) chosen.push(supportive[0]);
    const extra = chosen.flatMap((type) => (random.chance(0.6) ? some(type.extra_step?.id) : []));
    const start = app.clock.now() + random.of([-86_400_000, 3_600_000, 604_800_000]);
    const body: Body = await answer(admin, "POST", `/v1/cases/${id}/activities`, {
      activity_type_ids: chosen.map((type) => type.id),
      extra_step_ids: extra,
      ...(open !== null && random.chance(0.5) && { completed_task_id: open }),
      ...(random.chance(0.6) && {
        task: {
          type: random.of(["email", "call", "meeting", "remind_me", "letter"]),
          user_id: random.of(doers).id,
          start_at: new Date(start).toISOString(),
          end_at: new Date(start + random.of([0, 1_800_000, 172_800_000])).toISOString(),
        },
      }),
    }, 201);
    open = body.task?.id ?? open;
    if (body.completed_task_id !== null && body.task === null) open = null;
    for (const type of chosen) {
      if (!milestones.includes(type)) done.supportive.add(type.id);
      else {
        const values = { id: [type.id], type: some(type.type), created_at: [body.created_at] };
        done.milestones.push({ id: type.id, values, below: {} });
      }
    }
    for (const step of extra) done.extraSteps.add(step);
  }
}

/** A lead of the customer, or of its account alone, taken some way through its states. */
async function newLead({ app, admin, random, dealers, types, paths }: Process, of: Customer): Promise<Body> {
  if (random.chance(0.5)) app.clock.move(1000);
  const dealer = random.of(dealers);
  const alone = random.chance(0.2);
  const lead = await answer(admin, "POST", "/v1/leads", {
    b2c: of.b2c,
    lead_source: random.of(["website", "Website", "fair & more"]),
    lead_type_id: random.of(types).id,
    account_id: of.account,
    ...(alone ? { contact: { fixed_fields: named({ last_name: "Byron" }) } } : { contact_id: of.contact }),
    agency_team_id: dealers[0]!.team,
    team_id: random.chance(0.2) ? null : dealer.team,
    interest: random.of([null, "Boats", "boats and MORE"]),
    expires_at: random.of([null, null, "2030-01-31 10:00:00"]),
  }, 201);
  if (lead.status !== "assigned" || alone) return lead;
  const at = `/v1/leads/${lead.id}`;
  const move = random.below(4);
  if (move === 0) return await answer(dealer.member, "PUT", `${at}/accept`, acceptance(paths), 200);
  if (move > 1) return lead;
  const rejected = await answer(dealer.member, "PUT", `${at}/reject`, { rejection_reason: "Far" }, 200);
  return random.chance(0.5)
    ? rejected
    : await answer(admin, "PUT", `${at}/assign`, { team_id: random.of(dealers).team }, 201);
}

const acceptance = (paths: readonly Body[]) => ({ relations_path_id: paths[0].id });

function caseFacts(body: Body, lead_type: string | null, done: Done): Facts {
  const task = (of: Body): Facts => ({
    id: of.id,
    values: {
      id: [of.id],
      type: [of.type],
      status: [of.status],
      user_id: [of.user.id],
      start_at: [of.start_at],
      end_at: [of.end_at],
      completed_at: some(of.completed_at),
      created_at: [of.created_at],
    },
    below: {},
  });
  return {
    id: body.id,
    values: {
      created_at: [body.created_at],
      latest_activity_at: some(body.latest_activity_at),
      status: [body.status],
      lead_type_id: some(lead_type),
      relations_path_id: [body.relations_path.id],
      "stock_vehicle.id": some(body.stock_vehicle_id),
      "extra_steps.id": [...done.extraSteps],
      "supportive.id": [...done.supportive],
    },
    below: { milestones: done.milestones, tasks: body.tasks.map(task) },
  };
}

function leadFacts(body: Body): Facts {
  const one = ["team_id", "account_id", "case_id", "contact_id", "lead_type_id", "interest", "lead_source"];
  const rest = ["status", "created_at", "expires_at", "updated_at"];
  const teams = (list: readonly { team_id: Scalar }[]) => list.map(({ team_id }) => team_id);
  return {
    id: body.id,
    values: {
      ...Object.fromEntries([...one, ...rest].map((key) => [key, some(body[key])])),
      lead_type: [body.lead_type.name],
      "acceptions.team_id": teams(body.acceptions),
      "assignments.team_id": teams(body.assignments),
      "rejections.team_id": teams(body.rejections),
    },
    below: {},
  };
}
