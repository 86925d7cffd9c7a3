import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { counts } from "../../core/budgets.ts";
import { rights, userTypes } from "../../core/rights.ts";
import {
  csvIntegers,
  email,
  filledLine,
  html,
  integerId,
  lineText,
  longText,
  optional,
  phoneNumber,
  queryInteger,
  text,
} from "../../http/zod.ts";
import { pageOfSchema, paging, search, sorting } from "../../http/lists.ts";
import { Locale, localeCode, Timezone, timezoneName } from "../../http/reference_fields.ts";
import { refusal } from "../../http/validate.ts";
import { Company } from "../companies/record_schema.ts";
import { GivenSso } from "../sso/user_sso.ts";
import { EmbeddedTeam, Team } from "../teams/record.ts";

export const User = z.object({
  id: z.int().meta({ example: 12 }),
  first_name: z.string().meta({ example: "Ada" }),
  last_name: z.string().meta({ example: "Lovelace" }),
  phone_number: z.string().nullable().meta({ example: "020 7946 0018" }),
  formatted_phone_number: z.string().nullable().meta({ example: "+44 20 7946 0018" }),
  job_title: z.string().nullable().meta({ example: "Sales manager" }),
  email: z.string().meta({ example: "ada@example.org" }),
  email_notifications: z.boolean().meta({ example: true }),
  profile_picture: z.string().nullable().meta({
    description: "The address of the picture. Anybody who has it can open it.",
    example: "https://crm.example.org/pictures/Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI",
  }),
  locale: Locale,
  timezone: Timezone,
  user_type: z.object({ id: z.int(), name: z.enum(Object.keys(userTypes)) })
    .meta({ example: { id: 3, name: "user" } }),
  signature: z.object({ email: z.string().nullable() }).meta({ example: { email: null } }),
  team: EmbeddedTeam.nullable().meta({ description: "The active team, which the user last switched to." }),
  teams: z.array(EmbeddedTeam),
  roles: z.array(z.object({
    id: z.int(),
    name: z.string(),
    created_at: z.string(),
    deleted_at: z.string().nullable(),
  })).meta({ example: [{ id: 4, name: "Agency", created_at: "2026-01-31 10:00:00", deleted_at: null }] }),
  system_user: z.boolean().meta({ example: false }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "User" });

export const ProfilePicture = User.pick({ profile_picture: true }).meta({ id: "ProfilePicture" });

export const UserPage = pageOfSchema(User, "UserPage");

export const Me = User.extend({
  company: Company,
  rights: z.array(z.enum(Object.keys(rights))).meta({
    description: "The names of the rights in force.",
    example: ["customers.create", "customers.update"],
  }),
}).meta({ id: "Me", extends: User });

/** Also those of the list in `queries.ts`. */
export const userSorts = { created_at: "created_at" };

export const UserListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(userSorts),
  ids: csvIntegers.optional().meta({ description: "Only these users.", example: "12,13" }),
  teams: csvIntegers.optional().meta({ description: "Only members of these teams.", example: "2,3" }),
});

/** The most characters of a password: more than anybody types. */
const longestPassword = 1024;

export const password = (min: number) => longText(min, longestPassword);

/** Ids of a user's teams or roles. */
export const memberIds = z.array(integerId).max(counts.memberships, `At most ${counts.memberships} ids.`)
  .transform((
    list,
  ) => [...new Set(list)]);

const person = {
  email,
  first_name: filledLine(255).meta({ example: "Ada" }),
  last_name: filledLine(255).meta({ example: "Lovelace" }),
};

const userType = z.object({
  id: z.int().refine(
    (id) => (Object.values(userTypes) as number[]).includes(id),
    refusal("enum", "Must be 1, 2, 3 or 5."),
  ).meta({ enum: [1, 2, 3, 5] }),
});

const choices = {
  job_title: optional(lineText(255)).meta({ example: "Sales manager" }),
  phone_number: optional(phoneNumber).meta({ example: "020 7946 0018" }),
  timezone: optional(z.object({ name: optional(timezoneName) })).meta({
    description: "Absent: the company's.",
  }),
  locale: optional(z.object({ code: optional(localeCode) })).meta({
    description: "Absent: the company's.",
  }),
  system_user: optional(z.boolean()),
};

const memberships = {
  role_ids: optional(memberIds).meta({ example: [4] }),
  team_ids: optional(memberIds).meta({
    description: "The first one becomes the active team.",
    example: [7],
  }),
};

/** Fields of a new user; refine with `signsIn`. */
export const newPerson = {
  ...person,
  ...choices,
  password: optional(password(10)).meta({
    description: "Required unless `sso` is given.",
    example: "correct horse battery",
  }),
  sso: optional(GivenSso).meta({
    description: "Signing in through a provider of the company, instead of a password or " +
      "beside it. Requires a trusted client.",
    example: null,
  }),
};

/** Whether the user can sign in. */
export const signsIn = (body: { password?: string | null | undefined; sso?: object | null | undefined }) =>
  body.password != null || body.sso != null;

/** The error when `signsIn` is false. `when` lets it be reported together with other errors. */
export const noSignIn = {
  ...refusal("required", "Required unless sso is given."),
  path: ["password"],
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

export type CreateUser = z.output<typeof CreateUser>;
export const CreateUser = z.object({
  ...newPerson,
  ...memberships,
  user_type: optional(userType).meta({ description: "Absent: `user`.", example: { id: 3 } }),
}).refine(signsIn, noSignIn).meta({
  id: "CreateUser",
  example: {
    first_name: "Charles",
    last_name: "Babbage",
    email: "charles@example.org",
    password: "correct horse battery",
    team_ids: [7],
  },
});

export type UpdateUser = z.output<typeof UpdateUser>;
export const UpdateUser = orShownAs(
  z.object({
    ...z.object(person).partial().shape,
    ...choices,
    ...memberships,
    team_ids: optional(memberIds).meta({
      description: "The active team stays if it is one of them; else the first becomes active.",
      example: [7],
    }),
    user_type: userType.optional().meta({ example: { id: 2 } }),
    signature: optional(z.object({ email: optional(html(text(65_535))) })).meta({
      description: "HTML at the end of mails. Scripts and other unsafe parts are removed.",
      example: { email: "<p>Ada Lovelace</p>" },
    }),
    email_notifications: optional(z.boolean()),
  }),
  { team_ids: ["teams", integerId], role_ids: ["roles", integerId] },
).meta({ id: "UpdateUser", example: { job_title: "Head of sales", email_notifications: false } });

export type ChangePassword = z.output<typeof ChangePassword>;
export const ChangePassword = z.object({
  old_password: text(longestPassword).meta({ example: "correct horse battery" }),
  new_password: password(10).meta({ example: "battery horse correct" }),
}).meta({
  id: "ChangePassword",
  example: { old_password: "correct horse battery", new_password: "battery horse correct" },
});

export const SwitchTeam = z.object({
  team_id: integerId.nullable().meta({
    description: "One of the caller's teams; null: none.",
    example: 7,
  }),
}).meta({ id: "SwitchTeam", example: { team_id: 7 } });

export const TeamsOfUser = z.object({ data: z.array(Team) }).meta({ id: "TeamsOfUser" });

export const DeleteUserQuery = z.object({
  assign_to: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description: "The user who gets the open cases and tasks, the applications and the webhooks. " +
      "Without one, cases and tasks stay with the deleted user, and applications and webhooks are deleted.",
    example: 13,
  }),
});
