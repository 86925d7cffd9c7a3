/** Creates a lead type. */
import { created } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { foldTexts } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { requireReach } from "../../identity/permissions.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { Maker } from "../relations_paths/create.ts";
import { checkPathOwner, guardPathOwner, selectPathOwnerFacts } from "../relations_paths/ownership.ts";
import { checkLeadType } from "./budget.ts";
import { readTypeReferences, selectTypeReferences, type TypeReferences } from "./references.ts";
import {
  type CreateLeadTypeBody,
  leadTypeMembers,
  type LeadTypeRecord,
  leadTypes,
  presentLeadType,
} from "./record.ts";
import { makeLeadTypeRow } from "./write.ts";
import { makeInitial } from "../../records/members.ts";

/** Returns 201 with the lead type. */
export async function createLeadType(ctx: Context, body: CreateLeadTypeBody) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const owner = { team_id: body.team_id ?? null, group_id: null };
  const [owners, ...results] = await ctx.deps.db.read([
    selectPathOwnerFacts(companyId, owner),
    ...selectTypeReferences(companyId, body),
  ]);
  const facts = owners!.rows[0]!;
  checkPathOwner(ctx.caller, owner, facts);
  const errors: FieldError[] = [];
  const references = readTypeReferences(ctx, body, results, null, errors);
  if (errors.length > 0) throw invalid(...errors);

  const { type, statement } = makeLeadType(ctx, body, references);
  checkLeadType(type, null);
  return await commit(ctx, {
    statements: [
      guardNumber("lead_types", companyId),
      ...guardPathOwner(companyId, owner, facts),
      ...references.guards,
      statement,
    ],
    answer: created(presentLeadType(type)),
  });
}

/**
 * A new lead type, and the statement that inserts it; `references` are the paths, users and teams that the
 * body names.
 */
export function makeLeadType(
  maker: Maker,
  body: CreateLeadTypeBody,
  references: Omit<TypeReferences, "guards">,
): { type: LeadTypeRecord; statement: Statement } {
  const type = makeType(maker, body, references);
  return { type, statement: insert(leadTypes, makeLeadTypeRow(type)) };
}

function makeType(
  ctx: Maker,
  body: CreateLeadTypeBody,
  references: Omit<TypeReferences, "guards">,
): LeadTypeRecord {
  return {
    ...makeInitial(leadTypeMembers, body),
    id: makeId(ctx.now),
    company_id: ctx.caller.companyId,
    folded: foldTexts({ name: body.name }),
    relations_path_ids: JSON.stringify(body.relations_path_ids),
    escalation_user_ids: references.escalation_user_ids,
    team_settings: references.team_settings,
    created_by: ctx.caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    relations_paths: references.relations_paths,
  };
}
