/** Takes cases and leads out of the database, with what hangs on them. */
import { caseRows } from "../../../src/sales/cases/gone.ts";
import type { TestApp } from "../../support/app.ts";

export async function dropCase(app: TestApp, id: string): Promise<void> {
  await app.deps.db.write([
    ...caseRows([{ id }]),
  ]);
}

export async function dropLead(app: TestApp, id: string): Promise<void> {
  await app.deps.db.write([
    { sql: "delete from lead_moves where lead_id = ?", args: [id] },
    { sql: "delete from leads where id = ?", args: [id] },
  ]);
}
