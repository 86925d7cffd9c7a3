/** Administers all clients from the command line, including those without a company. */
import { noContent } from "../../core/answer.ts";
import { forbidden, notFound } from "../../core/errors.ts";
import { type Author, commit } from "../../db/commit.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Row } from "../../platform/database/database.ts";
import { endManyTokens, readManyTokens } from "../tokens/end_many.ts";
import { deleteApplicationRows, makeSecretRotation } from "./write.ts";
import { applicationById } from "./queries.ts";
import { type ApplicationRow, applications } from "./table.ts";

/** Lists all clients, or those of one company, with the names of company and user, oldest first. */
export async function listClients({ db }: Pick<Deps, "db">, companyId: number | null): Promise<Row[]> {
  const [found] = await db.read([
    sql`select ${selectColumns(applications, "a")}, c.name as company_name,
    c.deleted_at as company_deleted_at,
    u.email as user_email from applications a left join companies c on c.id = a.company_id
    left join users u on u.id = a.user_id where ${companyId} is null or a.company_id = ${companyId}
    order by a.created_at, a.client_id`,
  ]);
  return found!.rows;
}

/** Gives the client a new secret and returns it. The old secret works for another day. */
export async function rotateClient(author: Author, clientId: string): Promise<string> {
  const row = await readClient(author.deps, clientId);
  const { secret, statements } = makeSecretRotation(author, row);
  await commit(author, { statements, answer: noContent });
  return secret;
}

/** Deletes the client and its tokens. */
export async function deleteClient(author: Author, clientId: string): Promise<void> {
  const row = await readClient(author.deps, clientId);
  const owner = { client_id: clientId };
  await endManyTokens(author, owner, null, await author.deps.db.read(readManyTokens(owner)));
  await commit(author, { statements: deleteApplicationRows(author, row), answer: noContent });
}

/** Refuses the bootstrap client: the next start would create it again. */
async function readClient({ db }: Pick<Deps, "db">, clientId: string): Promise<ApplicationRow> {
  const [found] = await db.read([applicationById(clientId)]);
  const row = applicationById.row(found);
  if (!row) throw notFound(`There is no client ${clientId}.`);
  if (row.bootstrap === 1) {
    throw forbidden(
      "BOOTSTRAP_CLIENT_ID names this client: change or unset the variable, then restart the service.",
    );
  }
  return row;
}
