/** Deletes a lead type that was never used. A used one can be disabled. */
import { noContent, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { changeOwner, writeFacts } from "../relations_paths/ownership.ts";
import { impactOf, type Use, usesRead } from "../uses.ts";
import { leadTypeById, leadTypeToWrite } from "./queries.ts";
import { leadTypes, presentLeadType } from "./record.ts";

/** Returns the records that prevent the deletion. */
export async function getLeadTypeImpact(ctx: Context, id: string) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const uses = usesOfLeadType(companyId, id);
  const [found, facts, counted] = await ctx.deps.db.read([
    leadTypeById(id, companyId),
    writeFacts("lead_types", id, companyId),
    usesRead(uses),
  ]);
  leadTypeToWrite(ctx.caller, found!, facts!);
  return ok(impactOf(uses, counted!));
}

/** Throws 409 while leads of the type exist, in any state, or cases or accounts of their acceptance. */
export async function deleteLeadType(ctx: Context, id: string) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const uses = usesOfLeadType(companyId, id);
  const [found, facts, counted] = await ctx.deps.db.read([
    leadTypeById(id, companyId),
    writeFacts("lead_types", id, companyId),
    usesRead(uses),
  ]);
  const type = leadTypeToWrite(ctx.caller, found!, facts!);
  checkMatch(ctx, () => presentLeadType(type));
  const impact = impactOf(uses, counted!);
  if (impact.blocked_by.length > 0) {
    throw conflict(
      "delete_blocked",
      "Leads of the type exist, or cases or accounts of such leads: disable it instead.",
      impact,
    );
  }
  const { guards } = changeOwner(ctx.caller, { ...type, group_id: null }, {}, {
    facts: facts!.rows[0]!,
    newFacts: {},
  });
  return await commit(ctx, {
    statements: [
      ...guards,
      // The foreign key of a lead created meanwhile rejects this.
      remove(leadTypes, { id, company_id: companyId, version: type.version }),
      guardChanged("lead_type"),
    ],
    answer: noContent,
  });
}

/** The records that name the lead type. */
function usesOfLeadType(companyId: number, id: string): Use[] {
  return [
    { type: "lead", attribute: "lead_type_id", rows: sql`leads where lead_type_id = ${id}` },
    {
      type: "case",
      attribute: "lead_type_id",
      rows: sql`cases where company_id = ${companyId} and lead_type_id = ${id}`,
    },
    {
      type: "account",
      attribute: "created_with_lead_type",
      rows: sql`accounts where company_id = ${companyId} and created_with_lead_type_id = ${id}`,
    },
  ];
}
