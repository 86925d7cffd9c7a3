/** Creates cases, with activities, tasks, milestones and products, and leads, for existing customers. */
import type { Actor, Body, TestApp } from "../../support/app.ts";
import type { Facts } from "./evaluator.ts";
import { leadsInTheEnd, newLead } from "./leads.ts";
import { deleteLast, type Goods, listDetailed, makeDetails, newGoods } from "./products.ts";
import { type Dice, listSome, readAnswer } from "./world.ts";

/** A contact of an account, for which cases and leads are created. */
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

/** A case, a lead or a product of product details, with its account, contact and team. */
export interface Hanging {
  readonly root: "case" | "lead" | "product";
  readonly facts: Facts;
  readonly account: string | null;
  readonly contact: string | null;
  readonly team: number | null;
}

export interface Process {
  readonly app: TestApp;
  readonly admin: Actor;
  readonly random: Dice;
  readonly dealers: readonly Dealer[];
  readonly paths: readonly Body[];
  readonly types: readonly Body[];
  readonly goods: readonly Goods[];
}

/** The results of the activities of a case. */
interface Done {
  readonly milestones: Facts[];
  readonly supportive: Set<string>;
  readonly extraSteps: Set<string>;
  readonly products: Facts[];
}

interface Opened {
  readonly path: Body;
  readonly team: number | null;
  /** The type of the lead from which the case was made. */
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
    types.push(await readAnswer(admin, "POST", "/v1/lead-types", body, 201));
  }
  const goods = await newGoods(admin);
  const process: Process = { app, admin, random, dealers, paths, types, goods };
  const cases = new Map<string, Opened>();
  const openCase = (id: string, given: Omit<Opened, "done">) => {
    if (cases.has(id)) return;
    const done = {
      milestones: [],
      supportive: new Set<string>(),
      extraSteps: new Set<string>(),
      products: [],
    };
    cases.set(id, { ...given, done });
  };
  const leads: string[] = [];
  for (const customer of customers) {
    for (let left = random.below(3); left > 0; left--) {
      const path = random.of(paths);
      const team = random.of([null, ...dealers.map(({ team }) => team)]);
      openCase(await newCase(process, customer, path, team), { path, team, lead_type: null });
    }
    for (let left = random.below(3); left > 0; left--) {
      const { id, case_id, team_id: team, lead_type_id: lead_type } = await newLead(process, customer);
      leads.push(id);
      if (case_id !== null) openCase(case_id, { path: paths[0]!, team, lead_type });
    }
  }
  for (const [id, given] of cases) await work(process, id, given);
  await deleteLast(admin, goods);
  const hanging = await leadsInTheEnd(process, leads);
  for (const [id, { lead_type, done }] of cases) {
    const body = await readAnswer(admin, "GET", `/v1/cases/${id}`, undefined, 200);
    const of = { account: body.account.id, contact: body.contact.id, team: body.team_id };
    hanging.push({ ...of, root: "case", facts: caseFacts(body, lead_type, done) });
    for (const facts of done.products) hanging.push({ ...of, root: "product", facts });
  }
  return hanging;
}

async function newPath(admin: Actor, name: string): Promise<Body> {
  return await readAnswer(admin, "POST", "/v1/relations-paths", {
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
  const body = await readAnswer(admin, "POST", "/v1/cases", {
    contact_id: of.contact,
    relations_path_id: path.id,
    team_id,
    stock_vehicle_id: random.of([null, ...vehicles]),
    ...(random.chance(0.3) && { created_at: "2026-01-31 23:59:59" }),
  }, 201);
  return body.id;
}

/** Adds up to three activities to a case. The last one may close it. */
async function work(process: Process, id: string, given: Opened): Promise<void> {
  const { app, admin, random, dealers, goods } = process;
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
    const extra = chosen.flatMap((type) => (random.chance(0.6) ? listSome(type.extra_step?.id) : []));
    const start = app.clock.now() + random.of([-86_400_000, 3_600_000, 604_800_000]);
    const body: Body = await readAnswer(admin, "POST", `/v1/cases/${id}/activities`, {
      activity_type_ids: chosen.map((type) => type.id),
      extra_step_ids: extra,
      product_details: makeDetails(random, goods),
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
        const values = { id: [type.id], type: listSome(type.type), created_at: [body.created_at] };
        done.milestones.push({ id: type.id, values, below: {} });
      }
    }
    for (const step of extra) done.extraSteps.add(step);
    done.products.push(...listDetailed(goods, body));
  }
}

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
      completed_at: listSome(of.completed_at),
      created_at: [of.created_at],
    },
    below: {},
  });
  return {
    id: body.id,
    values: {
      created_at: [body.created_at],
      latest_activity_at: listSome(body.latest_activity_at),
      status: [body.status],
      lead_type_id: listSome(lead_type),
      relations_path_id: [body.relations_path.id],
      "stock_vehicle.id": listSome(body.stock_vehicle_id),
      "extra_steps.id": [...done.extraSteps],
      "supportive.id": [...done.supportive],
    },
    below: { milestones: done.milestones, tasks: body.tasks.map(task) },
  };
}
