/** A company with records of every kind, some bare and some full, and leads in every state. */
import { refuseAddress } from "../../src/customers/refusals/refusals.ts";
import { makeId } from "../../src/core/ids.ts";
import assert from "node:assert/strict";
import { insert, sql } from "../../src/db/statements.ts";
import { storeEvents } from "../../src/insight/gamification/write.ts";
import { reportExports } from "../../src/insight/exports/table.ts";
import { exports } from "../../src/integration/exports/table.ts";
import { reportDeliveries, reportReaders } from "../../src/insight/kept_reports/table.ts";
import type { Result, Statement } from "../../src/platform/database/database.ts";
import type { Actor, Body, TestApp, TestCompany } from "../support/app.ts";
import { ways } from "../sales/leads_states.ts";
import { makeSales, type World } from "../sales/leads_world.ts";
import { makePng } from "../support/pictures.ts";

/** One record of each kind, by the name that paths have for its id. */
export interface Ids {
  readonly company_id: number;
  readonly user_id: number;
  readonly team_id: number;
  readonly group_id: number;
  readonly role_id: number;
  readonly account_id: string;
  readonly contact_id: string;
  readonly relations_path_id: string;
  readonly milestone_id: string;
  readonly category_id: number;
  readonly product_id: string;
  readonly lead_type_id: string;
  readonly lead_id: string;
  readonly dealer_id: number;
  readonly case_id: string;
  readonly activity_id: string;
  readonly correspondence_id: string;
  readonly letter_id: string;
  readonly task_id: string;
  readonly note_id: number;
  readonly webhook_id: number;
  readonly delivery_id: string;
  readonly field_id: string;
  readonly option_id: string;
  readonly filter_id: string;
  readonly view_id: string;
  readonly application_client_id: string;
  readonly token: string;
  readonly invitation_id: number;
  readonly template_id: number;
  readonly campaign_id: string;
  readonly campaign_message_id: number;
  readonly automated_communication_id: string;
  readonly automated_id: string;
  readonly indicator_set_id: string;
  readonly rank_id: string;
  readonly scheduled_report_id: string;
  readonly report_id: string;
  /** An event of a colleague. */
  readonly event_id: number;
  readonly export_id: string;
  readonly file_id: string;
  /** A folder of the company. */
  readonly folder_id: string;
}

export interface Place {
  readonly world: World;
  /** The token of a trusted client that acts for no user. */
  readonly trusted: string;
  /** The token of a trusted client that acts for the admin. */
  readonly trustedAdmin: string;
  readonly ids: Ids;
  /** The milestone that an activity can do. */
  readonly milestone: string;
  /** Returns a number that it has not returned before. */
  next(): number;
  /** Creates a record as the admin and returns it. */
  make(path: string, body: unknown, status?: number): Promise<Body>;
  /** Writes rows that no endpoint writes. */
  write(...statements: Statement[]): Promise<Result[]>;
  /** Creates another company, for calls that end a company. */
  company(): Promise<TestCompany>;
}

export const nameFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

const consent = {
  call: { consent_given: true },
  email: { consent_given: false },
  letter: { consent_given: null },
};

let given = 0;

/** Fills a new company; two of them on one app do not see each other. */
export async function fill(app: TestApp): Promise<Place> {
  const sales = await makeSales(app);
  const { admin, company } = sales;
  const trustedAdmin = await company.token(admin.id, true);
  const make = async (path: string, body: unknown, status = 201) => {
    const reply = await app.call(trustedAdmin, "POST", path, body);
    assert.equal(reply.status, status, `${path}: ${reply.text}`);
    return reply.body;
  };
  const next = () => ++given;

  const group = await make("/v1/groups", { name: "North" });
  const role = await make("/v1/roles", { name: "Agency", rights: ["agency"] });
  await make("/v1/fields/team", { label: "Remark", type: "text" });
  const team = await make("/v1/teams", {
    name: "Hamburg",
    city: "Hamburg",
    country: "DE",
    phone_number: "040 123456",
    team_type: "dealer",
    group_id: group.id,
    custom_fields: nameFields({ remark: "By the river" }),
  });
  const user = await company.user({ type: "team_admin", teams: [team.id] });
  await make("/v1/accounts", { fixed_fields: nameFields({ name: "Bare" }) });
  const field = await make("/v1/fields/account", { label: "Fuel", type: "single_choice", team_id: team.id });
  const option = await make(`/v1/fields/account/${field.id}/options`, { value: "Diesel" });
  await make(`/v1/fields/account/${field.id}/options`, { value: "Hydrogen", sort: 1 });
  await make("/v1/fields/account", { label: "Remark", type: "text" });
  await make("/v1/fields/contact", { label: "Birthday", type: "date" });
  const account = await make("/v1/accounts", {
    team_id: team.id,
    user_id: user.id,
    external_id: `erp-${next()}`,
    fixed_fields: nameFields({ name: "Full", country: "DE", website: "https://example.org" }),
    custom_fields: nameFields({ fuel: option.id, remark: "Pays late" }),
  });
  await make(`/v1/accounts/${account.id}/contacts`, { fixed_fields: nameFields({ last_name: "Bare" }) });
  const contact = await make(`/v1/accounts/${account.id}/contacts`, {
    user_id: user.id,
    external_id: `crm-${next()}`,
    fixed_fields: nameFields({ first_name: "Ada", last_name: "Byron", email: "ada@example.org" }),
    custom_fields: nameFields({ birthday: "1815-12-10" }),
    consent,
  });
  const category = await make("/v1/products/categories", { name: "Vans" });
  await make("/v1/products", { fixed_fields: nameFields({ name: "Bare" }) });
  const colour = await make("/v1/fields/product", { label: "Colour", type: "multiple_choice" });
  const red = await make(`/v1/fields/product/${colour.id}/options`, { value: "Red" });
  await make(`/v1/fields/product/${colour.id}/options`, { value: "Blue" });
  const tyres = await make("/v1/products", { fixed_fields: nameFields({ name: "Tyres", list_price: 400 }) });
  const product = await make("/v1/products", {
    category: { id: [category.id] },
    fixed_fields: nameFields({ name: "Van", list_price: 29_900.5, type: "product", vat: 19 }),
    custom_fields: nameFields({ colour: [red.id] }),
    related_product_ids: [tyres.id],
  });
  const path = await make("/v1/relations-paths", {
    name: "Used cars",
    team_id: team.id,
    activity_types: {
      milestones: [
        { name: "Offer", type: "offer", chance_of_success: 60, extra_step: { name: "Signed" } },
        { name: "Sold", set_status: "closed" },
      ],
      supportive: [{ name: "Call", suggest_task_after: 3 }],
    },
  });
  const type = await make("/v1/lead-types", {
    name: "Offer request",
    team_id: team.id,
    relations_path_ids: [path.id],
    escalation_accept: 60,
    escalation_user_ids: [user.id],
    team_settings: [{ team_id: team.id, relations_path_id: path.id, user_id: user.id }],
  });
  const template = await make("/v1/templates", {
    type: "email",
    title: "Answer",
    content: "<p>Dear {{contact.first_name}},</p>{{content}}",
    team_id: team.id,
  });
  await admin.call("PUT", "/v1/campaigns/settings", { domain_slug: `sweep-${company.id}` });
  const campaign = await make("/v1/campaigns", {
    type: "email",
    name: "Spring",
    message: { subject: "Offers", content: "<p>Dear {{contact.first_name}},</p>", sender: "Ada" },
    filter: [{ field: "contact.status", operator: "eq", value: "customer" }],
    template_id: template.id,
    send_at: "2036-05-01 09:00:00",
    task: {
      distribution_strategy: "distribute",
      distribute_users: [user.id],
      relations_path: path.id,
      start_at: "2036-05-02 09:00:00",
      end_at: "2036-05-02 17:00:00",
    },
    team_id: team.id,
  });
  const automated = await make("/v1/automated-communications", followUp(team.id, template.id));
  const set = await make("/v1/reports/indicator-sets", indicatorSet(team.id), 200);
  const rank = await make("/v1/gamification/ranks", makeRank(team.id));
  const schedule = await make("/v1/reports/scheduled", makeSchedule(set.id, user.id), 200);
  const known = { account: undefined, account_id: account.id, contact: undefined, contact_id: contact.id };
  await sales.lead({ ...known, external_weight: 50, interest: "Van" });
  for (const way of Object.values(ways)) await way(sales);
  const lead = await make("/v1/leads", sales.body());
  const bare = await make("/v1/cases", { contact_id: contact.id, relations_path_id: sales.path });
  const sale = await make("/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    team_id: team.id,
    user_id: user.id,
    stock_vehicle_id: bare.id,
  });
  const milestone: string = path.activity_types.milestones[0].id;
  const activity = await make(`/v1/cases/${sale.id}/activities`, {
    activity_type_ids: [milestone],
    communication_channel: "phone",
    note: "Called",
    correspondence: { email: { subject: "Offer", content: "Here" }, letter: { content: "There" } },
    extra_step_ids: [path.activity_types.milestones[0].extra_step.id],
    product_details: [{ products: [{ id: product.id, quantity: 2, discount: 5, comment: "Red" }] }],
    task: { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00", note: "Ask" },
  });
  await make(`/v1/cases/${sale.id}/timeline`, { title: "Bare" });
  await make(`/v1/cases/${sale.id}/timeline`, { type: "visit", title: "Full", content: "<b>Here</b>" });
  await make("/v1/notes", { note: "Bare", contact_id: contact.id, account_id: account.id });
  const note = await make("/v1/notes", {
    note: "Wants to see it on <b>Friday</b>",
    case_id: sale.id,
    activity_id: activity.id,
    contact_id: contact.id,
    account_id: account.id,
    notify: { users: [user.id], teams: [team.id] },
  });
  const invitation = await make(`/v1/companies/${company.id}/invitations`, {
    email: `invited-${next()}@example.org`,
    team_ids: [team.id],
    role_ids: [role.id],
  });
  const filter = await make("/v1/contacts/filters", { name: "All", filter: [] });
  const application = await make("/v1/applications", { name: "Website" });
  const { body: tokens } = await admin.call("GET", "/v1/tokens");
  const file = await make("/v1/files", textFile("offer.txt", [{ type: "team", value: team.id }]));
  const folder = await make("/v1/filemanager/folders", { name: "Offers", belongs_to: "company" }, 200);
  const view = await make("/v1/views", { name: "View", entity: "lead", team_id: team.id });
  const webhook = await make("/v1/webhooks", makeHook(next()));
  const delivery = await makeWaiting(admin, makeHook(next()));
  const refused = { company_id: company.id, email: "refused@example.org" };
  await app.deps.db.write([refuseAddress(app.deps, refused, "bounced", "2026-01-31 10:00:00")]);
  return {
    world: sales,
    trusted: await app.trustedClient(),
    trustedAdmin,
    milestone,
    next,
    make,
    write: (...statements) => app.deps.db.write(statements),
    company: () => app.company("Short-lived"),
    ids: {
      company_id: company.id,
      user_id: user.id,
      team_id: team.id,
      group_id: group.id,
      role_id: role.id,
      account_id: account.id,
      contact_id: contact.id,
      relations_path_id: path.id,
      milestone_id: milestone,
      category_id: category.id,
      product_id: product.id,
      lead_type_id: type.id,
      lead_id: lead.id,
      dealer_id: sales.dealer,
      case_id: sale.id,
      activity_id: activity.id,
      correspondence_id: activity.correspondence.email.id,
      letter_id: activity.correspondence.letter.id,
      task_id: activity.task.id,
      note_id: note.id,
      webhook_id: webhook.id,
      delivery_id: delivery.id,
      field_id: field.id,
      option_id: option.id,
      filter_id: filter.id,
      view_id: view.id,
      application_client_id: application.client_id,
      token: tokens.data[0].token,
      invitation_id: invitation.id,
      template_id: template.id,
      campaign_id: campaign.id,
      automated_communication_id: automated.id,
      indicator_set_id: set.id,
      rank_id: rank.id,
      scheduled_report_id: schedule.id,
      report_id: await deliveredReport((...statements) => app.deps.db.write(statements), {
        company_id: company.id,
        user_id: user.id,
      }),
      event_id: await writeStreamEvent((...statements) => app.deps.db.write(statements), {
        company_id: company.id,
        user_id: user.id,
      }),
      export_id: await failedExport((...statements) => app.deps.db.write(statements), {
        company_id: company.id,
        user_id: admin.id,
      }),
      automated_id: await waitingSend((...statements) => app.deps.db.write(statements), sale.id),
      campaign_message_id: await sentTo(
        (...statements) => app.deps.db.write(statements),
        campaign.id,
        contact.id,
        team.id,
      ),
      file_id: file.id,
      folder_id: folder.id,
    },
  };
}

/** Writes a sent message of a campaign. */
export async function sentTo(
  write: Place["write"],
  campaign: string,
  contact: string,
  team: number | null,
): Promise<number> {
  const snapshot = { subject: "Offers", content: "<p>{{contact.first_name}}</p>", frame: null, user: {} };
  const results = await write(
    sql`update campaigns set snapshot = ${JSON.stringify(snapshot)} where id = ${campaign}`,
    sql`insert into campaign_messages (company_id, campaign_id, contact_id, team_id, email, status, "values",
      subject, sent_at, created_at, updated_at) select company_id, id, ${contact}, ${team}, 'ada@example.org', 'sent',
      '{"contact.first_name":"Ada"}', 'Offers', created_at, created_at, created_at from campaigns
      where id = ${campaign} returning id`,
  );
  return Number(results[1]!.rows[0]!.id);
}

/** Lets an automated communication wait on a case. */
export async function waitingSend(write: Place["write"], caseId: string): Promise<string> {
  const id = makeId();
  await write(
    sql`insert into automated_sends (id, company_id, case_id, activity_id, activity_type_id, definition_id,
      message_id, name, subject, due_at, case_status, status, origin, created_at, updated_at)
      select ${id}, company_id, id, '', '', '', '', 'Thanks', 'Your test drive', ${Date.UTC(2098, 0)}, 'open',
      'pending', '', created_at, created_at from cases where id = ${caseId}`,
  );
  return id;
}

/** The body of a scheduled report for one user. */
export function makeSchedule(indicator_set_id: string, recipient: number) {
  return {
    name: "Sales of the week",
    indicator_set_id,
    delivery_frequency: "week",
    recipient_user_ids: [recipient],
    filters: { lead_sources: ["website"] },
  };
}

/** Creates a report that a user of another team made and this user received. */
export async function deliveredReport(
  write: Place["write"],
  { company_id, user_id }: { readonly company_id: number; readonly user_id: number },
): Promise<string> {
  const id = makeId();
  const at = "2026-03-02 06:00:00";
  const report = {
    id,
    company_id,
    user_id: 0,
    scheduled_report_id: null,
    name: null,
    once: null,
    file_id: null,
  };
  await write(
    insert(reportDeliveries, { ...report, start_at: at, end_at: at, data: "{}", created_at: at }),
    insert(reportReaders, { report_id: id, user_id, file_id: null }),
  );
  return id;
}

/** Creates a failed export of the user. */
export async function failedExport(
  write: Place["write"],
  { company_id, user_id }: { readonly company_id: number; readonly user_id: number },
): Promise<string> {
  const id = makeId();
  const expires_at = Date.UTC(2100, 0, 1);
  const created_at = "2026-03-02 09:00:00";
  const row = {
    id,
    company_id,
    user_id,
    status: "failed",
    format: "csv",
    columns: "[]",
    created_at,
  } as const;
  await write(insert(reportExports, { ...row, file_id: null, attempts: 1, due_at: null, expires_at }));
  return id;
}

/** Writes an export of records of a user that has failed. */
export async function failedRecordExport(
  write: Place["write"],
  { company_id, user_id }: { readonly company_id: number; readonly user_id: number },
): Promise<string> {
  const id = makeId();
  const row = { id, company_id, user_id, entity: "products", format: "csv", status: "failed" } as const;
  const times = { due_at: null, expires_at: Date.UTC(2100, 0, 1), created_at: "2026-03-02 09:00:00" };
  await write(insert(exports, { ...row, ...times, last_row: 0, failure: "internal" }));
  return id;
}

/** Writes an event of a user in the stream. */
export async function writeStreamEvent(
  write: Place["write"],
  { company_id, user_id }: { readonly company_id: number; readonly user_id: number },
  level = 9,
): Promise<number> {
  const name = `level_${level}`;
  const results = await write(
    storeEvents([{ company_id, user_id, type: "new_level", key: name, data: { level: { name } }, at: 0 }]),
    sql`select id from stream_events where user_id = ${user_id} and key = ${name}`,
  );
  return Number(results[1]!.rows[0]!.id);
}

/** The body of an indicator set of the team; null: of the company. */
export function indicatorSet(team: number | null) {
  const indicators = ["cases.closed", "leads.accepted"];
  return { name: "Sales", indicators, ...(team === null ? { scope: "company" } : { team_id: team }) };
}

/** The body of a rank of the team; null: of the company. */
export function makeRank(team_id: number | null) {
  return { name: "Most e-mails", icon: "envelope", rule: "emails_sent", team_id };
}

/** The body of an automated communication of the team. */
export function followUp(team_id: number | null, template_id = 0): object {
  const delay = { days: 1, offset_from_midnight: 32_400 };
  const message = { subject: "Your test drive", content: "<p>Dear {{contact.first_name}},</p>" };
  return {
    name: "After a test drive",
    team_id,
    communications: [{ name: "Thanks", delay, template_id, ...message }],
  };
}

/** Changes a campaign to one that is being sent. */
export async function startSending(write: Place["write"], campaign: string): Promise<void> {
  await write(sql`update campaigns set status = 'pending', stage = 'sending' where id = ${campaign}`);
}

/** The body of a small file. */
export function textFile(name: string, permissions: readonly object[] = []): object {
  return { name, data: "SGVsbG8sIHdvcmxkIQo=", permissions };
}

/** The body of a small picture. */
export function pictureFile(name: string, permissions: readonly object[] = []): object {
  return { name, data: makePng(4, 3).toBase64(), permissions };
}

/**
 * The body of a webhook for an event that its user causes in no sweep, so that nothing is sent in the
 * background.
 */
export function makeHook(number: number): object {
  return {
    target_url: `http://127.0.0.1:9/hooks/${number}`,
    webhook_event: "timeline_event_created",
    scope: "user",
    verification_token: "whisper",
  };
}

/** Creates a paused subscription, so that nothing is sent to it in the background. */
export async function pausedHook(by: Pick<Actor, "call">, body: object): Promise<number> {
  const { body: { id } } = await by.call("POST", "/v1/webhooks", body);
  assert.equal((await by.call("PUT", `/v1/webhooks/${id}`, { paused: true })).status, 200);
  return id;
}

/** Creates a delivery that waits for such a subscription. */
export async function makeWaiting(by: Pick<Actor, "call">, body: object): Promise<Body> {
  const reply = await by.call("POST", `/v1/webhooks/${await pausedHook(by, body)}/test`);
  assert.equal(reply.status, 202, reply.text);
  return reply.body;
}

/** Opens a session of the user on the pages; its id. */
export async function openSession({ world: { app } }: Place, userId: number): Promise<string> {
  const id = crypto.randomUUID();
  const end = app.clock.now() + 24 * 3_600_000;
  await app.deps.db.write([{
    sql: "insert into sessions (hash, id, user_id, expires_at, created_at) values (?, ?, ?, ?, ?)",
    args: [`hash of ${id}`, id, userId, end, "2026-03-02 09:00:00"],
  }]);
  return id;
}
