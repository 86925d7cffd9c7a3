/** Changes a lead type. Its leads show the change; running countdowns do not change. */
import { ok } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { foldTexts } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { changePathOwner, selectPathOwnerFacts, selectPathWriteFacts } from "../relations_paths/ownership.ts";
import { checkLeadType } from "./budget.ts";
import { readTypeReferences, selectTypeReferences } from "./references.ts";
import { makeChanges } from "../../records/members.ts";
import { requireLeadTypeToWrite, selectLeadTypeById } from "./queries.ts";
import {
  type LeadTypeChange,
  leadTypeMembers,
  type LeadTypeRecord,
  leadTypes,
  presentLeadType,
} from "./record.ts";
import { makeLeadTypeRow } from "./write.ts";

/** Returns the changed lead type. An absent member keeps its value. */
export async function updateLeadType(ctx: Context, id: string, body: LeadTypeChange) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const [found, facts, owners, ...results] = await ctx.deps.db.read([
    selectLeadTypeById(id, companyId),
    selectPathWriteFacts("lead_types", id, companyId),
    selectPathOwnerFacts(companyId, { team_id: body.team_id }),
    ...selectTypeReferences(companyId, body),
  ]);
  const before = requireLeadTypeToWrite(ctx.caller, found!, facts!);
  checkMatch(ctx, () => presentLeadType(before));
  const { owner, guards } = changePathOwner(
    ctx.caller,
    { ...before, group_id: null },
    { team_id: body.team_id },
    {
      facts: facts!.rows[0]!,
      newFacts: owners!.rows[0]!,
    },
  );
  const errors: FieldError[] = [];
  const { guards: referenceGuards, ...references } = readTypeReferences(ctx, body, results, before, errors);
  if (errors.length > 0) throw invalid(...errors);

  const changes = makeChanges(leadTypeMembers, body, before);
  const type: LeadTypeRecord = {
    ...before,
    ...changes,
    folded: foldTexts({ name: changes.name }),
    ...references,
    team_id: owner.team_id,
    kept_for: owner.kept_for ?? null,
    relations_path_ids: JSON.stringify(references.relations_paths.map((path) => path.id)),
    updated_at: ctx.at,
    version: before.version + 1,
  };
  checkLeadType(type, before);
  const { id: _id, company_id: _company, version: _version, ...columns } = makeLeadTypeRow(type);
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
