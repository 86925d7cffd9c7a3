/** A company whose calls are recorded as history. Each action makes a call and records its effects. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "../../support/app.ts";
import { tick } from "../../sales/leads_states.ts";
import { makeSales, type World } from "../../sales/leads_world.ts";
import { newPath, type Path } from "../../sales/parts.ts";
import { withPassword } from "../../support/oauth.ts";
import { History, Life } from "./history.ts";
import type { Case, Task } from "./cases.ts";
import type { Account, Contact } from "./customers.ts";
import type { Lead } from "./leads.ts";
import { prepareMail, type SentCampaign, type SentMail } from "./messages.ts";

export const day = 86_400;
export const password = "correct horse";
export const formatSeconds = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
export const parseSeconds = (text: string) => Date.parse(`${text.replace(" ", "T")}Z`) / 1000;

/** The random choices of an action: which records, and how. */
export interface Draw {
  readonly which: number;
  readonly pick: number;
  readonly flag: boolean;
  /** How many seconds ago `created_at` lies; null: now. */
  readonly back: number | null;
}

interface Presence {
  readonly teams: readonly number[];
  readonly isThere: boolean;
}
export interface Person {
  readonly actor: Actor;
  readonly isAdmin: boolean;
  readonly isAgency: boolean;
  /** The user name for signing in; null: the user has no password. */
  readonly username: string | null;
  readonly life: Life<Presence>;
}

export interface Scene {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly place: World;
  readonly history: History;
  readonly admin: Person;
  readonly agent: Person;
  readonly people: Person[];
  /** Teams that own records; the last two are dealers. */
  readonly teams: readonly number[];
  readonly groups: readonly number[];
  /** The group of each team now. */
  readonly groupOf: Map<number, number | null>;
  readonly paths: readonly Path[];
  readonly products: readonly string[];
  readonly leadTypes: readonly string[];
  readonly accounts: Account[];
  readonly contacts: Contact[];
  readonly cases: Case[];
  readonly tasks: Task[];
  readonly leads: Lead[];
  readonly mails: SentMail[];
  readonly campaigns: SentCampaign[];
}

export async function startScene(): Promise<Scene & AsyncDisposable> {
  const app = await startApp();
  const place = await makeSales(app);
  const { company } = place;
  const history = new History();
  const groups = [await company.group(), await company.group()];
  const north = await company.team({ group_id: groups[0]! });
  const south = await company.team({ team_type: "dealer" });
  const teams = [north, place.dealer, south];
  const moved = await place.admin.call("PUT", `/v1/teams/${place.dealer}`, { group_id: groups[0] });
  assert.equal(moved.status, 200, moved.text);
  const rights = ["leads.delete", "customers.delete"] as const;
  const person = (actor: Actor, teams: number[], more: Partial<Person> = {}): Person => ({
    actor,
    isAdmin: false,
    isAgency: false,
    username: null,
    life: history.live(
      new Life<Presence>(
        readSeconds(app),
        { teams, isThere: true },
        ({ teams, isThere }) =>
          isThere ? { of: { user: actor.id, team: null, teams }, levels: { "users.total": 1 } } : null,
      ),
    ),
    ...more,
  });
  const user = async (teams: number[], type: "user" | "team_admin" | "group_admin" = "user") => {
    const made = await company.user({ teams, type, rights: [...rights] });
    const username = await withPassword(app, made, password);
    // A new password ends all tokens.
    const token = await company.token(made.id);
    const actor: Actor = { ...made, token, call: (...of) => app.call(token, ...of) };
    return person(actor, teams, { username });
  };
  const admin = person(place.admin, [], { isAdmin: true });
  const agent = person(place.agent, [place.agency], { isAgency: true });
  const people = [
    admin,
    agent,
    person(place.member, [place.dealer]),
    await user([north]),
    await user([south]),
    await user([north, south], "team_admin"),
    await user([place.dealer, north], "group_admin"),
  ];
  const scene: Scene = {
    app,
    company,
    place,
    history,
    admin,
    agent,
    people,
    teams,
    groups,
    groupOf: new Map([[north, groups[0]!], [place.dealer, groups[0]!], [south, null], [place.agency, null]]),
    paths: [await newPath(place.admin), await newPath(place.admin)],
    products: [],
    leadTypes: [],
    accounts: [],
    contacts: [],
    cases: [],
    tasks: [],
    leads: [],
    mails: [],
    campaigns: [],
  };
  const products = [];
  for (const name of ["Car", "Bike"]) {
    const fixed_fields = [{ name: "name", value: name }, { name: "list_price", value: 100 }];
    products.push((await call(scene, admin, "POST", "/v1/products", { fixed_fields })).id);
  }
  const relations_path_ids = scene.paths.map(({ id }) => id);
  const leadTypes = [
    await place.leadType({ relations_path_ids }),
    await place.leadType({ relations_path_ids }),
  ];
  await prepareMail(scene);
  // The calls of the fixtures count, too.
  history.count("users.active", readSeconds(app), { user: admin.actor.id, team: null, teams: [] });
  return { ...scene, products, leadTypes, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

export function readSeconds({ clock }: TestApp): number {
  return Math.floor(clock.now() / 1000);
}

/** A call that changes something. */
export async function call(
  scene: Scene,
  { actor, life }: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const reply = await actor.call(method, path, body);
  assert.ok(reply.status < 300, `${method} ${path} ${JSON.stringify(body)}: ${reply.text}`);
  scene.history.count("users.active", readSeconds(scene.app), {
    user: actor.id,
    team: null,
    teams: life.now.teams,
  });
  return reply.body;
}

/** Returns the record as admins see it now; null if it does not exist. */
export async function look(scene: Scene, path: string): Promise<Body> {
  const { status, body, text } = await scene.place.admin.call("GET", path);
  assert.ok(status === 200 || status === 404, text);
  return status === 200 ? body : null;
}

export const runTimers = (scene: Scene) => tick(scene.place);

export function chooseFrom<T>(list: readonly T[], draw: number): T | undefined {
  return list[draw % Math.max(1, list.length)];
}

/** Returns the existing users of the team. */
export function listMembers(scene: Scene, team: number): Person[] {
  return scene.people.filter(({ life }) => life.now.isThere && life.now.teams.includes(team));
}

/** Returns a team and one of its members; the user is null if the team has none. */
export function chooseOwner(scene: Scene, draw: number): { team_id: number; user_id: number | null } {
  const team_id = chooseFrom(scene.teams, draw)!;
  return { team_id, user_id: chooseFrom(listMembers(scene, team_id), draw >> 2)?.actor.id ?? null };
}
