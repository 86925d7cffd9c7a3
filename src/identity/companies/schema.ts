import { z } from "@hono/zod-openapi";
import { email, filledText, optional, text, url, uuid } from "../../http/zod.ts";
import {
  countryCode,
  currencyCode,
  languageCode,
  localeCode,
  timezoneName,
} from "../../http/reference_fields.ts";
import { productModes, themes } from "./record_schema.ts";

export const timezone = optional(z.object({ name: optional(timezoneName) }));

/** What a company is created and updated with. */
export const companyFields = {
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

export type UpdateCompany = z.output<typeof UpdateCompany>;
export const UpdateCompany = z.object(companyFields).partial().openapi("UpdateCompany", {
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
  email_tracking: optional(z.boolean()).openapi({
    description: "E-mails carry a picture of one pixel, which reports that they are opened.",
  }),
}).openapi("UpdateSettings", { example: { theme: "blue", product: { mode: "simple" } } });
