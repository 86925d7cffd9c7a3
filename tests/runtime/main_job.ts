/**
 * The main job over HTTP: create a company, upload its logos, invite a user by mail, accept a lead and close
 * its case, escalate a lead that nobody accepts. Each step reaches the webhook's target, signed.
 */
import assert from "node:assert/strict";
import { type Body, send } from "../support/app.ts";
import type { Target } from "../support/listener.ts";
import { makeFile, makeMultipart, makePng } from "../support/pictures.ts";
import type { Smtp } from "../support/smtp.ts";
import { Inbox } from "./inbox.ts";

/** A running service with this trusted client. */
export interface Service {
  readonly url: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly target: Target;
  /** The mail server. */
  readonly smtp: Smtp;
  /** Runs every job once, three days ahead. */
  jobsThreeDaysAhead(): Promise<void>;
}

const password = "correct horse battery";
const listFields = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

export async function mainJob(service: Service): Promise<void> {
  const nobody = await Person.client(service);
  const company = await nobody.make("/v1/companies", {
    name: "Nordlicht Autohaus",
    timezone: { name: "Europe/Berlin" },
    user: { first_name: "Ada", last_name: "Byron", email: "ada@nordlicht.example", password },
  });
  assert.equal((await nobody.call("GET", "/v1/accounts")).status, 403);
  const admin = await Person.user(service, "ada@nordlicht.example");
  assert.equal((await admin.get("/v1/me")).id, company.user.id);

  const logos = {
    logo_1: makeFile("wide.png", makePng(480, 140)),
    logo_2: makeFile("square.png", makePng(80, 80)),
  };
  const given = await admin.call("POST", "/upload/company-logo", await makeMultipart(logos));
  assert.equal(given.status, 200, given.text);
  const shown = await fetch((await admin.get(`/v1/companies/${company.id}`)).logo_2);
  assert.deepEqual(await shown.bytes(), makePng(80, 80));
  assert.equal(shown.headers.get("content-type"), "image/png");

  const invited = { email: "grace@nordlicht.example" };
  const { invite_token } = await admin.make(`/v1/companies/${company.id}/invitations`, invited);
  const mail = await service.smtp.first();
  assert.deepEqual(mail.to, [invited.email]);
  assert.ok(mail.read.text?.includes(`${service.url}/auth/invitation?token=${invite_token}`), mail.data);

  const verification_token = "a token that only the two of us know";
  const webhook = { target_url: service.target.url, webhook_event: "*", verification_token };
  await admin.make("/v1/webhooks", webhook);
  const inbox = new Inbox(service.target, verification_token, company.id, (path) => admin.get(path));

  const dealer = await admin.make("/v1/teams", { name: "Hamburg", team_type: "dealer" });
  const agency = await admin.make("/v1/teams", { name: "Agency" });
  const users = `/v1/companies/${company.id}/users`;
  const member = { first_name: "Bo", last_name: "Diaz", email: "bo@nordlicht.example", password };
  const bo = await admin.make(users, { ...member, team_ids: [dealer.id] });
  await inbox.gets("team_created", dealer);
  await inbox.gets("team_created", agency);
  await inbox.gets("user_created", bo);

  const path = await admin.make("/v1/relations-paths", {
    name: "New cars",
    activity_types: {
      milestones: [
        { name: "Test drive", type: "test_drive", chance_of_success: 40 },
        { name: "Sold", chance_of_success: 100, set_status: "closed" },
      ],
    },
  });
  const type = await admin.make("/v1/lead-types", {
    name: "Test drive",
    relations_path_ids: [path.id],
    escalation_accept: 60,
    escalation_activity: 120,
  });
  const lead = (name: string) => ({
    b2c: false,
    lead_source: "website",
    lead_type_id: type.id,
    team_id: dealer.id,
    agency_team_id: agency.id,
    account: { fixed_fields: listFields({ name, city: "Hamburg" }) },
    contact: { fixed_fields: listFields({ first_name: "Grace", last_name: name }) },
  });

  const taken = await admin.make("/v1/leads", lead("Hopper & Co"));
  assert.equal(taken.status, "assigned");
  await inbox.gets("lead_created", taken);
  await inbox.gets("lead_assigned", taken);

  const seller = await Person.user(service, "bo@nordlicht.example");
  const accepted = await seller.call("PUT", `/v1/leads/${taken.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.body.status, "accepted");
  await inbox.gets("lead_accepted", accepted.body);
  const [opened] = (await seller.get("/v1/cases?show=mine")).data;
  const theCase = await seller.get(`/v1/cases/${opened.id}`);
  assert.equal(theCase.status, "open");
  const account = await seller.get(`/v1/accounts/${theCase.account.id}`);
  const contact = await seller.get(`/v1/contacts/${theCase.contact.id}`);
  assert.equal(getField(account, "name"), "Hopper & Co");
  assert.equal(getField(contact, "first_name"), "Grace");
  await inbox.gets("account_created", account);
  await inbox.gets("contact_created", contact);
  await inbox.gets("case_created", theCase);
  await inbox.isUpToDate();

  const [drive, sold] = path.activity_types.milestones;
  const activities = `/v1/cases/${theCase.id}/activities`;
  const first = await seller.make(activities, {
    activity_type_ids: [drive.id],
    communication_channel: "meeting",
    note: "Drove around the lake",
  });
  await inbox.gets("activity_created", first);
  const driven = await seller.get(`/v1/cases/${theCase.id}`);
  assert.deepEqual([driven.status, driven.chance_of_success], ["open", 40]);
  await inbox.gets("case_updated", driven);
  const second = await seller.make(activities, { activity_type_ids: [sold.id] });
  await inbox.gets("activity_created", second);
  const closed = await seller.get(`/v1/cases/${theCase.id}`);
  assert.deepEqual([closed.status, closed.chance_of_success], ["closed", 100]);
  await inbox.gets("case_updated", closed);
  assert.equal((await seller.get(`/v1/leads/${taken.id}`)).escalates_at, null);
  await inbox.isUpToDate();

  const left = await admin.make("/v1/leads", lead("Nobody's"));
  await inbox.gets("lead_assigned", left);
  await service.jobsThreeDaysAhead();
  // Tokens of one hour have expired by then.
  const later = await Person.user(service, "ada@nordlicht.example");
  const escalated = await later.get(`/v1/leads/${left.id}`);
  assert.equal(escalated.status, "escalated");
  await inbox.gets("lead_escalated", escalated);
  assert.equal((await later.get(`/v1/leads/${taken.id}`)).status, "accepted");
  inbox.readBy((path) => later.get(path));
  await inbox.isUpToDate();
  inbox.isWhole();
}

/** A caller with a token from the token endpoint. */
class Person {
  private constructor(private readonly url: string, private readonly token: string) {}

  static async client({ url, client }: Service): Promise<Person> {
    return new Person(
      url,
      await requestToken(url, { grant_type: "client_credentials", ...credentials(client) }),
    );
  }

  static async user({ url, client }: Service, username: string): Promise<Person> {
    return new Person(
      url,
      await requestToken(url, { grant_type: "password", username, password, ...credentials(client) }),
    );
  }

  call(method: string, path: string, body?: unknown) {
    return send(this.url + path, method, this.token, body);
  }

  async make(path: string, body: unknown): Promise<Body> {
    const reply = await this.call("POST", path, body);
    assert.equal(reply.status, 201, `POST ${path}: ${reply.text}`);
    return reply.body;
  }

  async get(path: string): Promise<Body> {
    const reply = await this.call("GET", path);
    assert.equal(reply.status, 200, `GET ${path}: ${reply.text}`);
    return reply.body;
  }
}

function credentials({ id, secret }: Service["client"]) {
  return { client_id: id, client_secret: secret };
}

async function requestToken(url: string, body: Record<string, string>): Promise<string> {
  const reply = await send(`${url}/auth/token`, "POST", null, new URLSearchParams(body).toString(), {
    "Content-Type": "application/x-www-form-urlencoded",
  });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.access_token;
}

function getField(record: Body, name: string): unknown {
  return record.fixed_fields.find((field: Body) => field.name === name)?.value;
}
