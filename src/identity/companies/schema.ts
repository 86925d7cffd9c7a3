import { z } from "zod";
import { email, filledLine, lineText, optional, orShown, phoneNumber, url, uuid } from "../../http/zod.ts";
import {
  countryCode,
  currencyCode,
  languageCode,
  localeCode,
  timezoneName,
} from "../../http/reference_fields.ts";
import { productModes, themes } from "./record_schema.ts";

export const timezone = optional(z.object({ name: optional(timezoneName) }));

/** The fields with which a company is created and updated. */
export const companyFields = {
  name: filledLine(100).meta({ example: "Nordlicht Autohaus" }),
  timezone: timezone.meta({ description: "Absent: `UTC`." }),
  billing: optional(z.object({
    invoice_email: optional(email),
    address_1: optional(lineText(100)).meta({ example: "Elbchaussee 1" }),
    address_2: optional(lineText(100)),
    zip_code: optional(lineText(16)).meta({ example: "22765" }),
    city: optional(lineText(60)).meta({ example: "Hamburg" }),
    state: optional(lineText(60)),
    country: optional(orShown("code", countryCode)),
  })),
  phone_number: optional(phoneNumber).meta({ example: "040 123456" }),
  website: optional(url),
  vat: optional(lineText(16)).meta({ example: "DE123456789" }),
  language: optional(orShown("code", languageCode)).meta({ description: "Absent: `en`." }),
  locale: optional(z.object({ code: optional(localeCode) })).meta({ description: "Absent: `en-GB`." }),
  currency: optional(orShown("code", currencyCode)).meta({ description: "Absent: `EUR`." }),
};

export type UpdateCompany = z.output<typeof UpdateCompany>;
export const UpdateCompany = z.object(companyFields).partial().meta({
  id: "UpdateCompany",
  description:
    "Absent fields keep their values. Null resets a field to the value of a new company, which is null for most.",
  example: { name: "Nordlicht", billing: { city: "Hamburg" } },
});

export type UpdateSettings = z.output<typeof UpdateSettings>;
export const UpdateSettings = z.object({
  theme: optional(themes),
  product: optional(z.object({ mode: optional(productModes) })).meta({
    description: "`simple`: the service does not calculate product prices.",
  }),
  default_account_id: optional(uuid).meta({ description: "An account of the company." }),
  teams_can_create_relations_paths: optional(z.boolean()),
  groups_can_create_relations_paths: optional(z.boolean()),
  use_social_lookup: optional(z.boolean()).meta({ description: "Requires the premium plan." }),
  email_tracking: optional(z.boolean()).meta({
    description: "E-mails carry a picture of one pixel, which reports that they are opened.",
  }),
}).meta({ id: "UpdateSettings", example: { theme: "blue", product: { mode: "simple" } } });
