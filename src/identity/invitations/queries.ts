/** Reads of invitations. Admins look after all of the company, others after those that they made. */
import { isAdmin } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { countOf, type ListSource, pageOf, type Paging } from "../../lists/pages.ts";
import { companyScope } from "../../db/scope.ts";
import { columnsOf, rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { emailKey } from "../users/queries.ts";
import { type InvitationRow, invitations } from "./table.ts";

export interface InvitationFacts extends Omit<InvitationRow, "role_ids" | "team_ids"> {
  readonly role_ids: readonly number[];
  readonly team_ids: readonly number[];
}

export function readInvitation(row: Row): InvitationFacts {
  return {
    ...(row as InvitationRow),
    role_ids: JSON.parse(row.role_ids as string) as number[],
    team_ids: JSON.parse(row.team_ids as string) as number[],
  };
}

/** An open invitation that the caller looks after; read with `readInvitation`. */
export function invitationById(ctx: Context, id: number): Statement {
  const { sql: text, args } = lookedAfter(ctx);
  return statement(
    `select ${source.columns} from invitations i where i.id = ? and i.company_id = ? and ${text}`,
    id,
    ctx.caller.companyId,
    ...args,
  );
}

/** The open invitation that a token (as its SHA-256) belongs to, with `company_name`; read with `readInvitation`. */
export function invitationByHash(hash: string, now: number): Statement {
  return sql`select ${rawSql(source.columns)}, c.name as company_name from invitations i
    join companies c on c.id = i.company_id and c.deleted_at is null
    where i.token_hash = ${hash} and i.expires_at > ${now}`;
}

/** SQL: a column of the invitation that a token (as its SHA-256) belongs to. */
export function givenBy(hash: string, column: "role_ids" | "team_ids"): Sql {
  return sql`(select ${rawSql(column)} from invitations where token_hash = ${hash})`;
}

/** Whether an invitation of the company to the address is open, whatever its case: a row, or none. */
export function openFor(companyId: number, email: string, now: number): Statement {
  return statement(`select id from ${open}`, companyId, emailKey(email), now);
}

/** Refuses the batch when there is one by now. */
export function guardNoneOpen(companyId: number, email: string, now: number): Statement {
  return guardThat(
    "invitations",
    statement(`not exists (select 1 from ${open})`, companyId, emailKey(email), now),
  );
}

/** Whether who was invited signs in by now: a row, or none. */
export function invited(id: number): Statement {
  return sql`select u.id from invitations i join users u on u.email_key = lower(i.email) and u.deleted_at is null
    where i.id = ${id}`;
}

// Addresses hold ASCII letters only, which SQLite folds as `emailKey` does.
const open = "invitations where company_id = ? and lower(email) = ? and expires_at > ?";

export const invitationSorts = { created_at: "created_at" };

const source: ListSource = { table: "invitations", alias: "i", columns: columnsOf(invitations, "i") };

export async function listInvitations(
  ctx: Context,
  paging: Paging,
): Promise<{ rows: Row[]; total: number }> {
  const scope = companyScope(ctx.caller);
  const conditions = [lookedAfter(ctx)];
  const [rows, count] = await ctx.deps.db.read([
    pageOf(source, scope, paging, conditions),
    countOf(source, scope, conditions),
  ]);
  return { rows: rows!.rows, total: count!.rows[0]!.n as number };
}

function lookedAfter({ caller, now }: Context): Sql {
  return isAdmin(caller)
    ? sql`i.expires_at > ${now}`
    : sql`i.expires_at > ${now} and i.created_by = ${caller.userId}`;
}

/** Where an invitation stands in the path. */
export interface InvitationPlace {
  readonly company_id: number;
  readonly invitation_id: number;
}
