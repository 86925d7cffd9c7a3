import { z } from "zod";
import { FieldValue, FieldValues } from "../../http/field_values.ts";
import {
  csvIntegers,
  filledLine,
  integerId,
  lineText,
  optional,
  orShown,
  phoneNumber,
  queryInteger,
  url,
} from "../../http/zod.ts";
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
  id: z.int().meta({ example: 7 }),
  name: z.string().meta({ example: "Hamburg" }),
  address_1: z.string().nullable().meta({ example: "Elbchaussee 1" }),
  address_2: z.string().nullable(),
  zip_code: z.string().nullable().meta({ example: "22765" }),
  city: z.string().nullable().meta({ example: "Hamburg" }),
  state: z.string().nullable(),
  country: Country.nullable(),
  phone_number: z.string().nullable().meta({ example: "040 123456" }),
  formatted_phone_number: z.string().nullable().meta({ example: "+49 40 123456" }),
  website: z.string().nullable().meta({ example: "https://example.org" }),
  vat: z.string().nullable(),
  timezone: Timezone,
  locale: Locale,
  team_type: z.enum(["dealer"]).nullable().meta({
    description: "`dealer`: takes leads that an agency assigns.",
    example: "dealer",
  }),
  group_id: z.int().nullable().meta({ example: 3 }),
  group: GroupSummary.nullable(),
  use_social_lookup: z.boolean().meta({ example: false }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "EmbeddedTeam" });

export const Team = EmbeddedTeam.extend({
  custom_fields: z.array(FieldValue).meta({ example: [] }),
}).meta({ id: "Team", extends: EmbeddedTeam });

export const TeamPage = pageOfSchema(Team, "TeamPage");

export const TeamListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(teamList.sorts),
  groups: csvIntegers.optional().meta({ description: "Only teams of these groups.", example: "3,4" }),
});

export const DeleteTeamQuery = z.object({
  assign_to: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description: "The id of a team that the caller may use. It takes over all records of the deleted team.",
    example: 8,
  }),
});

export type CreateTeam = z.output<typeof CreateTeam>;
export const CreateTeam = z.object({
  name: filledLine(255).meta({ example: "Hamburg" }),
  address_1: optional(lineText(100)).meta({ example: "Elbchaussee 1" }),
  address_2: optional(lineText(100)),
  zip_code: optional(lineText(16)).meta({ example: "22765" }),
  city: optional(lineText(60)).meta({ example: "Hamburg" }),
  state: optional(lineText(60)),
  country: optional(orShown("code", countryCode)),
  phone_number: optional(phoneNumber).meta({ example: "040 123456" }),
  website: optional(url),
  vat: optional(lineText(16)),
  timezone: optional(z.object({ name: optional(timezoneName) })).meta({
    description: "Absent: the company's.",
  }),
  locale: optional(z.object({ code: optional(localeCode) })).meta({
    description: "Absent: the company's.",
  }),
  team_type: optional(z.enum(["dealer"])),
  group_id: optional(integerId),
  use_social_lookup: optional(z.boolean()).meta({ description: "Requires the premium plan." }),
  custom_fields: optional(FieldValues),
}).meta({
  id: "CreateTeam",
  example: { name: "Hamburg", city: "Hamburg", country: "DE", team_type: "dealer" },
});

export type UpdateTeam = z.output<typeof UpdateTeam>;
export const UpdateTeam = CreateTeam.partial().meta({ id: "UpdateTeam", example: { city: "Hamburg" } });
