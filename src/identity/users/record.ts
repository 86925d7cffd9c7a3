/** The user, described once. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { counts } from "../../core/budgets.ts";
import { userTypes } from "../../core/rights.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { orShownAs } from "../../http/as_shown.ts";
import { localeMember, timezoneMember } from "../regional_members.ts";
import { refusal } from "../../http/validate.ts";
import { email, html, integerId, longText, optional, phoneNumber, text as anyText } from "../../http/zod.ts";
import {
  computed,
  internal,
  numberedId,
  optionalFlag,
  optionalLine,
  readOnly,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { companies } from "../companies/table.ts";
import { GivenSso } from "../sso/user_sso.ts";
import { EmbeddedTeam } from "../teams/record.ts";

/** The most characters of a password: more than anybody types. */
export const longestPassword = 1024;

export const password = (min: number) => longText(min, longestPassword);

/** Ids of a user's teams or roles. */
export const memberIds = z.array(integerId).max(counts.memberships, `At most ${counts.memberships} ids.`)
  .transform((
    list,
  ) => [...new Set(list)]);

const userType = z.object({
  id: z.int().refine(
    (id) => (Object.values(userTypes) as number[]).includes(id),
    refusal("enum", "Must be 1, 2, 3 or 5."),
  ).meta({ enum: [1, 2, 3, 5] }),
});

const teamIds = optional(memberIds).meta({
  description: "The first one becomes the active team.",
  example: [7],
});

export const userMembers = {
  id: numberedId(12),
  company_id: internal(integer().notNull().references(() => companies.id)),
  first_name: requiredLine(255, { example: "Ada" }),
  last_name: requiredLine(255, { example: "Lovelace" }),
  phone_number: {
    column: text(),
    shown: z.string().nullable().meta({ example: "020 7946 0018" }),
    ...writeOnly(optional(phoneNumber).meta({ example: "020 7946 0018" })),
  },
  formatted_phone_number: computed(z.string().nullable().meta({ example: "+44 20 7946 0018" })),
  job_title: optionalLine(255, { example: "Sales manager" }),
  email: {
    column: text().notNull(),
    shown: z.string().meta({ example: "ada@example.org" }),
    create: email,
    change: email.optional(),
  },
  /** The lower-case address. Unique in the whole service, since people sign in by it. */
  email_key: internal(text().notNull()),
  email_notifications: {
    column: integer().notNull().default(1),
    shown: z.boolean().meta({ example: true }),
    change: optional(z.boolean()),
    otherwise: 1,
    stored: "flag",
  },
  /** Storage key of the picture. */
  profile_picture: readOnly(
    text(),
    z.string().nullable().meta({
      description: "The address of the picture. Anybody who has it can open it.",
      example: "https://crm.example.org/pictures/Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI",
    }),
  ),
  locale: localeMember(),
  timezone: timezoneMember(),
  user_type: {
    column: integer().notNull().default(3),
    shown: z.object({ id: z.int(), name: z.enum(Object.keys(userTypes)) })
      .meta({ example: { id: 3, name: "user" } }),
    create: optional(userType).meta({ description: "Absent: `user`.", example: { id: 3 } }),
    change: userType.optional().meta({ example: { id: 2 } }),
    stored: "code",
  },
  signature_email: internal(text()),
  signature: {
    shown: z.object({ email: z.string().nullable() }).meta({ example: { email: null } }),
    change: optional(z.object({ email: optional(html(anyText(65_535))) })).meta({
      description: "HTML at the end of mails. Scripts and other unsafe parts are removed.",
      example: { email: "<p>Ada Lovelace</p>" },
    }),
  },
  /** The active team, one of the user's teams. New records go there. */
  active_team_id: internal(integer()),
  team: computed(
    EmbeddedTeam.nullable().meta({ description: "The active team, which the user last switched to." }),
  ),
  teams: computed(z.array(EmbeddedTeam)),
  team_ids: {
    create: teamIds,
    change: optional(memberIds).meta({
      description: "The active team stays if it is one of them; else the first becomes active.",
      example: [7],
    }),
  },
  roles: computed(
    z.array(z.object({
      id: z.int(),
      name: z.string(),
      created_at: z.string(),
      deleted_at: z.string().nullable(),
    })).meta({ example: [{ id: 4, name: "Agency", created_at: "2026-01-31 10:00:00", deleted_at: null }] }),
  ),
  role_ids: writeOnly(optional(memberIds).meta({ example: [4] })),
  system_user: { ...optionalFlag({ example: false }), ...writeOnly(optional(z.boolean())) },
  password: {
    create: optional(password(10)).meta({
      description: "Required unless `sso` is given.",
      example: "correct horse battery",
    }),
  },
  password_hash: internal(text()),
  sso: {
    create: optional(GivenSso).meta({
      description: "Signing in through a provider of the company, instead of a password or " +
        "beside it. Requires a trusted client.",
      example: null,
    }),
  },
  /** The company's driver that the user signs in through, and the user's subject there. */
  sso_provider: internal(text()),
  sso_user_id: internal(text()),
  created_by: internal(integer()),
  ...stamps(),
  deleted_at: internal(text()),
  ...versioned,
} satisfies Members;

export const users = sqliteTable("users", columns(userMembers), (table) => [
  uniqueIndex("users_email").on(table.email_key).where(sql`${table.deleted_at} is null`),
  // For sign-ins through a provider.
  uniqueIndex("users_sso").on(table.company_id, table.sso_provider, table.sso_user_id).where(
    sql`${table.sso_provider} is not null and ${table.deleted_at} is null`,
  ),
  // All users of a company, including deleted ones.
  index("users_by_company").on(table.company_id),
  index("users_by_created").on(table.company_id, table.created_at, table.id).where(
    sql`${table.deleted_at} is null`,
  ),
]);

export type UserRow = typeof users.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const userReferences = declareReferences(users, {
  active_team_id: { team: leaveTo("identity/deletion/leave_team.ts#leaveTeam", "clear") },
  sso_user_id: "an id of the sign-on provider",
  created_by: { user: "keep" },
});

export const User = z.object(forAnswer(userMembers)).meta({ id: "User" });

/** Whether the user can sign in. */
export const signsIn = (body: { password?: string | null | undefined; sso?: object | null | undefined }) =>
  body.password != null || body.sso != null;

/** The error when `signsIn` is false. `when` lets it be reported together with other errors. */
export const noSignIn = {
  ...refusal("required", "Required unless sso is given."),
  path: ["password"],
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

/** The body of a new user; refine with `signsIn`. */
const NewUser = z.object(forCreate(
  userMembers,
  "email",
  "first_name",
  "last_name",
  "job_title",
  "phone_number",
  "timezone",
  "locale",
  "system_user",
  "password",
  "sso",
  "role_ids",
  "team_ids",
));

/** Members of a new user who chooses neither roles, teams nor the type; refine with `signsIn`. */
export const newPerson = NewUser.omit({ role_ids: true, team_ids: true, user_type: true }).shape;

export type CreateUser = z.output<typeof CreateUser>;
export const CreateUser = NewUser.refine(signsIn, noSignIn).meta({
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
  z.object(forChange(
    userMembers,
    "email",
    "first_name",
    "last_name",
    "job_title",
    "phone_number",
    "timezone",
    "locale",
    "system_user",
    "role_ids",
    "team_ids",
    "user_type",
    "signature",
  )),
  { team_ids: ["teams", integerId], role_ids: ["roles", integerId] },
).meta({ id: "UpdateUser", example: { job_title: "Head of sales", email_notifications: false } });

/** Presents the plain members; the rest is computed. */
export const presentUserMembers = presenter(userMembers, User);
