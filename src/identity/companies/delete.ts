import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { beginWork, endCompanyWork } from "../../staged/work.ts";
import { requireReach } from "../permissions.ts";
import { presentCompany } from "./present.ts";
import { checkOwn, readOwnCompany } from "./queries.ts";
import { changeCompany } from "./write.ts";

/** The staged work that erases a deleted company. */
export const companyErasure = "company_erasure";
/** Milliseconds until any erasure. Caches of callers in other processes expire well before. */
export const grace = 60_000;

/**
 * Returns 204. All tokens of the company end at once. A job erases its data in steps, `ERASE_AFTER` days later; until
 * then its unfinished work waits.
 */
export async function deleteCompany(ctx: Context, id: number) {
  checkOwn(ctx, id);
  requireReach(ctx.caller, "company.write");
  const company = await readOwnCompany(ctx, id);
  checkMatch(ctx, () => presentCompany(company, ctx));
  return await commit(ctx, {
    statements: [
      ...changeCompany(company, { deleted_at: ctx.at, updated_at: ctx.at }),
      ...(ctx.deps.config.eraseAfter > 0 ? [] : [
        endCompanyWork(id),
        beginWork(ctx, { kind: companyErasure }, { company_id: id, subject: id, due_at: ctx.now + grace }),
      ]),
    ],
    answer: noContent,
  });
}
