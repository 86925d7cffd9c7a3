/** Writers that change the customers, cases and leads of a company at random, several at once. */
import assert from "node:assert/strict";
import { nameFields, type World } from "../sales/leads_world.ts";
import type { Body, Reply } from "../support/app.ts";

/** A sequence of numbers from 0 to 1, the same in each run. */
export function makeChance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Calls a service as the admin; null when it died before it answered. */
export type Call = (method: string, path: string, body?: object) => Promise<Reply | null>;

/** What all writers change. */
export interface Pool {
  readonly accounts: string[];
  /** With the account that it was in at its beginning: another writer may have moved it since. */
  readonly contacts: { id: string; account: string }[];
  readonly cases: string[];
  readonly leads: string[];
  readonly notes: number[];
  readonly tasks: string[];
  /** How many changes the writers have tried. */
  tried: number;
}

export const emptyPool = (): Pool => ({
  accounts: [],
  contacts: [],
  cases: [],
  leads: [],
  notes: [],
  tasks: [],
  tried: 0,
});

/** Makes `steps` random changes. `teams`: where records go; `members`: users of theirs. */
export async function write(
  { path, body, agency }: World,
  call: Call,
  pool: Pool,
  { teams, members, seed, steps }: {
    readonly members: readonly number[];
    readonly teams: readonly (number | null)[];
    readonly seed: number;
    readonly steps: number;
  },
): Promise<void> {
  const random = makeChance(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const send = async (method: string, to: string, given?: object): Promise<Body | null> => {
    const reply = await call(method, to, given);
    if (reply === null) return null;
    // Another writer was quicker, or a transition is not allowed.
    const { status, text } = reply;
    assert.ok([200, 201, 204, 404, 409, 412, 422].includes(status), `${method} ${to}: ${status} ${text}`);
    return status < 400 ? reply.body ?? {} : null;
  };
  const add = async <T>(to: T[], method: string, at: string, given: object, as: (made: Body) => T) => {
    const made = await send(method, at, given);
    if (made !== null) to.push(as(made));
  };
  const getId = (made: Body) => made.id;
  const take = <T>(from: T[]): T => from.splice(Math.floor(random() * from.length), 1)[0]!;
  const { accounts, contacts, cases, leads, notes, tasks } = pool;
  let n = 0;
  const person = () => ({ fixed_fields: nameFields({ last_name: `Byron ${seed} ${n}` }) });
  const newAccount = async () => {
    await add(accounts, "POST", "/v1/accounts", {
      team_id: pick(teams),
      fixed_fields: nameFields({ name: `Ada ${seed} ${n} Ltd` }),
    }, getId);
  };
  const newContact = async () => {
    const account = pick(accounts);
    await add(contacts, "POST", `/v1/accounts/${account}/contacts`, person(), ({ id }) => ({ id, account }));
  };
  const at = ({ id, account }: Pool["contacts"][number]) => `/v1/accounts/${account}/contacts/${id}`;
  const dealers = teams.filter((team) => team !== null);
  /** By how often they happen. */
  const changes: readonly (readonly [number, () => Promise<unknown>])[] = [
    [3, newAccount],
    [6, () => send("PUT", `/v1/accounts/${pick(accounts)}`, { team_id: pick(teams) })],
    [2, () => send("PUT", `/v1/accounts/${pick(accounts)}`, { external_id: `${seed} ${n}` })],
    [0.5, () => send("DELETE", `/v1/accounts/${take(accounts)}`)],
    [4, newContact],
    [2, () => send("PUT", at(pick(contacts)), person())],
    [5, async () => {
      const contact = pick(contacts);
      const account_id = pick(accounts);
      const with_cases = random() < 0.5;
      if (await send("PUT", at(contact), { account_id, with_cases })) contact.account = account_id;
    }],
    [0.5, () => send("DELETE", at(take(contacts)))],
    [3, () =>
      add(cases, "POST", "/v1/cases", {
        contact_id: pick(contacts).id,
        relations_path_id: path,
        team_id: pick(dealers),
      }, getId)],
    [3, () => send("PUT", `/v1/cases/${pick(cases)}`, { team_id: pick(dealers) })],
    [1, () => send("PUT", `/v1/cases/${pick(cases)}/chance_of_success`, { chance_of_success: n % 100 })],
    [0.5, () => send("PUT", `/v1/cases/${pick(cases)}/decline`, { reason: "Bought elsewhere" })],
    [0.3, () => send("DELETE", `/v1/cases/${take(cases)}`)],
    [2, () => {
      const contact = pick(contacts);
      const customer = { account_id: contact.account, contact_id: contact.id };
      return add(notes, "POST", "/v1/notes", { note: `Note ${n}`, ...customer }, getId);
    }],
    [2, () => add(notes, "POST", "/v1/notes", { note: `Note ${n}`, case_id: pick(cases) }, getId)],
    [1, () => send("PUT", `/v1/notes/${pick(notes)}`, { note: `Again ${n}` })],
    [0.5, () => send("DELETE", `/v1/notes/${take(notes)}`)],
    [2, () =>
      add(tasks, "POST", `/v1/cases/${pick(cases)}/tasks`, {
        type: "call",
        start_at: "2026-03-23 09:00:00",
        end_at: "2026-03-23 10:00:00",
      }, getId)],
    [1, () => send("PUT", `/v1/tasks/${pick(tasks)}`, { note: `Task ${n}` })],
    [0.5, () => send("PUT", `/v1/tasks/${pick(tasks)}`, { completed: true })],
    [0.5, () => send("DELETE", `/v1/tasks/${take(tasks)}`)],
    [
      3,
      () =>
        add(
          leads,
          "POST",
          "/v1/leads",
          body({ team_id: pick([...dealers, null]), agency_team_id: pick([agency, ...dealers]) }),
          getId,
        ),
    ],
    [2, () => {
      const contact = pick(contacts);
      const customer = { account_id: contact.account, contact_id: contact.id };
      const given = { ...customer, account: undefined, contact: undefined, team_id: pick(dealers) };
      return add(leads, "POST", "/v1/leads", body(given), getId);
    }],
    [3, () => send("PUT", `/v1/leads/${pick(leads)}/assign`, { team_id: pick(dealers) })],
    [1, () => send("PUT", `/v1/leads/${pick(leads)}`, { interest: `Interest ${n}` })],
    [1, () => send("PUT", `/v1/leads/${pick(leads)}`, { agency_team_id: pick([agency, ...dealers]) })],
    [3, async () => {
      // Only members of the lead's team can get its case.
      const lead = pick(leads);
      for (const user_id of members) if (await send("PUT", `/v1/leads/${lead}/accept`, { user_id })) return;
    }],
    [1, () => send("PUT", `/v1/leads/${pick(leads)}/reject`, { rejection_reason: "No time" })],
    [0.5, () => send("DELETE", `/v1/leads/${take(leads)}`)],
  ];
  const whole = changes.reduce((sum, [weight]) => sum + weight, 0);
  for (const first of [newAccount, newContact, newAccount, newContact]) await first();
  for (n = 1; n <= steps; n++) {
    let left = random() * whole;
    const [, change] = changes.find(([weight]) => (left -= weight) < 0)!;
    await change();
    pool.tried++;
  }
}
