/** Takes records out of the database, with what hangs on them. */
import type { TestApp } from "../../support/app.ts";

/** The cases that match, such as `contact_id = ?`. */
export async function dropCases(app: TestApp, where: string, id: string): Promise<void> {
  const of = `(select id from cases where ${where})`;
  await app.deps.db.write([
    ...["activities", "tasks", "case_milestones"].map((table) => ({
      sql: `delete from ${table} where case_id in ${of}`,
      args: [id],
    })),
    { sql: `delete from cases where ${where}`, args: [id] },
  ]);
}

export async function dropContact(app: TestApp, id: string): Promise<void> {
  await dropCases(app, "contact_id = ?", id);
  await app.deps.db.write([
    { sql: "delete from contacts_search where rowid = (select seq from contacts where id = ?)", args: [id] },
    { sql: "delete from contacts where id = ?", args: [id] },
  ]);
}

export async function dropAccount(app: TestApp, id: string): Promise<void> {
  await dropCases(app, "account_id = ?", id);
  await app.deps.db.write([
    { sql: "delete from contacts where account_id = ?", args: [id] },
    { sql: "delete from accounts where id = ?", args: [id] },
  ]);
}

export async function dropLead(app: TestApp, id: string): Promise<void> {
  await app.deps.db.write([
    { sql: "delete from lead_moves where lead_id = ?", args: [id] },
    { sql: "delete from leads where id = ?", args: [id] },
  ]);
}
