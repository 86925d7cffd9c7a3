import { z } from "@hono/zod-openapi";
import { FieldValue, FieldValues } from "../../http/field_values.ts";
import { csvIntegers, filledText, integerId, optional, queryInteger, text, url } from "../../http/zod.ts";
import { pageOfSchema, paging, search, sorting } from "../../http/lists.ts";
import {
  Country,
  countryCode,
  Locale,
  localeCode,
  Timezone,
  timezoneName,
} from "../../http/reference_fields.ts";
import { GroupSummary } from "./group_schema.ts";
import { teamList } from "./queries.ts";

export const EmbeddedTeam = z.object({
  id: z.int().openapi({ example: 7 }),
  name: z.string().openapi({ example: "Hamburg" }),
  address_1: z.string().nullable().openapi({ example: "Elbchaussee 1" }),
  address_2: z.string().nullable(),
  zip_code: z.string().nullable().openapi({ example: "22765" }),
  city: z.string().nullable().openapi({ example: "Hamburg" }),
  state: z.string().nullable(),
  country: Country.nullable(),
  phone_number: z.string().nullable().openapi({ example: "040 123456" }),
  formatted_phone_number: z.string().nullable().openapi({ example: "+49 40 123456" }),
  website: z.string().nullable().openapi({ example: "https://example.org" }),
  vat: z.string().nullable(),
  timezone: Timezone,
  locale: Locale,
  team_type: z.enum(["dealer"]).nullable().openapi({
    description: "`dealer`: takes leads that an agency assigns.",
    example: "dealer",
  }),
  group_id: z.int().nullable().openapi({ example: 3 }),
  group: GroupSummary.nullable(),
  use_social_lookup: z.boolean().openapi({ example: false }),
  created_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
}).openapi("EmbeddedTeam");

export const Team = EmbeddedTeam.extend({
  custom_fields: z.array(FieldValue).openapi({ example: [] }),
}).openapi("Team");

export const TeamPage = pageOfSchema(Team, "TeamPage");

export const TeamListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(teamList.sorts),
  groups: csvIntegers.optional().openapi({ description: "Only teams of these groups.", example: "3,4" }),
});

export const DeleteTeamQuery = z.object({
  assign_to: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().openapi({
    description: "The id of a team that the caller may use. It takes over all records of the deleted team.",
    example: 8,
  }),
});

export type CreateTeam = z.output<typeof CreateTeam>;
export const CreateTeam = z.object({
  name: filledText(255).openapi({ example: "Hamburg" }),
  address_1: optional(text(100)).openapi({ example: "Elbchaussee 1" }),
  address_2: optional(text(100)),
  zip_code: optional(text(16)).openapi({ example: "22765" }),
  city: optional(text(60)).openapi({ example: "Hamburg" }),
  state: optional(text(60)),
  country: optional(countryCode),
  phone_number: optional(text(255)).openapi({ example: "040 123456" }),
  website: optional(url),
  vat: optional(text(16)),
  timezone: optional(z.object({ name: optional(timezoneName) })).openapi({
    description: "Absent: the company's.",
  }),
  locale: optional(z.object({ code: optional(localeCode) })).openapi({
    description: "Absent: the company's.",
  }),
  team_type: optional(z.enum(["dealer"])),
  group_id: optional(integerId),
  use_social_lookup: optional(z.boolean()).openapi({ description: "Requires the premium plan." }),
  custom_fields: optional(FieldValues),
}).openapi("CreateTeam", {
  example: { name: "Hamburg", city: "Hamburg", country: "DE", team_type: "dealer" },
});

export type UpdateTeam = z.output<typeof UpdateTeam>;
export const UpdateTeam = CreateTeam.partial().openapi("UpdateTeam", { example: { city: "Hamburg" } });
