/**
 * The kinds of records that files are attached to: how to read a record, and what a commit writes when its
 * files change.
 */
import { notFound } from "../../core/errors.ts";
import type { Right } from "../../core/rights.ts";
import { requireAccount, selectAccountById } from "../../customers/accounts/queries.ts";
import { requireContact, selectContactById } from "../../customers/contacts/queries.ts";
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import {
  addAttached,
  type AttachedFile,
  parseAttachedFiles,
  selectAttachedFiles,
} from "../../sales/case_parts/attachments.ts";
import { caseByIdCount, requireVisibleCase, selectCaseById } from "../../sales/cases/queries.ts";
import { changeCase } from "../../sales/cases/write.ts";
import { requireLead, selectLeadById } from "../../sales/leads/queries.ts";
import type { AttachedType } from "../table.ts";

/** The path parameters of a record, by their names. */
export type Params = Readonly<Record<string, string>>;

/** The part of a commit that changes the record when its files change. */
export interface RecordChange {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}

export interface RecordKind {
  readonly type: AttachedType;
  /** The right that updates the record. */
  readonly right: Right;
  /** The path parameter with the record's id. */
  readonly param: string;
  /** Reads the record for `visible`. `leaving`: the files that the change detaches. */
  readonly reads: (companyId: number, params: Params, leaving?: readonly string[]) => Statement[];
  /**
   * Throws 404 when the caller does not see the record. Returns a function of the added files that returns
   * the change of the record.
   */
  readonly visible: (
    ctx: Context,
    results: readonly Result[],
    params: Params,
  ) => (added: readonly AttachedFile[]) => RecordChange;
}

/** The change of a record that does not show its files. */
const makeEmptyChange = (): RecordChange => ({ statements: [], events: [] });

export const accountFiles: RecordKind = {
  type: "account",
  right: "customers.update",
  param: "account_id",
  reads: (companyId, { account_id }) => [selectAccountById(companyId, account_id!)],
  visible(ctx, [found]) {
    requireAccount(ctx, found!);
    return makeEmptyChange;
  },
};

export const contactFiles: RecordKind = {
  type: "contact",
  right: "customers.update",
  param: "contact_id",
  reads: (companyId, { account_id, contact_id }) => [
    selectAccountById(companyId, account_id!),
    selectContactById(companyId, contact_id!),
  ],
  visible(ctx, [account, contact], { account_id }) {
    requireAccount(ctx, account!);
    requireContact(ctx, contact!, account_id!);
    return makeEmptyChange;
  },
};

export const caseFiles: RecordKind = {
  type: "case",
  right: "cases.update",
  param: "case_id",
  reads: (companyId, { case_id }, leaving) => [
    ...selectCaseById(companyId, case_id!),
    sql`select ${selectAttachedFiles("case", sql`${case_id!}`, leaving)} as files`,
  ],
  visible(ctx, results) {
    const before = requireVisibleCase(ctx, results);
    return (added) => {
      const kept = parseAttachedFiles(results[caseByIdCount]!.rows[0]!.files!);
      const shown = { attachments: addAttached(kept, added) };
      const { statements, event } = changeCase(ctx, before, {}, shown);
      return { statements, events: [event] };
    };
  },
};

export const leadFiles: RecordKind = {
  type: "lead",
  right: "leads.create",
  param: "lead_id",
  reads: (companyId, { lead_id }) => [selectLeadById(companyId, lead_id!)],
  visible(ctx, [found]) {
    requireLead(ctx, found!);
    return makeEmptyChange;
  },
};

/** Returns the id of the record; throws 404 without one. */
export function recordId({ param }: RecordKind, params: Params): string {
  const id = params[param];
  if (id === undefined) throw notFound();
  return id;
}
