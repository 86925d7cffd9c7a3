/** Reads open invitations. Admins see all of the company, others those that they created. */
import { and, eq, gt } from "drizzle-orm";
import { isAdmin } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { makeTestCondition } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { identifier, selectColumns, type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { makeEmailKey } from "../email_key.ts";
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

/** An open invitation that the caller may see; read with `readInvitation`. */
export function selectInvitationById(ctx: Context, id: number): Statement {
  return sql`select ${columns} from invitations i
    where i.id = ${id} and i.company_id = ${ctx.caller.companyId} and ${isManageable(ctx, "i")}`;
}

/** The open invitation with the token (as its SHA-256), and `company_name`; read with `readInvitation`. */
export function selectInvitationByHash(hash: string, now: number): Statement {
  return sql`select ${columns}, c.name as company_name from invitations i
    join companies c on c.id = i.company_id and c.deleted_at is null
    where i.token_hash = ${hash} and i.expires_at > ${now}`;
}

const columns = selectColumns(invitations, "i");

const openByKey = prepareQuery((companyId: Param<number>, emailKey: Param<string>, now: Param<number>) =>
  drizzle.select({ id: invitations.id }).from(invitations).where(and(
    eq(invitations.company_id, companyId),
    eq(invitations.email_key, emailKey),
    gt(invitations.expires_at, now),
  ))
);

/** Selects the id of the company's open invitation of the address. Addresses are compared as those of users. */
export function openFor(companyId: number, email: string, now: number): Statement {
  return openByKey(companyId, makeEmailKey(email), now);
}

/** Refuses the batch when the address has an open invitation. */
export function guardNoneOpen(companyId: number, email: string, now: number): Statement {
  return guardThat("invitations", sql`not exists (${openFor(companyId, email, now)})`);
}

/** Selects the id of the user who already has the invited address, if any. */
export function selectInvited(id: number): Statement {
  return sql`select u.id from invitations i join users u on u.email_key = i.email_key and u.deleted_at is null
    where i.id = ${id}`;
}

export const invitationList: List = {
  table: "invitations",
  alias: "i",
  columns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
};

export function listInvitations(ctx: Context, paging: Paging): Promise<ListPage> {
  const fixedConditions = [makeTestCondition((own) => isManageable(ctx, own))];
  return readList(ctx, invitationList, { scope: makeCompanyScope(ctx.caller), paging, fixedConditions });
}

function isManageable({ caller, now }: Context, own: string): Sql {
  const isOpen = sql`${identifier(own, "expires_at")} > ${now}`;
  return isAdmin(caller) ? isOpen : sql`${isOpen} and ${identifier(own, "created_by")} = ${caller.userId}`;
}

/** The ids of an invitation's path. */
export interface InvitationPlace {
  readonly company_id: number;
  readonly invitation_id: number;
}
