/** Copies a campaign as a draft. */
import { created } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert, type Sql, sql } from "../../db/statements.ts";
import { chooseOwnerOfCopy, guardOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { presentFullCampaign } from "./present.ts";
import { requireCampaign, selectCampaignById, selectNameOfUser } from "./queries.ts";
import { guardReferences } from "./references.ts";
import { indexName, selectCampaignSeq } from "./write.ts";
import { campaigns } from "./record.ts";

/**
 * Returns 201 with the copy: a draft of the caller, without a time and a task. It belongs to the caller's active
 * team when the caller may not write where the original belongs.
 */
export async function copyCampaign(ctx: Context, id: string) {
  const { companyId, userId, activeTeamId } = ctx.caller;
  const [found, shown, team] = await ctx.deps.db.read([
    selectCampaignById(companyId, id),
    sql`select ${selectNameOfUser(sql`${userId}`)} as user_name,
      ${selectNames(companyId, sql`(select owner from campaigns where id = ${id})`)} as names,
      ${selectNames(companyId, sql`'t' || ${activeTeamId}`)} as team_names`,
    selectOwnerFacts(companyId, { team_id: activeTeamId }),
  ]);
  const original = requireCampaign(ctx.caller, found!);
  const { owner, facts } = chooseOwnerOfCopy(ctx.caller, original, team!.rows[0]!);
  const { team_id, group_id } = owner;
  const { user_name, names, team_names } = shown!.rows[0]!;
  const taken = owner === original ? names : team_names;
  const {
    type,
    description,
    subject,
    content,
    sender,
    template_id,
    filter,
  } = original;
  const row = {
    id: makeId(ctx.now),
    company_id: companyId,
    team_id,
    group_id,
    user_id: userId,
    approved_by: null,
    type,
    status: "draft" as const,
    name: nameCopy(
      original.name,
      new Set(JSON.parse(taken as string) as string[]),
    ),
    description,
    subject,
    content,
    sender,
    template_id,
    filter,
    send_at: null,
    task: null,
    relations_path_id: null,
    sent_at: null,
    total_sent: 0,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  const { template } = original;
  return await commit(ctx, {
    statements: [
      guardNumber("campaigns", companyId),
      guardOwner(companyId, owner, facts),
      ...guardReferences(companyId, row),
      insert(campaigns, row),
      indexName(selectCampaignSeq(row.id), companyId, row.name),
    ],
    answer: created(
      presentFullCampaign(ctx.deps, {
        ...row,
        template,
        user_name: String(user_name),
        users: null,
      }),
    ),
  });
}

/** SQL: JSON of the names of an owner's campaigns. */
function selectNames(companyId: number, owner: Sql): Sql {
  return sql`(select json_group_array(c.name) from campaigns c
    where c.company_id = ${companyId} and c.owner = ${owner})`;
}

/** The most characters of a name. */
const longest = 255;

/**
 * Returns the name with the first suffix that is not taken: ` (copy)`, ` (copy 2)` and so on. Cuts the name
 * to fit.
 */
export function nameCopy(name: string, taken: ReadonlySet<string>): string {
  const base = name.replace(/ \(copy(?: \d+)?\)$/, "");
  for (let number = 1;; number++) {
    const suffix = number === 1 ? " (copy)" : ` (copy ${number})`;
    const copy = [...base].slice(0, longest - suffix.length).join("") + suffix;
    if (!taken.has(copy)) return copy;
  }
}
