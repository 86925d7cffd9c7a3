import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../permissions.ts";
import { defaults } from "./defaults.ts";
import { presentCompany } from "./present.ts";
import { checkOwn, readOwnCompany } from "./queries.ts";
import { reindexCompany } from "../../staged/reindex.ts";
import type { UpdateCompany } from "./schema.ts";
import { applyGiven, changeCompany, getMember } from "./write.ts";

/** Returns 200 with the updated company. */
export async function updateCompany(ctx: Context, id: number, body: UpdateCompany) {
  checkOwn(ctx, id);
  requireReach(ctx.caller, "company.write");
  const before = await readOwnCompany(ctx, id);
  checkMatch(ctx, () => presentCompany(before, ctx));
  const { billing } = body;
  const address = <K extends keyof NonNullable<typeof billing>>(key: K) =>
    applyGiven<string | null>(billing === null ? null : billing?.[key], before[key], null);
  const changed = {
    name: body.name ?? before.name,
    invoice_email: address("invoice_email"),
    address_1: address("address_1"),
    address_2: address("address_2"),
    zip_code: address("zip_code"),
    city: address("city"),
    state: address("state"),
    country: address("country"),
    phone_number: applyGiven(body.phone_number, before.phone_number, null),
    website: applyGiven(body.website, before.website, null),
    vat: applyGiven(body.vat, before.vat, null),
    timezone: applyGiven(getMember(body.timezone, "name"), before.timezone, defaults.timezone),
    locale: applyGiven(getMember(body.locale, "code"), before.locale, defaults.locale),
    language: applyGiven(body.language, before.language, defaults.language),
    currency: applyGiven(body.currency, before.currency, defaults.currency),
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      ...changeCompany(before, changed),
      // Phone numbers without a code are of another country now.
      ...(chooseCountry(changed) === chooseCountry(before) ? [] : [reindexCompany(ctx, id)]),
    ],
    answer: ok(presentCompany({ ...before, ...changed }, ctx)),
  });
}

function chooseCountry(
  { country, locale }: { readonly country: string | null; readonly locale: string },
): string {
  return country ?? locale.slice(3);
}
