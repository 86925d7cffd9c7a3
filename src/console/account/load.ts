/** Reads an account with what belongs to it. */
import type { CaseEntry } from "../cases/load.ts";
import type { Fielded } from "../parts/fields.tsx";
import type { FileList } from "../parts/files.tsx";
import type { PageOf } from "../parts/list.tsx";
import type { NoteList } from "../parts/notes.tsx";
import { readInnerPages } from "../parts/parameters.ts";
import { readNames, readTeams } from "../parts/choices.ts";
import type { Visit } from "../visit.ts";

interface Named {
  readonly id: number;
  readonly name: string;
}

export interface AccountRecord extends Fielded {
  readonly id: string;
  readonly b2c: boolean;
  readonly team_id: number | null;
  readonly user: Named | null;
  readonly created_at: string;
}

export interface ContactRecord extends Fielded {
  readonly id: string;
  readonly b2c: boolean;
  readonly status: string;
  readonly account: { readonly id: string; readonly name: string | null };
  readonly user: Named | null;
  readonly consent: Readonly<Record<string, { readonly consent_given: boolean | null }>>;
  readonly created_at: string;
}

/** Returns the name of a record, of its fixed fields; the given text without one. */
export function findRecordName({ fixed_fields }: Fielded, otherwise: string): string {
  const text = (name: string) => {
    const value = fixed_fields.find((field) => field.name === name)?.value;
    return typeof value === "string" ? value : "";
  };
  const name = text("name") || [text("first_name"), text("last_name")].filter(Boolean).join(" ");
  return name || text("email") || otherwise;
}

export interface AccountContent {
  readonly account: AccountRecord;
  readonly contacts: PageOf<ContactRecord>;
  readonly cases: PageOf<CaseEntry>;
  readonly notes: NoteList;
  readonly files: FileList;
  readonly team: Named | null;
  /** Parameters of the address that mean nothing. */
  readonly ignored: readonly string[];
}

/** Rows of the contacts and of the cases, which have whole lists elsewhere. */
const query = { per_page: "25" };

export async function readAccount(visit: Visit): Promise<AccountContent> {
  const { call, params } = visit;
  const { pages, ignored } = readInnerPages(visit.query, ["notes", "files"]);
  const [account, contacts, cases, notes, files, teams] = await Promise.all([
    call<AccountRecord>("getAccount", { params }),
    call<PageOf<ContactRecord>>("listContactsOfAccount", { params, query }),
    call<PageOf<CaseEntry>>("listCasesOfAccount", { params, query }),
    call<NoteList>("listNotes", { query: { ...pages.notes, account_ids: params.account_id! } }),
    call<FileList>("listAccountFiles", { params, query: pages.files }),
    readTeams(visit),
  ]);
  const name = (await readNames(visit, "teams", teams, [account.team_id])).get(String(account.team_id));
  const team = account.team_id === null || name === undefined ? null : { id: account.team_id, name };
  return { account, contacts, cases, notes, files, team, ignored };
}
