/** What people make by hand has a number that a company may have; the rest is on a list with its reason. */
import assert from "node:assert/strict";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { type Numbered, numbers } from "../../src/core/numbers.ts";
import { tables } from "../../src/schema.ts";
import type { TestApp } from "../support/app.ts";
import { endpoints, prepare, sendPrepared, startFilled } from "./sweep.ts";

/** The operations that make a record of the table. */
const makers: Readonly<Record<Numbered, readonly string[]>> = {
  applications: ["createApplication"],
  automated_communications: ["createAutomatedCommunication"],
  campaigns: ["createCampaign", "copyCampaign"],
  folders: ["createFolder"],
  groups: ["createGroup"],
  indicator_sets: ["createIndicatorSet"],
  lead_types: ["createLeadType"],
  product_categories: ["createProductCategory"],
  ranks: ["createRank"],
  relations_paths: ["createRelationsPath"],
  roles: ["createRole"],
  saved_filters: ["createAccountFilter", "createContactFilter", "createView"],
  scheduled_reports: ["createScheduledReport"],
  templates: ["createTemplate"],
};

const business = "the work of the company: customers, leads, cases and what belongs to them";
const derived = "follows from other records";
const bounded = "one row of a record, a member or a setting";

/** Tables of companies without a number. */
const others: Readonly<Record<string, string>> = {
  accounts: business,
  activities: business,
  activity_types: "at most 100 of a path (counts.activityTypes)",
  attachments: bounded,
  automated_messages: derived,
  automated_sends: derived,
  campaign_messages: derived,
  campaign_settings: bounded,
  case_numbers: bounded,
  cases: business,
  contacts: business,
  correspondences: business,
  deleted_names: derived,
  deliveries: "30 days",
  event_sequences: derived,
  fact_dims: derived,
  fact_rollups: derived,
  facts: derived,
  feed_floors: bounded,
  field_orders: "ordersBudget",
  fields: "counts.fields of a kind",
  file_permissions: "counts.permissions of a file",
  file_totals: derived,
  file_usage: derived,
  files: "FILE_QUOTA",
  folder_contents: derived,
  game_players: derived,
  import_errors: "goes with its import",
  import_kept: "goes with its import",
  imports: "FILE_QUOTA; a year",
  invitations: "7 days; 5 an hour to a person",
  json_pool: derived,
  leads: business,
  mails: "30 days after the last attempt",
  merges: business,
  notes: business,
  notifications: "age and go",
  objects: "see tests/structure/kept_objects.test.ts",
  outbox: "goes when it is delivered",
  products: business,
  recoveries: "one at a time of a webhook",
  refusals: derived,
  report_charts: "keptForMoment.charts; a day",
  report_deliveries: "counts.keptReports; makingPolicies.report, or one a period of a scheduled report",
  exports: "makingPolicies.export; 30 days",
  report_exports: "makingPolicies.export; 30 days",
  set_aside: derived,
  sign_ons: "10 minutes",
  sso_drivers: bounded,
  staged_work: derived,
  stream_events: derived,
  tasks: business,
  teams: "made by admins, who see and delete them",
  timeline_events: business,
  totals: derived,
  users: "made by admins, who see and delete them",
  webhooks: "WEBHOOK_LIMIT",
};

Deno.test("every table of companies has a number of rows, or a reason for none", () => {
  const found = tables.flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    return columns.some((column) => column.name === "company_id") ? [name] : [];
  });
  assert.deepEqual(found.sort(), [...Object.keys(numbers), ...Object.keys(others)].sort());
  assert.deepEqual(Object.values(others).filter((reason) => reason === ""), []);
});

Deno.test("a record beyond the number of its kind is 422 max, however it is made", async () => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  for (const [table, operations] of Object.entries(makers)) {
    const { most, at } = numbers[table as Numbered];
    await copyUpTo(app, table, place.ids.company_id, most);
    for (const operation of operations) {
      const endpoint = endpoints.find(({ declared }) => declared.operation === operation);
      assert.ok(endpoint, operation);
      const reply = await sendPrepared(app.url, await prepare(place, endpoint));
      assert.equal(reply.status, 422, `${operation}: ${reply.text.slice(0, 300)}`);
      const { path, code } = reply.body.errors[0];
      assert.deepEqual([path, code], [at, "max"], operation);
    }
  }
});

/** Copies a record of the company until the company has `most` of them. */
async function copyUpTo(app: TestApp, table: string, company: number, most: number): Promise<void> {
  const columns = await app.sql(`select name, type, pk from pragma_table_info('${table}')`);
  const unique = (await app.sql(
    `select distinct c.name from pragma_index_list('${table}') i, pragma_index_info(i.name) c where i."unique" = 1`,
  )).map(({ name }) => name);
  const [counted] = await app.sql(`select count(*) as n from ${table} where company_id = ?`, company);
  const copied = columns.filter(({ type, pk }) => !(pk === 1 && type === "INTEGER"));
  const names = copied.map(({ name }) => `"${String(name)}"`).join(", ");
  const values = copied.map(({ name, type }) => {
    const isOwn = name === "company_id" || type !== "TEXT" || !unique.includes(name!);
    return isOwn ? `t."${String(name)}"` : `t."${String(name)}" || '-' || n.i`;
  }).join(", ");
  await app.deps.db.write([{
    sql: `insert into ${table} (${names}) with recursive n(i) as (select 1 union all select i + 1 from n
      where i < ?) select ${values} from n, (select * from ${table} where company_id = ? limit 1) t`,
    args: [most - Number(counted!.n), company],
  }]);
}
