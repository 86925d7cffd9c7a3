/** Addresses of all pages of the console, by records of a made-up company. */
import { pages } from "../../src/console/console.ts";
import assert from "node:assert/strict";
import { makeId } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { fill } from "../../src/cli/seed/fill.ts";
import type { Actor, TestApp } from "../support/app.ts";
import { prepareApp } from "../support/prepared.ts";
import { uploadImport } from "./uploads.ts";
import { signedIn } from "./world.ts";

/** Pages that are no documents: they lead to a file, or stand in a frame. */
const bare = [
  "/app/files/:file_id/download",
  "/app/cases/:case_id/correspondences/:correspondence_id",
  "/app/cases/:case_id/correspondences/:correspondence_id/pdf",
  "/app/imports/:import_id/errors.csv",
];
/** Ids for the parameters of paths, by SQL. */
const ids: Readonly<Record<string, string>> = {
  ":lead_id": "select id from leads where state = 'assigned' limit 1",
  ":case_id": "select id from cases where status = 'open' order by activity_count desc limit 1",
  ":account_id": "select account_id as id from contacts where b2c = 0 limit 1",
  ":contact_id": "select id from contacts where b2c = 0 limit 1",
  ":milestone_id": "select id from activity_types where set_status = 'closed' limit 1",
  ":user_id": "select id from users order by id desc limit 1",
  ":team_id": "select id from teams limit 1",
  ":relations_path_id": "select id from relations_paths limit 1",
  ":lead_type_id": "select id from lead_types limit 1",
  ":export_id": "select id from exports limit 1",
  ":import_id": "select id from imports limit 1",
  ":view_id": "select id from saved_filters limit 1",
  ":merge_id": "select id from merges limit 1",
  ":other_account_id":
    "select id from accounts where b2c = 0 and id <> (select account_id from contacts where b2c = 0 limit 1) limit 1",
  ":other_contact_id": "select id from contacts where b2c = 0 limit 1 offset 1",
};
/** What a page needs in its address. */
const queries: Readonly<Record<string, string>> = {
  "/app/cases/new": "?contact_id=:contact_id",
  "/app/cases/:case_id/move": "?milestone_id=:milestone_id",
  "/app/customers":
    "?field=contact.last_name&operator=neq&value=a&field=account.country&operator=in&value=DE",
  "/app/search": "?q=a",
  "/app/accounts/:account_id/merge": "?from_id=:other_account_id",
  "/app/contacts/:contact_id/merge": "?from_id=:other_contact_id",
};

/** Pages that show something else without their query. */
const also = ["/app/accounts/:account_id/merge", "/app/contacts/:contact_id/merge"];

const few = { contacts: 60, accounts: 20, cases: 20, leads: 30, teams: 4, users: 9 };

/** Makes a company with some of everything. `sizes`: other numbers of its records. Returns its admin. */
export async function fillCompany(app: TestApp, sizes: typeof few = few): Promise<Actor> {
  const { adminId } = await fill(app.deps.db, {
    seed: 1,
    now: app.clock.now(),
    ...sizes,
    passwordHash: "none",
  });
  await addMerge(app, adminId);
  const admin = { id: adminId } as Actor;
  await addFiles(app, admin);
  await addView(app, adminId);
  return admin;
}

/** Starts an app with a company like this, which is made once for all tests of a process. */
export const startFilled = prepareApp({}, (app) => fillCompany(app));

/** Adds a merge that moved nothing, of a record that has no successor. */
async function addMerge(app: TestApp, user_id: number): Promise<void> {
  const kept = { accounts: [], contacts: [], changed: [], subjects: [], homes: [] };
  const moved = {
    contacts: 0,
    cases: 1,
    leads: 0,
    notes: 2,
    files: 0,
    tasks: 0,
    correspondences: 0,
    campaign_messages: 0,
  };
  const row = [makeId(app.clock.now()), makeId(app.clock.now()), JSON.stringify(moved), JSON.stringify(kept)];
  await app.deps.db.write([{
    sql:
      `insert into merges (id, company_id, entity_type, entity_id, from_id, root_id, team_id, moved, kept, user_id,
      created_at) select ?, company_id, 'account', id, ?, id, team_id, ?, ?, ?, ? from accounts where b2c = 0 limit 1`,
    args: [...row, user_id, formatTimestamp(app.clock.now())],
  }]);
}

/** Adds a saved view of contacts. */
async function addView(app: TestApp, user_id: number): Promise<void> {
  const at = formatTimestamp(app.clock.now());
  await app.deps.db.write([{
    sql:
      `insert into saved_filters (id, company_id, kind, private, name, filter, created_by, created_at, updated_at,
      version) select ?, company_id, 'contact', 1, 'Mine', '[]', id, ?, ?, 1 from users where id = ?`,
    args: [makeId(app.clock.now()), at, at, user_id],
  }]);
}

/** Adds an import that is checked, with a row to mend, and an export. */
async function addFiles(app: TestApp, admin: Actor): Promise<void> {
  const file = "last_name,email,remark\nByron,byron@example.org,x\nBabbage,nothing,y\n";
  const browser = await signedIn(app, admin);
  const { status, text } = await uploadImport(app, browser, file);
  assert.equal(status, 303, text);
  const list = "/app/customers";
  const exported = await browser.submit(await browser.get(list), `${list}/export`, { format: "csv" });
  assert.equal(exported.status, 303, exported.text);
  await app.idle();
}

/** Returns the addresses of all pages that are documents. */
export async function listPlaces(app: TestApp): Promise<string[]> {
  const known = new Map<string, string>();
  for (const [name, sql] of Object.entries(ids)) known.set(name, String((await app.sql(sql))[0]?.id));
  const paths = pages.map(({ path }) => path).filter((path) => !bare.includes(path));
  return [...paths.map((path) => `${path}${queries[path] ?? ""}`), ...also].map((path) =>
    path.replaceAll(/:\w+/g, (name) => known.get(name) ?? name)
  );
}
