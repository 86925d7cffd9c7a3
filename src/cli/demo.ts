/**
 * Creates a demo company in an empty database and keeps the secrets to call it in a file beside the database.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Config } from "../config.ts";
import { makeToken } from "../core/ids.ts";
import { formatTimestamp } from "../core/time.ts";
import { sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { openBox } from "../entry/box.ts";
import { toFilePath } from "../entry/places.ts";
import { createClient } from "../identity/applications/create.ts";
import { hashPassword } from "../platform/crypto.ts";
import { addDemoFiles } from "./demo_files.ts";
import { fill } from "./seed/fill.ts";

const Demo = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  users: z.array(z.string()),
  password: z.string(),
});
export type Demo = z.infer<typeof Demo>;

/**
 * Migrates the database file, creates the demo company when there is no company, and returns the demo's
 * secrets. Returns null when the database has other companies, and for a remote database, which it does not
 * touch.
 */
export async function prepareDemo(config: Config): Promise<Demo | null> {
  if (!config.databaseUrl.startsWith("file:")) return null;
  const file = join(dirname(toFilePath(config.databaseUrl)), "demo.json");
  // What the demo does by itself, such as its mails, is no news: the first lines are those of the service.
  const { deps, close } = await openBox({ ...config, logLevel: config.logLevel === "off" ? "off" : "error" });
  try {
    const kept = await readDemo(deps, file);
    if (kept === "ended") console.log("The demo company was deleted: a new one is made.");
    else if (kept !== "none") return kept;
    const demo = await makeDemo(deps);
    writeFileSync(file, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    // The files come last: without a storage only they are missing, and the secrets are already stored.
    await addDemoFiles(deps, demo);
    return demo;
  } finally {
    await close();
  }
}

async function makeDemo(deps: Deps): Promise<Demo> {
  const now = deps.clock.now();
  const password = makeToken().slice(0, 20);
  const { companyId, adminId, signIns } = await fill(deps.db, {
    seed: 1,
    now,
    contacts: 200,
    accounts: 60,
    cases: 40,
    leads: 30,
    teams: 5,
    users: 15,
    passwordHash: await hashPassword(password),
  });
  const client = await createClient({ deps, now, at: formatTimestamp(now) }, {
    name: "Demo",
    owner: { company_id: companyId, user_id: adminId },
    trusted: true,
  });
  return { ...client, users: Object.values(signIns), password };
}

/**
 * Returns the secrets of an earlier start if they belong to this database. `none`: there is no company; `ended`: the demo
 * company was deleted; null: the database has companies of its own.
 */
async function readDemo(deps: Deps, file: string): Promise<Demo | "none" | "ended" | null> {
  const parsed = existsSync(file) ? Demo.safeParse(JSON.parse(readFileSync(file, "utf8"))) : null;
  const kept = parsed?.success ? parsed.data : null;
  const [counted, found] = await deps.db.read([
    sql`select count(*) as live from companies where deleted_at is null`,
    sql`select c.deleted_at from applications a join companies c on c.id = a.company_id
      where a.client_id = ${kept?.client_id ?? ""}`,
  ]);
  const { live } = counted!.rows[0]!;
  const client = found!.rows[0];
  if (kept && client?.deleted_at === null) return kept;
  if (live === 0 || client) return kept ? "ended" : "none";
  return null;
}
