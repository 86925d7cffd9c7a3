import { z } from "zod";
import { Country, Currency, Language, Locale, Timezone } from "../../http/reference_fields.ts";

export const themes = z.enum(["default", "neutral", "blue", "red"]);
export const productModes = z.enum(["simple", "advanced"]);

export const CompanySettings = z.object({
  b2c: z.object({ allow: z.boolean(), default: z.boolean() }).meta({
    example: { allow: true, default: false },
  }),
  theme: themes.meta({ example: "default" }),
  product: z.object({ mode: productModes }).meta({ example: { mode: "advanced" } }),
  default_account_id: z.string().nullable().meta({ example: null }),
  teams_can_create_relations_paths: z.boolean().meta({ example: false }),
  groups_can_create_relations_paths: z.boolean().meta({ example: false }),
  use_social_lookup: z.boolean().meta({ example: false }),
  email_tracking: z.boolean().meta({ example: false }),
  support: z.boolean().meta({ example: false }),
}).meta({ id: "CompanySettings" });

const picture = z.string().nullable().meta({
  description: "The address of the picture. Anybody who has it can open it.",
  example: "https://crm.example.org/pictures/Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI",
});

export const Company = z.object({
  id: z.int().meta({ example: 1 }),
  name: z.string().meta({ example: "Nordlicht Autohaus" }),
  billing: z.object({
    invoice_email: z.string().nullable().meta({ example: "billing@example.org" }),
    address_1: z.string().nullable().meta({ example: "Elbchaussee 1" }),
    address_2: z.string().nullable(),
    zip_code: z.string().nullable().meta({ example: "22765" }),
    city: z.string().nullable().meta({ example: "Hamburg" }),
    state: z.string().nullable(),
    country: Country.nullable(),
  }),
  phone_number: z.string().nullable().meta({ example: "040 123456" }),
  website: z.string().nullable().meta({ example: "https://example.org" }),
  vat: z.string().nullable().meta({ example: "DE123456789" }),
  logo_1: picture,
  logo_2: picture,
  timezone: Timezone,
  locale: Locale,
  language: Language,
  currency: Currency,
  settings: CompanySettings,
  plan: z.object({ id: z.int(), name: z.string() }).meta({ example: { id: 1, name: "standard" } }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Company" });

export const Logos = Company.pick({
  phone_number: true,
  website: true,
  vat: true,
  logo_1: true,
  logo_2: true,
  timezone: true,
}).meta({ id: "Logos" });
