/** The team, described once. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { FieldValue, FieldValues } from "../../fields/values.ts";
import { Country, countryCode } from "../../http/reference_fields.ts";
import { integerId, optional, orShown, phoneNumber, url } from "../../http/zod.ts";
import {
  computed,
  internal,
  numberedId,
  optionalFlag,
  optionalLine,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { companies } from "../companies/table.ts";
import { localeMember, timezoneMember } from "../regional_members.ts";
import { groups, GroupSummary } from "../groups/record.ts";

const optionalText = z.string().nullable();

/** The members of the record; `teamMembers` of `table.ts` are its users. */
export const teamMap = {
  id: numberedId(7),
  company_id: internal(integer().notNull().references(() => companies.id)),
  name: requiredLine(255, { example: "Hamburg" }),
  address_1: optionalLine(100, { example: "Elbchaussee 1" }),
  address_2: optionalLine(100),
  zip_code: optionalLine(16, { example: "22765" }),
  city: optionalLine(60, { example: "Hamburg" }),
  state: optionalLine(60),
  // Given as a code, shown with its name.
  country: {
    column: text(),
    shown: Country.nullable(),
    ...writeOnly(optional(orShown("code", countryCode))),
  },
  phone_number: {
    column: text(),
    shown: optionalText.meta({ example: "040 123456" }),
    ...writeOnly(optional(phoneNumber).meta({ example: "040 123456" })),
  },
  formatted_phone_number: computed(optionalText.meta({ example: "+49 40 123456" })),
  website: {
    column: text(),
    shown: optionalText.meta({ example: "https://example.org" }),
    ...writeOnly(optional(url)),
  },
  vat: optionalLine(16),
  timezone: timezoneMember(),
  locale: localeMember(),
  /** `dealer` teams take leads from the agency. */
  team_type: {
    column: text({ enum: ["dealer"] }),
    shown: z.enum(["dealer"]).nullable().meta({
      description: "`dealer`: takes leads that an agency assigns.",
      example: "dealer",
    }),
    ...writeOnly(optional(z.enum(["dealer"]))),
  },
  group_id: {
    column: integer().references(() => groups.id),
    shown: z.int().nullable().meta({ example: 3 }),
    ...writeOnly(optional(integerId)),
  },
  group: computed(GroupSummary.nullable()),
  use_social_lookup: {
    ...optionalFlag({ example: false }),
    ...writeOnly(optional(z.boolean()).meta({ description: "Requires the premium plan." })),
  },
  custom_fields: writeOnly(optional(FieldValues)),
  /** Custom values as a JSON object by field id. */
  custom: internal(text().notNull().default("{}")),
  created_by: internal(integer()),
  ...stamps(),
  ...versioned,
} satisfies Members;

export const teams = sqliteTable("teams", columns(teamMap), (table) => [
  index("teams_by_created").on(table.company_id, table.created_at, table.id),
  // For the agency's list of dealers.
  index("dealers_by_created").on(table.company_id, table.created_at, table.id).where(
    sql`${table.team_type} = 'dealer'`,
  ),
  index("dealers_by_updated").on(table.company_id, table.updated_at, table.id).where(
    sql`${table.team_type} = 'dealer'`,
  ),
  // For teams that share records in a group.
  index("teams_by_group").on(table.group_id, table.id),
]);

/** What its columns name, and what happens when that is deleted. */
export const teamReferences = declareReferences(teams, {
  group_id: { group: leaveTo("identity/groups/delete.ts#deleteGroup", "clear") },
  created_by: { user: "keep" },
});
export const EmbeddedTeam = z.object(forAnswer(teamMap)).meta({ id: "EmbeddedTeam" });

/** A team in short rows of lists. */
export const TeamSummary = z.object({ id: z.int(), name: z.string() })
  .meta({ id: "TeamSummary", example: { id: 7, name: "Hamburg" } });

export const Team = EmbeddedTeam.extend({
  custom_fields: z.array(FieldValue).meta({ example: [] }),
}).meta({ id: "Team", extends: EmbeddedTeam });

export const CreateTeam = z.object(forCreate(teamMap)).meta({
  id: "CreateTeam",
  example: { name: "Hamburg", city: "Hamburg", country: "DE", team_type: "dealer" },
});

export const UpdateTeam = orShownAs(z.object(forChange(teamMap)), { group_id: ["group", integerId] })
  .meta({ id: "UpdateTeam", example: { city: "Hamburg" } });

export type TeamRow = typeof teams.$inferSelect;
export type CreateTeam = z.output<typeof CreateTeam>;
export type UpdateTeam = z.output<typeof UpdateTeam>;

/** Presents the members of a team inside another record. */
export const presentTeamMembers = presenter(teamMap, EmbeddedTeam);
