/** Companies whose campaigns can be sent. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import type { Letter } from "../../src/platform/mail/mail.ts";
import type { Actor, Body, TestApp, TestCompany } from "../support/app.ts";

export const message = {
  subject: "Offers for {{contact.first_name}}",
  content: "<p>Dear {{contact.first_name}},</p>",
  sender: "Ada, Cars",
};

/** An approved e-mail to everybody, sent now. */
export const everybody = { name: "Spring", type: "email", message, filter: [], execute_now: true };

/** The same campaign, sent within the hour instead of right away. */
export const soon = { ...everybody, execute_now: false, send_at: "2026-03-02 09:30:00" };

export async function sendingCompany(app: TestApp): Promise<TestCompany> {
  const company = await app.company();
  await put(company.admin, "/v1/campaigns/settings", { domain_slug: `slug-${company.id}` });
  return company;
}

/** Creates a campaign. */
export async function createCampaign(actor: Actor, body: object): Promise<Body> {
  return await postRecord(actor, "/v1/campaigns", body);
}

/** Creates a consumer with the values and other members of a contact. */
export async function createConsumer(
  actor: Actor,
  values: Record<string, string>,
  { account = {}, ...more }: Record<string, object | string | number | null> = {},
): Promise<Body> {
  const fields = (of: object) => Object.entries(of).map(([name, value]) => ({ name, value }));
  const { team_id, ...rest } = more;
  const owner = team_id === undefined ? {} : { team_id };
  const made = await postRecord(actor, "/v1/accounts", {
    b2c: true,
    ...owner,
    fixed_fields: fields(account as object),
  });
  return await postRecord(actor, `/v1/accounts/${made.id}/contacts`, {
    fixed_fields: fields(values),
    ...rest,
  });
}

export async function postRecord(actor: Actor, path: string, body: object): Promise<Body> {
  const reply = await actor.call("POST", path, body);
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

export async function put(actor: Actor, path: string, body: object): Promise<Body> {
  const reply = await actor.call("PUT", path, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** Runs the jobs once, after the work that calls began in the background. */
export async function runWork(app: TestApp): Promise<void> {
  await app.idle();
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
}

/** The messages of a campaign by contact: their status and error. */
export async function listMessages(actor: Actor, id: string, query = ""): Promise<Body[]> {
  const { status, text, body } = await actor.call("GET", `/v1/campaigns/${id}/messages?per_page=100${query}`);
  assert.equal(status, 200, text);
  assert.equal(body.pagination.total, body.data.length);
  return body.data;
}

/** The mails of campaigns that the mail server has taken. */
export function campaignMails(app: TestApp): Letter[] {
  return app.mailer.sent.filter(({ id }) => id.startsWith("campaign-"));
}
