/** Reading, changing and deleting a company, by its own users. */
import { type Answer, noContent, ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql, update } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { defaults, defaultSettings } from "./defaults.ts";
import { premiumPlan } from "./plans.ts";
import { presentCompany, presentSettings } from "./present.ts";
import { companyById, type CompanyFacts, readCompany } from "./queries.ts";
import type { UpdateCompany, UpdateSettings } from "./schema.ts";
import { companies } from "./table.ts";

/** What a company needs of features above: a row when the account is one of the company. */
export type AccountOfCompany = (companyId: number, accountId: string) => Statement;

export async function getCompany(ctx: Context, id: number): Promise<Answer> {
  return ok(presentCompany(await ownCompany(ctx, id), ctx));
}

export async function getSettings(ctx: Context, id: number): Promise<Answer> {
  return ok(presentSettings(await ownCompany(ctx, id)));
}

/** 200 with the company as it is now. */
export async function updateCompany(ctx: Context, id: number, body: UpdateCompany): Promise<Answer> {
  checkOwn(ctx, id);
  requireReach(ctx.caller, "company.write");
  const before = await ownCompany(ctx, id);
  checkMatch(ctx, () => presentCompany(before, ctx));
  const { billing } = body;
  const address = <K extends keyof NonNullable<typeof billing>>(key: K) =>
    kept<string | null>(billing === null ? null : billing?.[key], before[key], null);
  const changed = {
    name: body.name ?? before.name,
    invoice_email: address("invoice_email"),
    address_1: address("address_1"),
    address_2: address("address_2"),
    zip_code: address("zip_code"),
    city: address("city"),
    state: address("state"),
    country: address("country"),
    phone_number: kept(body.phone_number, before.phone_number, null),
    website: kept(body.website, before.website, null),
    vat: kept(body.vat, before.vat, null),
    timezone: kept(inside(body.timezone, "name"), before.timezone, defaults.timezone),
    locale: kept(inside(body.locale, "code"), before.locale, defaults.locale),
    language: kept(body.language, before.language, defaults.language),
    currency: kept(body.currency, before.currency, defaults.currency),
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: changeCompany(before, changed),
    answer: ok(presentCompany({ ...before, ...changed }, ctx)),
  });
}

/** 200 with the settings as they are now. */
export async function updateSettings(
  ctx: Context,
  id: number,
  body: UpdateSettings,
  accountOf: AccountOfCompany,
): Promise<Answer> {
  checkOwn(ctx, id);
  requireReach(ctx.caller, "company.write");
  const account = body.default_account_id ? accountOf(id, body.default_account_id) : null;
  const [found, accounts] = await ctx.deps.db.read([companyById(id), ...(account ? [account] : [])]);
  const before = readOwn(found!);
  checkMatch(ctx, () => presentSettings(before));
  const errors: FieldError[] = [];
  if (account && accounts!.rows.length === 0) errors.push(missingReference("default_account_id", "account"));
  if (body.use_social_lookup && before.plan_id !== premiumPlan) {
    errors.push(fieldError("use_social_lookup", "excluded", "Needs the premium plan."));
  }
  if (errors.length > 0) throw invalid(...errors);
  const flag = (value: boolean | null | undefined, now: number) => value === undefined ? now : value ? 1 : 0;
  const changed = {
    theme: kept(body.theme, before.theme, defaultSettings.theme),
    product_mode: kept(inside(body.product, "mode"), before.product_mode, defaultSettings.product_mode),
    default_account_id: kept(body.default_account_id, before.default_account_id, null),
    teams_can_create_relations_paths: flag(
      body.teams_can_create_relations_paths,
      before.teams_can_create_relations_paths,
    ),
    groups_can_create_relations_paths: flag(
      body.groups_can_create_relations_paths,
      before.groups_can_create_relations_paths,
    ),
    use_social_lookup: flag(body.use_social_lookup, before.use_social_lookup),
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      ...(account ? [guardThat("account", sql`exists (${account})`)] : []),
      ...changeCompany(before, changed),
    ],
    answer: ok(presentSettings({ ...before, ...changed })),
  });
}

/** 204. Every token of the company has ended with it; what it had is erased later, bit by bit. */
export async function deleteCompany(ctx: Context, id: number): Promise<Answer> {
  checkOwn(ctx, id);
  requireReach(ctx.caller, "company.write");
  const company = await ownCompany(ctx, id);
  checkMatch(ctx, () => presentCompany(company, ctx));
  return await commit(ctx, {
    statements: changeCompany(company, { deleted_at: ctx.at, updated_at: ctx.at }),
    answer: noContent,
  });
}

function checkOwn(ctx: Context, id: number): void {
  if (id !== ctx.caller.companyId) throw notFound();
}

async function ownCompany(ctx: Context, id: number): Promise<CompanyFacts> {
  checkOwn(ctx, id);
  const [found] = await ctx.deps.db.read([companyById(id)]);
  return readOwn(found!);
}

function readOwn(found: Result): CompanyFacts {
  const row = found.rows[0];
  if (!row) throw notFound();
  return readCompany(row);
}

/** Changes the company, or only moves its version on, while it is as it was read. */
export function changeCompany(
  read: Pick<CompanyFacts, "id" | "version">,
  set: Partial<CompanyFacts> = {},
): Statement[] {
  return [
    update(companies, { ...set, version: read.version + 1 }, { id: read.id, version: read.version }),
    guardChanged("stale"),
  ];
}

/** What is absent keeps its value, what is null is cleared. */
function kept<T>(given: T | null | undefined, before: T, cleared: T): T {
  return given === undefined ? before : given ?? cleared;
}

/** The one value of an object: absent where the object is, null where it is. */
function inside<K extends string, V>(
  given: { readonly [key in K]?: V } | null | undefined,
  key: K,
): V | null | undefined {
  return given === null ? null : given?.[key];
}
