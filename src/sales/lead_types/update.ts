/** Changes a lead type. Its leads show the change; running countdowns do not change. */
import { ok } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { foldedTexts } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { changeOwner, ownerFacts, writeFacts } from "../relations_paths/ownership.ts";
import { checkLeadType } from "./budget.ts";
import { readReferences, referencesOf } from "./references.ts";
import { columnsOf, type LeadTypeRecord, presentLeadType } from "./present.ts";
import { leadTypeById, leadTypeToWrite } from "./queries.ts";
import type { LeadTypeChange } from "./schema.ts";
import { leadTypes } from "./table.ts";

/** Returns the changed lead type. An absent member keeps its value. */
export async function updateLeadType(ctx: Context, id: string, body: LeadTypeChange) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const [found, facts, owners, ...results] = await ctx.deps.db.read([
    leadTypeById(id, companyId),
    writeFacts("lead_types", id, companyId),
    ownerFacts(companyId, { team_id: body.team_id }),
    ...referencesOf(companyId, body),
  ]);
  const before = leadTypeToWrite(ctx.caller, found!, facts!);
  checkMatch(ctx, () => presentLeadType(before));
  const { owner, guards } = changeOwner(
    ctx.caller,
    { ...before, group_id: null },
    { team_id: body.team_id },
    {
      facts: facts!.rows[0]!,
      newFacts: owners!.rows[0]!,
    },
  );
  const errors: FieldError[] = [];
  const { guards: referenceGuards, ...references } = readReferences(ctx, body, results, before, errors);
  if (errors.length > 0) throw invalid(...errors);

  const type: LeadTypeRecord = {
    ...before,
    ...changesOf(before, body),
    ...references,
    team_id: owner.team_id,
    relations_path_ids: JSON.stringify(references.relations_paths.map((path) => path.id)),
    updated_at: ctx.at,
    version: before.version + 1,
  };
  checkLeadType(type, before);
  const { id: _id, company_id: _company, version: _version, ...columns } = columnsOf(type);
  return await commit(ctx, {
    statements: [
      ...guards,
      ...referenceGuards,
      updateVersioned(leadTypes, columns, before),
      guardChanged("lead_type"),
    ],
    answer: ok(presentLeadType(type)),
  });
}

/** Returns the changed columns: an absent member keeps its value, null clears it. */
function changesOf(before: LeadTypeRecord, body: LeadTypeChange) {
  const kept = <T>(given: T | null | undefined, was: T | null) => given === undefined ? was : given;
  const flag = (given: boolean | null | undefined, was: number) => given === undefined ? was : given ? 1 : 0;
  const name = body.name ?? before.name;
  return {
    name,
    folded: foldedTexts({ name }),
    icon: kept(body.icon, before.icon),
    entity_type: kept(body.entity_type, before.entity_type) ?? "account",
    escalation_accept: kept(body.escalation_accept, before.escalation_accept),
    escalation_activity: kept(body.escalation_activity, before.escalation_activity),
    escalation_ignore_weekends: flag(body.escalation_ignore_weekends, before.escalation_ignore_weekends),
    disabled: flag(body.disabled, before.disabled),
    highlighted: flag(body.highlighted, before.highlighted),
  };
}
