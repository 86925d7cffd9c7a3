/** Cases whose activities start automated communications. */
import assert from "node:assert/strict";
import { queueAutomated } from "../../src/messages/automated/send.ts";
import { runJobs } from "../../src/jobs.ts";
import type { Letter } from "../../src/platform/mail/mail.ts";
import type { Actor, Body, TestApp } from "../support/app.ts";
import { createConsumer, postRecord } from "./campaign_world.ts";

export { createConsumer as consumer, postRecord as posted };

export function makeCommunication(more: object = {}): Body {
  return {
    name: "Thanks",
    delay: { days: 1, offset_from_midnight: 32_400 },
    subject: "Hello {{contact.first_name}}",
    content: "<p>Dear {{contact.first_name}}</p>",
    ...more,
  };
}

export function makeDefinition(more: object = {}): object {
  return { name: "After a test drive", team_id: null, communications: [makeCommunication()], ...more };
}

export interface Road {
  readonly id: string;
  /** Ids of activity types by name: Drive starts the definitions; Sold, Lost and Again set the status. */
  readonly types: Readonly<Record<string, string>>;
}

/** A path whose type Drive starts the definitions. */
export async function makeRoad(admin: Actor, definitions: readonly string[]): Promise<Road> {
  const path = await postRecord(admin, "/v1/relations-paths", {
    name: "Cars",
    activity_types: {
      milestones: [
        { name: "Offer" },
        { name: "Sold", set_status: "closed", automated_communications: definitions },
        { name: "Lost", set_status: "declined" },
        { name: "Again", set_status: "open" },
      ],
      supportive: [
        { name: "Drive", automated_communications: definitions },
        { name: "Talk", automated_communications: definitions },
        { name: "Call" },
      ],
    },
  });
  const all: Body[] = [...path.activity_types.milestones, ...path.activity_types.supportive];
  return { id: path.id, types: Object.fromEntries(all.map(({ name, id }) => [name, id])) };
}

/** A case of a new contact. */
export async function createCase(
  actor: Actor,
  road: Road,
  { values = {}, ...more }: {
    values?: Record<string, string>;
    team_id?: number | null;
    created_at?: string;
  } = {},
): Promise<Body> {
  const contact = await createConsumer(
    actor,
    { first_name: "Grace", email: "grace@example.org", ...values },
    more,
  );
  return await postRecord(actor, "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: road.id,
    ...more,
  });
}

export async function act(
  actor: Actor,
  road: Road,
  caseId: string,
  names: readonly string[],
  more: object = {},
): Promise<Body> {
  const activity_type_ids = names.map((name) => road.types[name]);
  return await postRecord(actor, `/v1/cases/${caseId}/activities`, { activity_type_ids, ...more });
}

/** The automated communications of a case. */
export async function listSends(actor: Actor, caseId: string): Promise<Body[]> {
  const { status, text, body } = await actor.call(
    "GET",
    `/v1/cases/${caseId}/automated-communications?per_page=100`,
  );
  assert.equal(status, 200, text);
  return body.data;
}

export async function readNext(actor: Actor, caseId: string): Promise<Body> {
  return (await actor.call("GET", `/v1/cases/${caseId}`)).body.next_pending_automated_communication;
}

/** Runs all jobs at a wire timestamp. */
export async function workAt(app: TestApp, at: string): Promise<void> {
  app.clock.set(Date.parse(`${at.replace(" ", "T")}Z`));
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
}

/** Runs only the job that queues them. */
export async function queueNow(app: TestApp): Promise<number> {
  return await queueAutomated(app.deps, app.clock.now());
}

export function automatedMails(app: TestApp): Letter[] {
  return app.mailer.sent.filter(({ headers }) => headers?.["List-Unsubscribe"] !== undefined);
}
