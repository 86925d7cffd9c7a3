/** The addresses that a company does not write to: looked up and lifted by the exact address. */
import { z } from "zod";
import { noContent, ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { e164 } from "../../core/phone_numbers.ts";
import {
  numberChannels,
  type RefusalReason,
  refusalReasons,
  type RefusedChannel,
  refusedChannels,
} from "../../customers/refusals/reasons.ts";
import { type Address, liftRefusals, selectRefusals } from "../../customers/refusals/refusals.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { text } from "../../http/zod.ts";

const tag = "Campaign settings";
const right = "campaigns.manage" as const;

const query = z.object({
  search: text(255).meta({
    description:
      "The whole e-mail address, in upper or lower case, or the phone number, however it is typed. Only a hash of refused addresses is kept.",
    example: "ada@example.org",
  }),
});

const Refusals = z.object({
  data: z.array(
    z.object({
      channel: z.enum(refusedChannels),
      email: z.string().nullable().meta({ example: "ada@example.org" }),
      phone_number: z.string().nullable().meta({ example: null }),
      reason: z.enum(refusalReasons).meta({
        description:
          "`unsubscribed`: by a link or a consent; `bounced`: a mail server refused the address permanently.",
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
    description:
      "Campaigns and automated communications are not sent to a refused address, and telephone campaigns make no tasks for a refused number.",
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

async function listRefusals(ctx: Context, search: string) {
  const [found] = await ctx.deps.db.read([selectRefusals(ctx.deps, parseAddresses(ctx, search))]);
  const given = search.trim();
  const data = found!.rows.map(({ channel, reason, created_at }) => ({
    channel: channel as RefusedChannel,
    email: channel === "email" ? given : null,
    phone_number: channel === "email" ? null : given,
    reason: reason as RefusalReason,
    created_at: String(created_at),
  }));
  return ok({ data });
}

/** Returns 204, also for an address that is not refused. */
async function lift(ctx: Context, search: string) {
  return await commit(ctx, {
    statements: [liftRefusals(ctx.deps, parseAddresses(ctx, search))],
    answer: noContent,
  });
}

/** A text without `@` is a phone number, of the company's country where it has no code. */
function parseAddresses({ caller: { companyId: company_id }, fields }: Context, search: string): Address[] {
  if (search.includes("@")) return [{ company_id, email: search }];
  const number = e164(search, fields.country) ?? "";
  return numberChannels.map((channel) => ({ company_id, channel, e164: number }));
}
