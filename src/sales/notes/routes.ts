import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createNote } from "./create.ts";
import { deleteNote } from "./delete.ts";
import { getNote, listNotes, noteList, NoteListQuery, NotePage, readNoteRow } from "./queries.ts";
import { Note, NoteBody, NoteChange, presentNote } from "./record.ts";
import { updateNote } from "./update.ts";

const tag = "Notes";
const one = { note_id: "integer" } as const;

export const noteEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/notes",
    operation: "listNotes",
    tag,
    summary: "List the notes that the caller sees",
    query: NoteListQuery,
    answers: { 200: { description: "A page of notes.", schema: NotePage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, noteList);
    const { rows, total } = await listNotes(ctx, query, paging);
    return page({ url, ctx }, paging, rows, total, (row) => presentNote(readNoteRow(row)));
  }),
  endpoint({
    method: "post",
    path: "/v1/notes",
    operation: "createNote",
    tag,
    summary: "Create a note on a case or a contact",
    body: NoteBody,
    answers: { 201: { description: "The note.", schema: Note } },
  }, (ctx, { body }) => createNote(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/notes/:note_id",
    operation: "getNote",
    tag,
    summary: "Get a note",
    params: one,
    answers: { 200: { description: "The note.", schema: Note } },
  }, (ctx, { params }) => getNote(ctx, params.note_id)),
  endpoint({
    method: "put",
    path: "/v1/notes/:note_id",
    operation: "updateNote",
    tag,
    summary: "Change a note",
    description: "For the author.",
    params: one,
    body: NoteChange,
    answers: { 201: { description: "The updated note.", schema: Note } },
  }, (ctx, { params, body }) => updateNote(ctx, params.note_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/notes/:note_id",
    operation: "deleteNote",
    tag,
    summary: "Delete a note",
    description: "For the author and admins.",
    params: one,
    answers: { 204: { description: "The note is deleted.", schema: null } },
  }, (ctx, { params }) => deleteNote(ctx, params.note_id)),
];
