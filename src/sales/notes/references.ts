/** The records that a new note names: its case with an activity, its contact with an account. */
import { seesTeam } from "../../core/access.ts";
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import type { Context } from "../../db/context.ts";
import { identifier, joinSql, type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { belongsToCase } from "../activities/queries.ts";
import { selectNameOfUser } from "../../identity/users/fragments.ts";
import { isNotRemoved } from "../cases/queries.ts";
import type { NoteBody } from "./record.ts";

/** Checks which ids the body has together. */
export function checkIds(
  { activity_id, case_id, contact_id, account_id }: NoteBody,
  errors: FieldError[],
): void {
  const missing = (path: string, rule: string) => void errors.push(fieldError(path, "required", rule));
  if (!case_id && activity_id) missing("case_id", "Required with activity_id.");
  else if (!case_id && !contact_id) missing("case_id", "Required without contact_id.");
  if (!contact_id && account_id) missing("contact_id", "Required with account_id.");
  else if (!contact_id && !case_id) missing("contact_id", "Required without case_id.");
  if (contact_id && !account_id) missing("account_id", "Required with contact_id.");
}

/** Reads one row for `checkReferences`, with the name of the author. */
export function selectNoteReferences({ caller: { companyId, userId } }: Context, body: NoteBody): Statement {
  const { case_id = null, activity_id = null, contact_id = null } = body;
  const ofCase = sql`from cases where id = ${case_id} and company_id = ${companyId}
    and ${isNotRemoved(sql`id`)}`;
  const ofContact = sql`from contacts where id = ${contact_id} and company_id = ${companyId}
    and ${isNotBeingDeleted(sql`account_id`)}`;
  return sql`select exists (select 1 ${ofCase}) as has_case, (select team_id ${ofCase}) as case_team,
    ${belongsToCase(activity_id, case_id)} as has_activity,
    (select account_id ${ofContact}) as account_id, (select team_id ${ofContact}) as contact_team,
    ${selectNameOfUser(sql`${userId}`)} as user_name`;
}

/** Adds an error for each record of the body that the caller does not see. */
export function checkReferences(ctx: Context, body: NoteBody, references: Row, errors: FieldError[]): void {
  const missing = (path: string, what: string) => void errors.push(missingReference(path, what));
  const sees = (team: Row[string] | undefined) => seesTeam(ctx.caller, team as number | null);
  const hasCase = references.has_case === 1 && sees(references.case_team);
  if (body.case_id && !hasCase) missing("case_id", "case");
  else if (body.activity_id && references.has_activity !== 1) missing("activity_id", "activity of the case");
  const hasContact = references.account_id !== null && sees(references.contact_team);
  if (body.contact_id && !hasContact) missing("contact_id", "contact");
  else if (body.contact_id && references.account_id !== body.account_id) {
    missing("account_id", "account of the contact");
  }
}

/** Rejects the batch when a record of the body has changed since it was read. */
export function guardReferences(ctx: Context, body: NoteBody, references: Row): Statement {
  const names = ["has_case", "case_team", "has_activity", "account_id", "contact_team"];
  const columns = joinSql(names.map((name) => identifier(name)), ", ");
  const read = JSON.stringify(names.map((name) => references[name]!));
  return guardThat(
    "references",
    sql`(select json_array(${columns}) from (${selectNoteReferences(ctx, body)})) = ${read}`,
  );
}

/** SQL: the team of the note. */
export function selectTeamOfNote({ case_id, contact_id }: NoteBody): Sql {
  return case_id
    ? sql`(select team_id from cases where id = ${case_id})`
    : sql`(select team_id from contacts where id = ${contact_id ?? null})`;
}
