/** Reads a contact with what belongs to them. */
import type { ContactRecord } from "../account/load.ts";
import type { CaseEntry } from "../cases/load.ts";
import type { FileList } from "../parts/files.tsx";
import type { PageOf } from "../parts/list.tsx";
import type { NoteList } from "../parts/notes.tsx";
import type { Visit } from "../visit.ts";

export interface ContactContent {
  readonly contact: ContactRecord;
  readonly cases: PageOf<CaseEntry>;
  readonly notes: NoteList;
  readonly files: FileList;
}

export async function readContact({ call, params }: Visit): Promise<ContactContent> {
  const contact = await call<ContactRecord>("getContact", { params });
  const of = { contact_id: contact.id, account_id: contact.account.id };
  const [cases, notes, files] = await Promise.all([
    call<PageOf<CaseEntry>>("listCasesOfAccount", {
      params: of,
      query: { per_page: "50", contact_ids: contact.id },
    }),
    call<NoteList>("listNotes", { query: { per_page: "50", contact_ids: contact.id } }),
    call<FileList>("listContactFiles", { params: of, query: { per_page: "50" } }),
  ]);
  return { contact, cases, notes, files };
}
