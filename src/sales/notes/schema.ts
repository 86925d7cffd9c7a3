/** Wire shapes of notes. */
import { z } from "zod";
import { UserSummary } from "../../customers/accounts/schema.ts";
import { backdated, csvUuids, filledText, html, integerId, optional, uuid } from "../../http/zod.ts";
import { pageOfSchema, paging, search, sorting } from "../../http/lists.ts";
import { noteList } from "./queries.ts";

export const Note = z.object({
  id: z.int().meta({ example: 9 }),
  note: z.string().meta({ example: "<p>Wants to see it on <b>Friday</b>.</p>", description: "HTML." }),
  user: UserSummary,
  case_id: z.uuid().nullable(),
  activity_id: z.uuid().nullable(),
  contact_id: z.uuid().nullable(),
  account_id: z.uuid().nullable(),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Note", description: "Visible to users who see its case or, without a case, its contact." });

export const NotePage = pageOfSchema(Note, "NotePage");

export const NoteListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(noteList.sorts),
  activity_ids: csvUuids.optional(),
  account_ids: csvUuids.optional(),
  case_ids: csvUuids.optional(),
  contact_ids: csvUuids.optional(),
});

const longest = 65_535;
/** The most users or teams in a request. */
const mostMentioned = 100;

const mentioned = (what: string) =>
  optional(z.array(integerId).max(mostMentioned, `At most ${mostMentioned} ${what}.`)).meta({
    example: [],
  });

const changeable = {
  note: html(filledText(longest)).meta({
    description: "HTML; unsafe elements and attributes are removed.",
    example: "Wants to see it on <b>Friday</b>.",
  }),
  notify: optional(z.object({ users: mentioned("users"), teams: mentioned("teams") })).meta({
    description: "Users and teams to notify of a note on a case; all must be able to see it.",
  }),
};

export const NoteBody = z.object({
  ...changeable,
  activity_id: optional(uuid).meta({ description: "An activity of the case." }),
  case_id: optional(uuid).meta({
    description: "Required with `activity_id`, and without `contact_id`.",
  }),
  contact_id: optional(uuid).meta({
    description: "Required with `account_id`, and without `case_id`.",
  }),
  account_id: optional(uuid).meta({
    description: "The account of the contact; required with `contact_id`.",
  }),
  created_at: backdated("record"),
}).meta({
  id: "NoteBody",
  example: { note: "Wants to see it on Friday.", case_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a004" },
});

export const NoteChange = z.object(changeable).partial().meta({
  id: "NoteChange",
  example: { note: "Wants to see it on Monday." },
});

export type NoteListQuery = z.output<typeof NoteListQuery>;
export type NoteBody = z.output<typeof NoteBody>;
export type NoteChange = z.output<typeof NoteChange>;
