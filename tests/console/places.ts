/** Addresses of all pages of the console, by records of a made-up company. */
import { pages } from "../../src/console/console.ts";
import { fill } from "../../src/cli/seed/fill.ts";
import type { Actor, TestApp } from "../support/app.ts";

/** Pages that are no documents: they lead to a file, or stand in a frame. */
const bare = [
  "/app/files/:file_id/download",
  "/app/cases/:case_id/correspondences/:correspondence_id",
  "/app/cases/:case_id/correspondences/:correspondence_id/pdf",
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
};
/** What a page needs in its address. */
const queries: Readonly<Record<string, string>> = {
  "/app/cases/new": "?contact_id=:contact_id",
  "/app/cases/:case_id/move": "?milestone_id=:milestone_id",
  "/app/search": "?q=a",
};

/** Makes a company with some of everything. Returns its admin. */
export async function fillCompany(app: TestApp): Promise<Actor> {
  const { adminId } = await fill(app.deps.db, {
    seed: 1,
    now: app.clock.now(),
    contacts: 60,
    accounts: 20,
    cases: 20,
    leads: 30,
    teams: 4,
    users: 9,
    passwordHash: "none",
  });
  return { id: adminId } as Actor;
}

/** Returns the addresses of all pages that are documents. */
export async function placesOf(app: TestApp): Promise<string[]> {
  const known = new Map<string, string>();
  for (const [name, sql] of Object.entries(ids)) known.set(name, String((await app.sql(sql))[0]?.id));
  return pages.filter(({ path }) => !bare.includes(path)).map(({ path }) =>
    `${path}${queries[path] ?? ""}`.replaceAll(/:\w+/g, (name) => known.get(name) ?? name)
  );
}
