import { z } from "@hono/zod-openapi";
import { email, filledText, optional, text, url, uuid } from "../../http/zod.ts";
import {
  countryCode,
  currencyCode,
  languageCode,
  localeCode,
  timezoneName,
} from "../../http/reference_fields.ts";
import { password, User } from "../users/schema.ts";
import { Company, productModes, themes } from "./record_schema.ts";

export const CreatedCompany = Company.extend({ user: User }).openapi("CreatedCompany");

const timezone = optional(z.object({ name: optional(timezoneName) }));

const fields = {
  name: filledText(100).openapi({ example: "Nordlicht Autohaus" }),
  timezone: timezone.openapi({ description: "Absent: `UTC`." }),
  billing: optional(z.object({
    invoice_email: optional(email),
    address_1: optional(text(100)).openapi({ example: "Elbchaussee 1" }),
    address_2: optional(text(100)),
    zip_code: optional(text(16)).openapi({ example: "22765" }),
    city: optional(text(60)).openapi({ example: "Hamburg" }),
    state: optional(text(60)),
    country: optional(countryCode),
  })),
  phone_number: optional(text(255)).openapi({ example: "040 123456" }),
  website: optional(url),
  vat: optional(text(16)).openapi({ example: "DE123456789" }),
  language: optional(languageCode).openapi({ description: "Absent: `en`." }),
  locale: optional(z.object({ code: optional(localeCode) })).openapi({ description: "Absent: `en-GB`." }),
  currency: optional(currencyCode).openapi({ description: "Absent: `EUR`." }),
};

const FirstUser = z.object({
  first_name: filledText(255).openapi({ example: "Ada" }),
  last_name: filledText(255).openapi({ example: "Lovelace" }),
  email,
  password: password(7).openapi({ example: "correct horse battery" }),
  timezone: timezone.openapi({ description: "Absent: the company's." }),
  phone_number: optional(text(255)).openapi({ example: "020 7946 0018" }),
  job_title: optional(text(255)).openapi({ example: "Managing director" }),
  system_user: optional(z.boolean()),
});

export type CreateCompany = z.output<typeof CreateCompany>;
export const CreateCompany = z.object({
  ...fields,
  user: FirstUser.openapi({ description: "The first user, of type admin." }),
}).openapi("CreateCompany", {
  example: {
    name: "Nordlicht Autohaus",
    timezone: { name: "Europe/Berlin" },
    locale: { code: "de-DE" },
    user: {
      first_name: "Ada",
      last_name: "Lovelace",
      email: "ada@example.org",
      password: "correct horse battery",
    },
  },
});

export type UpdateCompany = z.output<typeof UpdateCompany>;
export const UpdateCompany = z.object(fields).partial().openapi("UpdateCompany", {
  description:
    "Absent fields keep their values. Null resets a field to the value of a new company, which is null for most.",
  example: { name: "Nordlicht", billing: { city: "Hamburg" } },
});

export type UpdateSettings = z.output<typeof UpdateSettings>;
export const UpdateSettings = z.object({
  theme: optional(themes),
  product: optional(z.object({ mode: optional(productModes) })).openapi({
    description: "`simple`: the service does not calculate product prices.",
  }),
  default_account_id: optional(uuid).openapi({ description: "An account of the company." }),
  teams_can_create_relations_paths: optional(z.boolean()),
  groups_can_create_relations_paths: optional(z.boolean()),
  use_social_lookup: optional(z.boolean()).openapi({ description: "Requires the premium plan." }),
}).openapi("UpdateSettings", { example: { theme: "blue", product: { mode: "simple" } } });
