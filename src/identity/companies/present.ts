/** Presents companies. */
import {
  describeTimezone,
  lookUpCountry,
  lookUpCurrency,
  lookUpLanguage,
  lookUpLocale,
} from "../../core/reference.ts";
import { composePictureUrl, type Look } from "../pictures/address.ts";
import { presentPlan } from "./plans.ts";
import type { CompanyFacts } from "./queries.ts";

/** Presents the Company record; `more` adds fields. */
export function presentCompany<M extends object = Record<never, never>>(
  company: CompanyFacts,
  { now, origin }: Look,
  more: M = {} as M,
) {
  return {
    id: company.id,
    name: company.name,
    billing: {
      invoice_email: company.invoice_email,
      address_1: company.address_1,
      address_2: company.address_2,
      zip_code: company.zip_code,
      city: company.city,
      state: company.state,
      country: company.country === null ? null : lookUpCountry(company.country),
    },
    phone_number: company.phone_number,
    website: company.website,
    vat: company.vat,
    logo_1: composePictureUrl(origin, company.logo_1),
    logo_2: composePictureUrl(origin, company.logo_2),
    timezone: describeTimezone(company.timezone, now),
    locale: lookUpLocale(company.locale),
    language: lookUpLanguage(company.language),
    currency: lookUpCurrency(company.currency),
    settings: presentSettings(company),
    plan: presentPlan(company.plan_id),
    created_at: company.created_at,
    updated_at: company.updated_at,
    ...more,
  };
}

/** Presents the settings alone. */
export function presentSettings(company: CompanyFacts) {
  return {
    b2c: { allow: company.b2c_allow === 1, default: company.b2c_default === 1 },
    theme: company.theme,
    product: { mode: company.product_mode },
    default_account_id: company.default_account_id,
    teams_can_create_relations_paths: company.teams_can_create_relations_paths === 1,
    groups_can_create_relations_paths: company.groups_can_create_relations_paths === 1,
    use_social_lookup: company.use_social_lookup === 1,
    email_tracking: company.email_tracking === 1,
    support: company.support === 1,
  };
}
