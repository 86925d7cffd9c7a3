/**
 * A database for measurements: one company with all kinds of records, tokens, and two subscriptions to each
 * event of a new lead.
 */
import { join } from "node:path";
import { fill } from "../../src/cli/seed/fill.ts";
import { makeId, makeToken } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { webhooks } from "../../src/delivery/webhooks/record.ts";
import { insert } from "../../src/db/statements.ts";
import { migrationsFolder } from "../../src/entry/box.ts";
import { applications } from "../../src/identity/applications/table.ts";
import { accessTokens } from "../../src/identity/auth/table.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { type BenchFiles, makeFiles } from "./files.ts";
import { type Samples, takeSamples } from "./samples.ts";

export interface World {
  readonly file: string;
  /** The token of the company's admin. */
  readonly admin: string;
  /** The token of a member of one of fifty teams. */
  readonly member: string;
  readonly contacts: number;
  readonly samples: Samples;
  /** A body for `POST /leads`. */
  readonly lead: unknown;
  readonly files: BenchFiles;
}

export async function makeWorld(
  folder: string,
  given: { contacts: number; accounts: number; cases: number; target: string; users?: number },
): Promise<World> {
  const file = join(folder, "crm.db");
  const db = openFile(file, { busyCommits: Infinity });
  await migrate(db, readMigrations(migrationsFolder));
  const begun = performance.now();
  const now = Date.now();
  const { companyId, adminId, dealers } = await fill(db, {
    seed: 1,
    now,
    contacts: given.contacts,
    accounts: given.accounts,
    cases: given.cases,
    leads: Math.round(given.contacts / 20),
    teams: 51,
    users: given.users ?? 153,
    passwordHash: "none",
  });
  console.log(`Seeded in ${Math.round((performance.now() - begun) / 1000)} s.`);
  const at = formatTimestamp(now);
  const stamps = { created_at: at, updated_at: at };
  const client_id = makeId();
  const insertToken = async (user_id: number): Promise<string> => {
    const token = makeToken();
    await db.write([insert(accessTokens, {
      hash: sha256(token),
      id: makeId(),
      client_id,
      user_id,
      // Lasts for 30 days, because a world may be kept for later runs.
      expires_at: now + 30 * 86_400_000,
      created_at: at,
    })]);
    return token;
  };
  await db.write([
    insert(applications, {
      client_id,
      company_id: companyId,
      user_id: adminId,
      name: "Bench",
      secret_hash: sha256(makeToken()),
      secret_hint: "none",
      ...stamps,
    }),
    ...["one", "two"].flatMap((path) =>
      ["lead_created", "lead_assigned"].map((event_name) =>
        insert(webhooks, {
          company_id: companyId,
          user_id: adminId,
          target_url: `${given.target}/${path}/${event_name}`,
          event_name,
          ...stamps,
        })
      )
    ),
  ]);
  const [admin, member] = [await insertToken(adminId), await insertToken(dealers[0]!.userIds[0]!)];
  const [types] = await db.read([{
    sql: "select id from lead_types where company_id = ? and disabled = 0 order by created_at limit 1",
    args: [companyId],
  }]);
  const samples = await takeSamples(db, companyId);
  const files = await makeFiles(db, folder, { companyId, userId: adminId });
  await db.close();
  return {
    file,
    admin,
    member,
    contacts: given.contacts,
    samples,
    files,
    lead: {
      b2c: false,
      lead_source: "website",
      lead_type_id: types!.rows[0]!.id,
      team_id: dealers[0]!.teamId,
      interest: "A test drive",
      account: { fixed_fields: [{ name: "name", value: "Ada Ltd" }, { name: "city", value: "London" }] },
      contact: {
        fixed_fields: [{ name: "last_name", value: "Byron" }, { name: "email", value: "ada@example.org" }],
      },
      lead_data: [{ key: "Colour", value: "red" }],
    },
  };
}
