/** Cases, activities, tasks and notes of a history. */
import assert from "node:assert/strict";
import type { Body } from "../../support/app.ts";
import type { Path } from "../../sales/parts.ts";
import { livingContacts, noLead, type Origin } from "./customers.ts";
import { Life, type Properties } from "./history.ts";
import {
  call,
  chooseFrom,
  chooseOwner,
  day,
  type Draw,
  formatSeconds,
  listMembers,
  look,
  parseSeconds,
  type Person,
  readSeconds,
  type Scene,
} from "./scene.ts";

interface Line {
  readonly product: string;
  readonly quantity: number;
  readonly worth: number;
}
interface Offer {
  readonly at: number;
  readonly lines: readonly Line[];
}
interface CaseState {
  readonly status: string;
  readonly user: number | null;
  readonly team: number | null;
  readonly chance: number;
}
export interface Case {
  readonly id: string;
  readonly path: Path;
  readonly made: number;
  readonly origin: Origin;
  readonly offers: Offer[];
  readonly life: Life<CaseState>;
}
interface TaskState {
  readonly isOpen: boolean;
  readonly user: number | null;
  readonly team: number | null;
  readonly end: number;
}
export interface Task {
  readonly id: string;
  readonly of: Case;
  readonly life: Life<TaskState>;
  isThere: boolean;
  wasCompleted: boolean;
}

/** Returns the latest offer of a case before a moment, which is the value of the case. */
const findOffer = ({ offers }: { offers: readonly Offer[] }, end = Infinity): Offer | undefined =>
  offers.filter(({ at }) => at < end).reduce<Offer | undefined>(
    (last, offer) => last === undefined || offer.at >= last.at ? offer : last,
    undefined,
  );
const sumWorth = (offer: Offer | undefined) => offer?.lines.reduce((sum, { worth }) => sum + worth, 0) ?? 0;
const listProducts = (
  offers: readonly Offer[],
) => [...new Set(offers.flatMap(({ lines }) => lines.map(({ product }) => product)))];

function makeState(body: Body): CaseState {
  const { status, user, team_id, chance_of_success } = body;
  return { status, user: user?.id ?? null, team: team_id, chance: chance_of_success };
}

/** Returns the present properties of a case, which a new happening counts with. */
export function readProperties(of: Case, more: Partial<Properties> = {}): Properties {
  const { user, team } = of.life.now;
  return { user, team, path: of.path.id, ...of.origin, ...more };
}

export function meetCase(scene: Scene, body: Body, path: Path, origin = noLead): Case {
  const made = parseSeconds(body.created_at);
  const offers: Offer[] = [];
  const life: Life<CaseState> = new Life(made, makeState(body), ({ status, user, team, chance }, end) => {
    if (status !== "open") return null;
    const value = sumWorth(findOffer({ offers }, end));
    const products = listProducts(offers.filter(({ at }) => at < end));
    return {
      of: { user, team, path: path.id, ...origin, products },
      levels: {
        "cases.open": 1,
        "cases.open.value": value,
        "cases.open.weighted_value": value * chance / 100,
      },
    };
  });
  const one: Case = { id: body.id, path, made, origin, offers, life };
  scene.history.live(life);
  scene.history.count("cases.created", made, readProperties(one, { products: [] }));
  scene.cases.push(one);
  return one;
}

/** Records the present state of a case and its tasks. `from`: when the status and chance changed. */
export async function seeCase(scene: Scene, of: Case, from = readSeconds(scene.app)): Promise<void> {
  if (of.life.now.status === "deleted") return;
  const body = await look(scene, `/v1/cases/${of.id}`);
  const before = of.life.now;
  if (!body) of.life.change(readSeconds(scene.app), { status: "deleted" });
  else {
    const { user, team, status, chance } = makeState(body);
    if (user !== before.user || team !== before.team) of.life.change(readSeconds(scene.app), { user, team });
    if (status !== before.status) of.life.change(from, { status });
    if (chance !== before.chance) of.life.change(from, { chance });
  }
  for (const task of scene.tasks) if (task.of === of) await seeTask(scene, task);
}

export async function seeTask(scene: Scene, task: Task): Promise<void> {
  if (!task.isThere) return;
  const at = readSeconds(scene.app);
  const body = await look(scene, `/v1/tasks/${task.id}`);
  if (!body) {
    task.isThere = false;
    task.life.change(at, { isOpen: false });
    return;
  }
  const completed = body.completed_at === null ? null : parseSeconds(body.completed_at);
  const state = taskState(task.of, body);
  task.life.change(at, state);
  if (completed === null || task.wasCompleted) return;
  task.wasCompleted = true;
  const { user, team } = state;
  const of = readProperties(task.of, { user, team });
  scene.history.count("tasks.completed", completed, of);
  if (completed <= state.end) scene.history.count("tasks.completed_in_time", completed, of);
}

function taskState(of: Case, body: Body): TaskState {
  const isOpen = body.completed_at === null;
  return { isOpen, user: body.user?.id ?? null, team: of.life.now.team, end: parseSeconds(body.end_at) };
}

function meetTask(scene: Scene, of: Case, body: Body): void {
  const made = parseSeconds(body.created_at);
  const state = taskState(of, body);
  const life: Life<TaskState> = new Life(
    made,
    state,
    ({ isOpen, user, team, end: due }, end) =>
      isOpen && due < end
        ? { of: { user, team, path: of.path.id, ...of.origin }, levels: { "tasks.overdue": 1 } }
        : null,
  );
  scene.history.live(life);
  const { user, team } = state;
  scene.history.count("tasks.created", made, readProperties(of, { user, team }));
  scene.tasks.push({ id: body.id, of, life, isThere: true, wasCompleted: false });
}

const livingCases = (scene: Scene) => scene.cases.filter(({ life }) => life.now.status !== "deleted");
const liveTasks = (scene: Scene) => scene.tasks.filter(({ isThere }) => isThere);

/** An admin, or a member of the team of the case. */
function someoneFor(scene: Scene, of: Case, draw: number): Person {
  const { team } = of.life.now;
  const members = team === null ? [] : listMembers(scene, team);
  return draw % 2 === 0 ? scene.admin : chooseFrom(members, draw >> 1) ?? scene.admin;
}

export async function addCase(scene: Scene, draw: Draw): Promise<void> {
  const contact = chooseFrom(livingContacts(scene), draw.which);
  if (!contact) return;
  const path = chooseFrom(scene.paths, draw.pick)!;
  const body = await call(scene, scene.admin, "POST", "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    ...chooseOwner(scene, draw.pick),
    created_at: formatSeconds(readSeconds(scene.app) - (draw.back ?? 0)),
  });
  meetCase(scene, body, path);
}

const channels: Readonly<Record<string, string>> = {
  email: "emails",
  phone: "phone_calls",
  letter: "letters",
  meeting: "meetings",
  chat: "chats",
};

/** A case that takes an activity of the named types. */
export function findFitting(scene: Scene, names: readonly string[], draw: number): Case | undefined {
  const reopens = names.includes("Reopened");
  const fits = ({ life }: Case) => (life.now.status === "open") !== reopens;
  return chooseFrom(livingCases(scene).filter(fits), draw);
}

/** Records an activity of the named types, backdated as drawn. */
export async function actOn(
  scene: Scene,
  of: Case,
  names: readonly string[],
  draw: Draw,
  correspondence?: object,
): Promise<Person> {
  const by = someoneFor(scene, of, draw.pick);
  const at = Math.max(of.made, readSeconds(scene.app) - (draw.back ?? 0));
  const channel = [...Object.keys(channels), "other", null][draw.which % 7]!;
  const lines = names.includes("Offer") ? makeLines(scene, draw) : [];
  const task = names.includes("Call") && draw.flag ? { task: taskBody(scene, of, draw) } : {};
  const writes = correspondence === undefined && draw.which % 5 === 0;
  const body = await call(scene, by, "POST", `/v1/cases/${of.id}/activities`, {
    activity_type_ids: names.map((name) => of.path.types[name]),
    communication_channel: channel,
    created_at: formatSeconds(at),
    ...(lines.length > 0 ? { product_details: makeDetails(lines) } : {}),
    ...task,
    ...(writes ? { correspondence: { letter: { content: "<p>Dear Ada</p>" } } } : {}),
    ...(correspondence && { correspondence }),
  });
  const before = of.life.now;
  const milestones = names.filter((name) => name !== "Call").map((name) => of.path.types[name]!);
  const types = names.map((name) => of.path.types[name]!);
  const maker = readProperties(of, { user: by.actor.id, types, milestones });
  scene.history.count("activities.created", at, maker);
  if (milestones.length > 0) scene.history.count("activities.milestones", at, maker);
  if (channel !== null && channels[channel]) {
    scene.history.count(`activities.${channels[channel]}`, at, maker);
  }
  if (writes) scene.history.count("letters.made", at, maker);
  if (lines.length > 0) of.offers.push({ at, lines });
  await seeCase(scene, of, at);
  if (body.task) meetTask(scene, of, body.task);
  if (before.status !== of.life.now.status) countMove(scene, of, at);
  return by;
}

/** Counts a change of status. */
function countMove(scene: Scene, of: Case, at: number): void {
  const { status } = of.life.now;
  const owner = readProperties(of, { products: listProducts(of.offers) });
  scene.history.count(`cases.${status === "open" ? "reopened" : status}`, at, owner);
  if (status !== "closed") return;
  const offer = findOffer(of);
  scene.history.count("cases.closed.value", at, owner, sumWorth(offer));
  scene.history.count("cases.time_to_close", at, owner, Math.max(0, at - of.made));
  for (const { product, quantity, worth } of offer?.lines ?? []) {
    const line = { ...owner, products: [product] };
    scene.history.count("products.sold", at, line, quantity);
    scene.history.count("products.revenue", at, line, worth);
  }
}

function makeLines({ products }: Scene, { which, pick, flag }: Draw): Line[] {
  const line = (product: string, quantity: number) => ({ product, quantity, worth: quantity * 100 - 10 });
  const first = line(products[which % 2]!, 1 + pick % 5);
  return flag ? [first, line(products[(which + 1) % 2]!, 2)] : [first];
}

const makeDetails = (lines: readonly Line[]) => [{
  products: lines.map(({ product, quantity }) => ({ id: product, quantity, discount: 10 })),
}];

function taskBody(scene: Scene, of: Case, { which, pick }: Draw): object {
  const start = readSeconds(scene.app) + (which - 6) * day / 4;
  const { team } = of.life.now;
  const user = team === null ? undefined : chooseFrom(listMembers(scene, team), pick)?.actor.id;
  return {
    type: "call",
    start_at: formatSeconds(start),
    end_at: formatSeconds(start + 3_600 * (1 + pick)),
    ...(user === undefined ? {} : { user_id: user }),
  };
}

export async function declineCase(scene: Scene, draw: Draw): Promise<void> {
  const of = chooseFrom(livingCases(scene).filter(({ life }) => life.now.status === "open"), draw.which);
  if (!of) return;
  await call(scene, scene.admin, "PUT", `/v1/cases/${of.id}/decline`, { reason: "Too dear" });
  await seeCase(scene, of);
  countMove(scene, of, readSeconds(scene.app));
}

/** Gives a case to another owner, or sets its chance by hand. */
export async function changeCase(scene: Scene, draw: Draw): Promise<void> {
  const of = chooseFrom(livingCases(scene), draw.which);
  if (!of) return;
  const { team_id, user_id } = chooseOwner(scene, draw.pick);
  const { team, user, chance } = of.life.now;
  if (draw.flag && (user_id === null || team === team_id && user === user_id)) return;
  const path = `/v1/cases/${of.id}`;
  if (draw.flag) await call(scene, scene.admin, "PUT", path, { team_id, user_id });
  else {
    const chance_of_success = chance === 33 ? 77 : 33;
    const changed = await call(scene, scene.admin, "PUT", `${path}/chance_of_success`, { chance_of_success });
    assert.equal(changed.chance_of_success, chance_of_success);
  }
  await seeCase(scene, of);
}

export async function deleteCase(scene: Scene, draw: Draw): Promise<void> {
  const of = chooseFrom(livingCases(scene), draw.which);
  if (!of) return;
  await call(scene, scene.admin, "DELETE", `/v1/cases/${of.id}`);
  await seeCase(scene, of);
}

/** Completes a task, opens it again, moves its end, or gives it to another user. */
export async function changeTask(scene: Scene, draw: Draw): Promise<void> {
  const task = chooseFrom(liveTasks(scene), draw.which);
  if (!task) return;
  const { isOpen, team, user, end } = task.life.now;
  const next = team === null ? undefined : chooseFrom(listMembers(scene, team), draw.pick)?.actor.id;
  const body = draw.flag
    ? { completed: isOpen }
    : draw.pick % 2 === 0
    ? { end_at: formatSeconds(end + day) }
    : { user_id: next };
  if ("user_id" in body && (next === undefined || next === user)) return;
  await call(scene, scene.admin, "PUT", `/v1/tasks/${task.id}`, body);
  await seeTask(scene, task);
}

export async function deleteTask(scene: Scene, draw: Draw): Promise<void> {
  const task = chooseFrom(liveTasks(scene), draw.which);
  if (!task) return;
  await call(scene, scene.admin, "DELETE", `/v1/tasks/${task.id}`);
  await seeTask(scene, task);
}

/** Adds a note to a case or to a contact. */
export async function addNote(scene: Scene, draw: Draw): Promise<void> {
  const of = draw.pick % 3 === 0 ? undefined : chooseFrom(livingCases(scene), draw.which);
  const contact = chooseFrom(livingContacts(scene), draw.which);
  if (!of && !contact) return;
  const by = of ? someoneFor(scene, of, draw.pick) : scene.admin;
  const at = readSeconds(scene.app) - (draw.back ?? 0);
  const notify = { users: [scene.admin.actor.id, ...(draw.pick % 2 === 0 ? [by.actor.id] : [])] };
  await call(scene, by, "POST", "/v1/notes", {
    note: "Hello",
    created_at: formatSeconds(at),
    ...(of ? { case_id: of.id } : { contact_id: contact!.id, account_id: contact!.account.id }),
    ...(of && draw.flag ? { notify } : {}),
  });
  const user = by.actor.id;
  const of_ = of ? readProperties(of, { user }) : { user, team: contact!.account.life.now.team };
  scene.history.count("notes.created", at, of_);
  if (of && draw.flag) scene.history.count("notes.mentions", at, of_);
}
