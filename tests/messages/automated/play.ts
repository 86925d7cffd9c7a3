/** Plays a history over HTTP and in the model, and compares the two after each step. */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../../src/core/time.ts";
import { queueAutomated } from "../../../src/messages/automated/send.ts";
import type { Actor, Body, TestApp } from "../../support/app.ts";
import { postRecord, put } from "../campaign_world.ts";
import { createCase, makeCommunication, makeRoad, type Road } from "../automated_world.ts";
import type { Deed, History } from "./histories.ts";
import { type Case, type Definition, inOrder, Model } from "./model.ts";

const minute = 60_000;
const day = 86_400_000;
const path = "/v1/automated-communications";
const cases = 3;

interface Stage {
  readonly app: TestApp;
  readonly admin: Actor;
  readonly model: Model;
  readonly road: Road;
  readonly teams: readonly number[];
  /** A user of all teams. */
  readonly member: number;
  /** Ids of accounts and contacts by case. */
  readonly customers: Map<string, string>;
}

/**
 * Plays the history in a new company. Sets the clock to its start. Returns the number of ended sends, by
 * status and reason.
 */
export async function play(app: TestApp, history: History): Promise<Map<string, number>> {
  app.clock.set(Date.parse(`${history.scene.start}T00:00:00Z`));
  const stage = await makeStage(app, history);
  for (const { deed, wait, paused } of history.steps) {
    await perform(stage, deed);
    await compare(stage);
    await pass(stage, wait * minute, paused);
    await compare(stage);
  }
  // All pending sends become due.
  await pass(stage, 6 * day, false);
  await compare(stage);
  const ends = new Map<string, number>();
  for (const { sends } of stage.model.cases.values()) {
    for (const { status, reason } of sends) {
      assert.notEqual(status, "pending");
      const key = reason ?? status;
      ends.set(key, (ends.get(key) ?? 0) + 1);
    }
  }
  return ends;
}

async function makeStage(app: TestApp, { scene: { zone }, teams: given, delays }: History): Promise<Stage> {
  const zones = given.map((each) => each ?? zone);
  const company = await app.company();
  const { admin } = company;
  await app.deps.db.write([{
    sql: "update companies set timezone = ? where id = ?",
    args: [zone, company.id],
  }]);
  const teams = await Promise.all(zones.map((timezone) => company.team({ timezone })));
  const definitions: Definition[] = [];
  for (const names of [["a", "b"], ["c"]]) {
    const made = await postRecord(admin, path, {
      name: "Follow-up",
      team_id: null,
      communications: names.map((name, index) => {
        const { days, offset } = delays[definitions.length + index]!;
        return makeCommunication({ name, subject: name, delay: { days, offset_from_midnight: offset } });
      }),
    });
    definitions.push({
      id: made.id,
      messages: made.communications.map(({ id, name, subject, delay }: Body) => ({
        id,
        name,
        subject,
        days: delay.days,
        offset: delay.offset_from_midnight,
      })),
    });
  }
  const ids = definitions.map(({ id }) => id);
  const road = await makeRoad(admin, ids);
  const model = new Model(zone, { Drive: ids, Talk: ids, Sold: ids });
  for (const definition of definitions) model.definitions.set(definition.id, definition);
  const customers = new Map<string, string>();
  for (let index = 0; index < cases; index++) {
    const email = `${"abc"[index]}@example.org`;
    const team = index === 0 ? null : teams[index - 1]!;
    const of = await createCase(admin, road, {
      values: { email },
      team_id: team,
      created_at: "2026-01-01 00:00:00",
    });
    customers.set(of.id, `/v1/accounts/${of.account.id}/contacts/${of.contact.id}`);
    model.cases.set(of.id, {
      contact: { email, consent: null },
      status: "open",
      zone: team === null ? null : zones[index - 1]!,
      sends: [],
    });
  }
  const member = await company.user({ teams: [...teams] });
  return { app, admin, model, road, teams: [...teams], member: member.id, customers };
}

function chosen<T>(of: ReadonlyMap<string, T>, one: number): [string, T] | null {
  const all = [...of];
  return all.length === 0 ? null : all[one % all.length]!;
}

async function perform(stage: Stage, deed: Deed): Promise<void> {
  const { app, admin, model, road } = stage;
  if (deed.kind === "ask") {
    await put(admin, "/v1/campaigns/settings", { consent: { enable: deed.asks } });
    model.asks = deed.asks;
    return;
  }
  if (deed.kind === "edit" || deed.kind === "drop" || deed.kind === "delete definition") {
    const definition = chosen(model.definitions, deed.one)?.[1];
    if (!definition) return;
    await change(stage, definition, deed);
    return;
  }
  const found = chosen(model.cases, deed.one);
  if (!found) return;
  const [id, of] = found;
  const now = app.clock.now();
  const customer = stage.customers.get(id)!;
  switch (deed.kind) {
    case "act": {
      const created = now - (deed.back > 2 ? (deed.back - 1) * day : 0);
      const more = created === now ? {} : { created_at: formatTimestamp(created) };
      const body = { activity_type_ids: deed.types.map((type) => road.types[type]), ...more };
      const { status } = await admin.call("POST", `/v1/cases/${id}/activities`, body);
      assert.equal(status, model.act(of, deed.types, created, now) ? 201 : 409);
      break;
    }
    case "decline": {
      const { status } = await admin.call("PUT", `/v1/cases/${id}/decline`, { reason: "No" });
      assert.equal(status, of.status === "open" ? 200 : 409);
      of.status = of.status === "open" ? "declined" : of.status;
      break;
    }
    case "consent":
      await put(admin, customer, { consent: { email: { consent_given: deed.given } } });
      of.contact.consent = deed.given;
      break;
    case "address":
      await put(admin, customer, { fixed_fields: [{ name: "email", value: deed.email }] });
      of.contact.email = deed.email;
      break;
    case "team": {
      const team = stage.teams[deed.team] ?? null;
      await put(admin, `/v1/cases/${id}`, { team_id: team, user_id: stage.member });
      const [row] = await app.sql("select timezone from teams where id = ?", team);
      of.zone = row?.timezone as string | undefined ?? null;
      break;
    }
    case "cancel": {
      const first = (await admin.call("GET", `/v1/cases/${id}`)).body.next_pending_automated_communication;
      const [waiting] = inOrder(of.sends).filter(({ status }) => status === "pending");
      assert.equal(first === null, waiting === undefined);
      if (!waiting) break;
      const at = `/v1/cases/${id}/automated-communications/${first.id}`;
      assert.equal((await admin.call("DELETE", at)).status, 204);
      Object.assign(waiting, { status: "cancelled", ended: now });
      break;
    }
    case "delete case":
      assert.equal((await admin.call("DELETE", `/v1/cases/${id}`)).status, 204);
      model.cases.delete(id);
      // The contact stays, with its refusals of e-mails.
      model.others.push(of.contact);
      break;
  }
}

async function change(
  { admin, model }: Stage,
  definition: Definition,
  deed: Deed & { readonly kind: "edit" | "drop" | "delete definition" },
): Promise<void> {
  const at = `${path}/${definition.id}`;
  if (deed.kind === "delete definition") {
    assert.equal((await admin.call("DELETE", at)).status, 204);
    model.definitions.delete(definition.id);
    return;
  }
  const [first, ...rest] = definition.messages;
  if (!first) return;
  if (deed.kind === "drop") definition.messages = rest;
  else {
    first.subject = `${first.subject}+`.slice(-9);
    first.days = deed.delay.days;
    first.offset = deed.delay.offset;
  }
  await put(admin, at, {
    communications: definition.messages.map(({ id, subject, days, offset }) => ({
      id,
      subject,
      delay: { days, offset_from_midnight: offset },
    })),
  });
}

/**
 * Lets time pass. The service runs the job each minute; here it runs only at the minute when something is
 * due, and one minute before.
 */
async function pass({ app, model }: Stage, ms: number, paused: boolean): Promise<void> {
  const from = app.clock.now();
  const until = from + ms;
  const due = model.dueBetween(from, until).map((at) => Math.ceil(at / minute) * minute);
  const ticks = paused
    ? []
    : due.flatMap((at) => [at - minute, at]).filter((at) => at >= from && at <= until);
  for (const at of [...new Set([...ticks, until])].sort((one, other) => one - other)) {
    app.clock.set(at);
    await queueAutomated(app.deps, at);
    model.run(at);
  }
}

async function compare({ app, admin, model }: Stage): Promise<void> {
  for (const [id, of] of model.cases) {
    const rows = await app.sql(
      "select s.name, s.subject, s.due_at, s.status, s.reason, s.updated_at, " +
        "(select group_concat(c.recipient) from correspondences c where c.id = s.id) as recipient " +
        "from automated_sends s where s.case_id = ? order by s.due_at, s.id",
      id,
    );
    const expected = inOrder(of.sends).map(({ name, subject, due, status, reason, ended, to }, index) => ({
      name,
      subject,
      due_at: due,
      status,
      reason,
      updated_at: ended === null ? rows[index]?.updated_at : formatTimestamp(ended),
      recipient: to,
    }));
    assert.deepEqual(rows, expected, `case ${id} at ${formatTimestamp(app.clock.now())}`);
    const { body } = await admin.call("GET", `/v1/cases/${id}`);
    checkNext(of, body.next_pending_automated_communication);
  }
}

function checkNext(of: Case, next: Body): void {
  const [waiting] = inOrder(of.sends).filter(({ status }) => status === "pending");
  const shown = next && { name: next.name, subject: next.subject, send_at: next.send_at };
  const { name, subject, due } = waiting ?? { name: "", subject: "", due: 0 };
  assert.deepEqual(shown, waiting ? { name, subject, send_at: formatTimestamp(due) } : null);
}
