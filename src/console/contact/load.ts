/** Reads a contact with what belongs to them. */
import type { ContactRecord } from "../account/load.ts";
import type { CaseEntry } from "../cases/load.ts";
import type { FileList } from "../parts/files.tsx";
import type { PageOf } from "../parts/list.tsx";
import type { NoteList } from "../parts/notes.tsx";
import { readInnerPages } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

export interface ContactContent {
  readonly contact: ContactRecord;
  readonly cases: PageOf<CaseEntry>;
  readonly notes: NoteList;
  readonly files: FileList;
  /** Parameters of the address that mean nothing. */
  readonly ignored: readonly string[];
}

export async function readContact({ call, params, query }: Visit): Promise<ContactContent> {
  const { pages, ignored } = readInnerPages(query, ["notes", "files"]);
  const contact = await call<ContactRecord>("getContact", { params });
  const of = { contact_id: contact.id, account_id: contact.account.id };
  const [cases, notes, files] = await Promise.all([
    call<PageOf<CaseEntry>>("listCasesOfAccount", {
      params: of,
      query: { per_page: "25", contact_ids: contact.id },
    }),
    call<NoteList>("listNotes", { query: { ...pages.notes, contact_ids: contact.id } }),
    call<FileList>("listContactFiles", { params: of, query: pages.files }),
  ]);
  return { contact, cases, notes, files, ignored };
}
