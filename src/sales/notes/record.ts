/** The note, described once. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { accounts } from "../../customers/accounts/record.ts";
import { contacts } from "../../customers/contacts/record.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { filledText, html, integerId, makeBackdatedTime, optional, uuid } from "../../http/zod.ts";
import { companies } from "../../identity/companies/table.ts";
import { computed, internal, numberedId, stamps, versioned, writeOnly } from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { activities } from "../activities/table.ts";
import { cases } from "../cases/record.ts";

const longest = 65_535;
/** The most users or teams in a request. */
const mostMentioned = 100;

const content = html(filledText(longest)).meta({
  description: "HTML; unsafe elements and attributes are removed.",
  example: "Wants to see it on <b>Friday</b>.",
});

const describeMentions = (what: string) =>
  optional(z.array(integerId).max(mostMentioned, `At most ${mostMentioned} ${what}.`)).meta({
    example: [],
  });

const { created_at, updated_at } = stamps();

export const noteMembers = {
  /** Also the row id of the full-text index. */
  id: numberedId(9),
  company_id: internal(integer().notNull().references(() => companies.id)),
  /** The team of the case or, without a case, of the contact; triggers maintain it. */
  team_id: internal(integer()),
  /** HTML, sanitised. */
  note: {
    column: text().notNull(),
    shown: z.string().meta({ example: "<p>Wants to see it on <b>Friday</b>.</p>", description: "HTML." }),
    create: content,
    change: content.optional(),
    stored: "code",
  },
  notify: writeOnly(
    optional(z.object({ users: describeMentions("users"), teams: describeMentions("teams") })).meta({
      description: "Users and teams to notify of a note on a case; all must be able to see it.",
    }),
  ),
  /** The author. */
  user_id: internal(integer().notNull()),
  user: computed(UserSummary),
  case_id: {
    column: text().references(() => cases.id),
    shown: z.uuid().nullable(),
    create: optional(uuid).meta({ description: "Required with `activity_id`, and without `contact_id`." }),
  },
  activity_id: {
    column: text().references(() => activities.id),
    shown: z.uuid().nullable(),
    create: optional(uuid).meta({ description: "An activity of the case." }),
  },
  contact_id: {
    column: text().references(() => contacts.id),
    shown: z.uuid().nullable(),
    create: optional(uuid).meta({ description: "Required with `account_id`, and without `case_id`." }),
  },
  /** The account of the contact; triggers maintain it. */
  account_id: {
    column: text().references(() => accounts.id),
    shown: z.uuid().nullable(),
    create: optional(uuid).meta({
      description: "The account of the contact; required with `contact_id`.",
    }),
  },
  /** Bits. 1: the note names users or teams; 2: somebody other than its author is among them. */
  mentions: internal(integer().notNull().default(0)),
  created_at: { ...created_at, create: makeBackdatedTime("record"), stored: "code" },
  updated_at,
  ...versioned,
} satisfies Members;

export const notes = sqliteTable("notes", columns(noteMembers), (table) => [
  index("notes_by_created").on(table.company_id, table.created_at, table.id),
  index("notes_by_team_created").on(table.company_id, table.team_id, table.created_at, table.id),
  index("notes_by_case").on(table.case_id, table.created_at, table.id),
  index("notes_by_activity").on(table.activity_id, table.created_at, table.id),
  index("notes_by_account").on(table.account_id, table.created_at, table.id),
  index("notes_by_contact").on(table.contact_id, table.created_at, table.id),
]);

/** What its columns name, and what happens when that is deleted. */
export const noteReferences = declareReferences(notes, {
  team_id: "a copy of the case's or account's, kept by triggers",
  user_id: { user: "keep" },
  case_id: { case: leaveTo("sales/notes/deletion.ts#removeNotes", "cascade") },
  activity_id: { activity: leaveTo("sales/notes/deletion.ts#removeNotes", "cascade") },
  account_id: "a copy of the contact's, kept by triggers",
  // A note on a case of another contact stays, without the contact.
  contact_id: { contact: leaveTo("sales/notes/deletion.ts#detachNotes", "step") },
});

export const Note = z.object(forAnswer(noteMembers))
  .meta({ id: "Note", description: "Visible to users who see its case or, without a case, its contact." });

export const NoteBody = z.object(forCreate(noteMembers, "note", "notify", "activity_id")).meta({
  id: "NoteBody",
  example: { note: "Wants to see it on Friday.", case_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a004" },
});

export const NoteChange = z.object(forChange(noteMembers))
  .meta({ id: "NoteChange", example: { note: "Wants to see it on Monday." } });

export type NoteBody = z.output<typeof NoteBody>;
export type NoteChange = z.output<typeof NoteChange>;
export type NoteRow = typeof notes.$inferSelect;

/** A note with the name of its author. `id` is null until the batch assigns it. */
export type NoteFacts = Omit<NoteRow, "id"> & { readonly id: number | null; readonly user_name: string };

const presentMembers = presenter(noteMembers, Note);

export function presentNote(note: NoteFacts) {
  return presentMembers({ ...note, user: { id: note.user_id, name: note.user_name } });
}
