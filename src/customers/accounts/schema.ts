import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { backdated, flag, integerId, optional } from "../../http/zod.ts";
import { pageOfRows } from "../../http/lists.ts";
import { externalId } from "../external_id.ts";
import { briefValues, FieldValue, FieldValues } from "../../http/field_values.ts";

export const UserSummary = z.object({
  id: z.int().meta({ example: 7 }),
  name: z.string().meta({ example: "Ada Byron" }),
})
  .meta({ id: "UserSummary" });

export const Account = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" }),
  b2c: z.boolean(),
  external_id: z.string().nullable(),
  team_id: z.int().nullable(),
  user: UserSummary.nullable(),
  fixed_fields: z.array(FieldValue),
  custom_fields: z.array(FieldValue),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Account", description: "A customer organisation, or a consumer when `b2c` is true." });

export const BriefAccount = Account.extend(briefValues);

export const AccountPage = pageOfRows(Account, BriefAccount, "AccountPage");

/** What answers show in place of ids. */
const named = { user_id: ["user", integerId] } as const;

export const AccountBody = z.object({
  user_id: optional(integerId),
  team_id: optional(integerId),
  b2c: flag(false),
  external_id: optional(externalId),
  fixed_fields: optional(FieldValues),
  custom_fields: optional(FieldValues),
  created_at: backdated("record"),
}).meta({
  id: "AccountBody",
  required: ["fixed_fields"],
  example: { b2c: false, fixed_fields: [{ name: "name", value: "Ada Ltd" }] },
});

export const AccountChange = orShownAs(
  z.object({
    user_id: optional(integerId),
    team_id: optional(integerId),
    external_id: optional(externalId),
    fixed_fields: optional(FieldValues),
    custom_fields: optional(FieldValues),
  }),
  named,
).meta({ id: "AccountChange", example: { fixed_fields: [{ name: "city", value: "London" }] } });

/** The path contains the external id. An update ignores the properties that only a creation uses. */
export const AccountPut = orShownAs(AccountBody.omit({ external_id: true }), named).meta({
  id: "AccountPut",
  example: { fixed_fields: [{ name: "name", value: "Ada Ltd" }] },
});

export type AccountPut = z.output<typeof AccountPut>;
export type AccountBody = z.output<typeof AccountBody>;
export type AccountChange = z.output<typeof AccountChange>;
