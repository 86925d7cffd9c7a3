/** The lists that `crm` prints: one line per company or client. */
import { dayMs, formatTimestamp, parseTimestamp } from "../core/time.ts";
import { sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { listClients } from "../identity/applications/administer.ts";
import { isUntouched } from "../identity/companies/begin_erasure.ts";
import type { Value } from "../platform/database/database.ts";

/**
 * Returns a line for each company: id, name, number of users, the times of creation and deletion, and when its data
 * goes.
 */
export async function listCompanyLines({ db, config }: Pick<Deps, "db" | "config">): Promise<string[]> {
  const [found] = await db.read([
    sql`select id, name, created_at, deleted_at, (select count(*) from users u where u.company_id = c.id
    and u.deleted_at is null) as users, ${isUntouched} as is_whole from companies c order by id`,
  ]);
  return formatLines(found!.rows.map(({ id, name, created_at, deleted_at, users, is_whole }) => [
    id,
    name,
    `${users} ${users === 1 ? "user" : "users"}`,
    `created ${created_at}`,
    ...(deleted_at === null ? [] : [
      `deleted ${deleted_at}`,
      is_whole === 1
        ? `erased after ${formatTimestamp(parseTimestamp(String(deleted_at))! + config.eraseAfter * dayMs)}`
        : "being erased",
    ]),
  ]));
}

/**
 * Returns a line for each client: id, name, company, user, the end of the secret, and its kind if special.
 */
export async function listClientLines(deps: Pick<Deps, "db">, company?: string | boolean): Promise<string[]> {
  const clients = await listClients(deps, company === undefined ? null : Number(company));
  return formatLines(clients.map((client) => {
    const deleted = client.company_deleted_at ? ", deleted" : "";
    return [
      client.client_id!,
      client.name!,
      client.company_id === null
        ? "no company"
        : `company ${client.company_id} (${client.company_name}${deleted})`,
      client.user_email === null ? "no user" : `user ${client.user_email}`,
      `secret …${client.secret_hint}`,
      client.trusted === 1 ? "trusted" : "",
      client.bootstrap === 1 ? "of BOOTSTRAP_CLIENT_ID" : "",
    ];
  }));
}

/** Names are user input. Control characters in them must not reach the terminal. */
function formatLines(rows: readonly (readonly (Value | undefined)[])[]): string[] {
  if (rows.length === 0) return ["There is none."];
  return rows.map((row) =>
    row.filter((cell) => cell !== "").map((cell) => String(cell).replaceAll(/\p{C}+/gu, " ")).join("  ")
  );
}
