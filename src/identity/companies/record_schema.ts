import { z } from "@hono/zod-openapi";
import { Country, Currency, Language, Locale, Timezone } from "../../http/reference_fields.ts";

export const themes = z.enum(["default", "neutral", "blue", "red"]);
export const productModes = z.enum(["simple", "advanced"]);

export const CompanySettings = z.object({
  b2c: z.object({ allow: z.boolean(), default: z.boolean() }).openapi({
    example: { allow: true, default: false },
  }),
  theme: themes.openapi({ example: "default" }),
  product: z.object({ mode: productModes }).openapi({ example: { mode: "advanced" } }),
  default_account_id: z.string().nullable().openapi({ example: null }),
  teams_can_create_relations_paths: z.boolean().openapi({ example: false }),
  groups_can_create_relations_paths: z.boolean().openapi({ example: false }),
  use_social_lookup: z.boolean().openapi({ example: false }),
  email_tracking: z.boolean().openapi({ example: false }),
  support: z.boolean().openapi({ example: false }),
}).openapi("CompanySettings");

const picture = z.string().nullable().openapi({
  description: "The address of the picture. Anybody who has it can open it.",
  example: "https://crm.example.org/pictures/Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI",
});

export const Company = z.object({
  id: z.int().openapi({ example: 1 }),
  name: z.string().openapi({ example: "Nordlicht Autohaus" }),
  billing: z.object({
    invoice_email: z.string().nullable().openapi({ example: "billing@example.org" }),
    address_1: z.string().nullable().openapi({ example: "Elbchaussee 1" }),
    address_2: z.string().nullable(),
    zip_code: z.string().nullable().openapi({ example: "22765" }),
    city: z.string().nullable().openapi({ example: "Hamburg" }),
    state: z.string().nullable(),
    country: Country.nullable(),
  }),
  phone_number: z.string().nullable().openapi({ example: "040 123456" }),
  website: z.string().nullable().openapi({ example: "https://example.org" }),
  vat: z.string().nullable().openapi({ example: "DE123456789" }),
  logo_1: picture,
  logo_2: picture,
  timezone: Timezone,
  locale: Locale,
  language: Language,
  currency: Currency,
  settings: CompanySettings,
  plan: z.object({ id: z.int(), name: z.string() }).openapi({ example: { id: 1, name: "standard" } }),
  created_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
}).openapi("Company");

export const Logos = Company.pick({
  phone_number: true,
  website: true,
  vat: true,
  logo_1: true,
  logo_2: true,
  timezone: true,
}).openapi("Logos");
