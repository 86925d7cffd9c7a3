/** The addresses that a company does not write to: looked up and lifted by the exact address. */
import { z } from "zod";
import { noContent, ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { type RefusalReason, refusalReasons } from "../../customers/refusals/reasons.ts";
import { liftRefusals, refusalsOf } from "../../customers/refusals/refusals.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { text } from "../../http/zod.ts";

const tag = "Campaign settings";
const right = "campaigns.manage" as const;

const query = z.object({
  search: text(255).meta({
    description:
      "The whole e-mail address, in upper or lower case. Only a hash of refused addresses is kept.",
    example: "ada@example.org",
  }),
});

const Refusals = z.object({
  data: z.array(
    z.object({
      email: z.string().meta({ example: "ada@example.org" }),
      reason: z.enum(refusalReasons).meta({
        description: "`unsubscribed`: by a link; `bounced`: a mail server refused the address permanently.",
        example: "unsubscribed",
      }),
      created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
    }).meta({ id: "Refusal" }),
  ),
}).meta({ id: "Refusals" });

export const refusalEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/campaigns/refusals",
    operation: "listRefusals",
    tag,
    summary: "Look up whether an address is refused",
    description: "Campaigns and automated communications are not sent to a refused address.",
    right,
    query,
    answers: { 200: { description: "The refusals of the address; empty without one.", schema: Refusals } },
  }, (ctx, { query }) => listRefusals(ctx, query.search)),
  endpoint({
    method: "delete",
    path: "/v1/campaigns/refusals",
    operation: "liftRefusals",
    tag,
    summary: "Lift the refusals of an address",
    description: "The consents of contacts stay as they are.",
    right,
    query,
    answers: { 204: { description: "The address is not refused any more.", schema: null } },
  }, (ctx, { query }) => lift(ctx, query.search)),
];

async function listRefusals({ deps, caller: { companyId } }: Context, email: string) {
  const [found] = await deps.db.read([refusalsOf(deps, { company_id: companyId, email })]);
  const data = found!.rows.map(({ reason, created_at }) => ({
    email: email.trim(),
    reason: reason as RefusalReason,
    created_at: String(created_at),
  }));
  return ok({ data: data });
}

/** Returns 204, also for an address that is not refused. */
async function lift(ctx: Context, email: string) {
  const { deps, caller: { companyId } } = ctx;
  const lifted = liftRefusals(deps, { company_id: companyId, email });
  return await commit(ctx, { statements: [lifted], answer: noContent });
}
