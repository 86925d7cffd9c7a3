/** What can be done with imports. */
import { fieldError, invalid, Problem } from "../../core/errors.ts";
import { makeBody } from "../form_body.ts";
import type { Action, Done } from "../page.ts";
import { fileFormLimit } from "../parts/files.tsx";
import type { Visit } from "../visit.ts";
import { importPage, revertPage } from "./import.tsx";
import { type ImportRecord, readFields } from "./load.ts";
import { importsPath, newImportPage } from "./page.tsx";
import { proposeFields } from "./proposal.ts";

const composePath = ({ id }: { readonly id: string }) => `${importsPath}/${id}`;

export const importActions: readonly Action[] = [
  { path: newImportPage.path, page: newImportPage, limit: fileFormLimit, run: checkFile },
  { path: "/app/imports/:import_id/mapping", page: importPage, run: checkAgain },
  {
    path: "/app/imports/:import_id/start",
    page: importPage,
    async run(visit) {
      const record = await visit.change<ImportRecord>("startImport", { params: visit.params });
      // The import has a copy of its own.
      await removeFile(visit, record.file_id);
      return { to: composePath(record), message: { name: "importStarted" } };
    },
  },
  {
    path: "/app/imports/:import_id/cancel",
    page: importPage,
    async run(visit) {
      const record = await visit.change<ImportRecord>("cancelImport", { params: visit.params });
      await removeFile(visit, record.file_id);
      return { to: composePath(record), message: { name: "importStopped" } };
    },
  },
  {
    path: revertPage.path,
    page: revertPage,
    async run({ change, params }) {
      const record = await change<ImportRecord>("revertImport", { params });
      return { to: composePath(record), message: { name: "importReverting" } };
    },
  },
];

/** Stores the file, and checks it with the fields that the names of its columns propose. */
async function checkFile(visit: Visit): Promise<Done> {
  const { call, change, form } = visit;
  visit.require("imports.manage");
  const sent = form.get("file");
  if (!(sent instanceof File) || sent.name === "") {
    throw invalid(fieldError("file", "required", "A file is needed."));
  }
  const given = makeBody(form, {
    entity: "needed",
    match: "text",
    on_match: "text",
    team_id: "integer",
    user_id: "integer",
    agency_team_id: "integer",
  });
  const format = /\.(?:ndjson|jsonl)$/i.test(sent.name) ? "ndjson" : "csv";
  const data = new Uint8Array(await sent.arrayBuffer()).toBase64();
  const { id: file_id } = await change<{ id: string }>("createFile", { body: { name: sent.name, data } });
  const body = { ...given, format, file_id, dry_run: true };
  try {
    const record = await change<ImportRecord>("createImport", { body });
    const { id: import_id, mapping, unmapped, entity } = record;
    const set = new Set(Object.values(mapping));
    const free = (await readFields(call, entity)).filter(({ name }) => !set.has(name));
    const more = proposeFields(unmapped, free, entity);
    if (Object.keys(more).length === 0) return { to: composePath(record), message: null };
    // The names of columns are known now, so that the check begins again with those that the API does not know.
    const next = await change<ImportRecord>("createImport", {
      body: { ...body, mapping: { ...mapping, ...more } },
    });
    await change("cancelImport", { params: { import_id } }).catch(ignoreProblem);
    return { to: composePath(next), message: null };
  } catch (error) {
    await removeFile(visit, file_id);
    throw error;
  }
}

/** Checks the same file with the chosen fields, as a new import in place of this one. */
async function checkAgain(visit: Visit): Promise<Done> {
  const { call, change, form, params } = visit;
  const record = await call<ImportRecord>("getImport", { params });
  const { entity, format, match, on_match, refusals, team_id, user_id, agency_team_id, file_id } = record;
  const isOfCustomers = entity === "accounts" || entity === "contacts";
  const body = {
    entity,
    format,
    match,
    on_match,
    refusals,
    ...(team_id === null ? {} : { team_id }),
    ...(user_id === null || !isOfCustomers ? {} : { user_id }),
    ...(agency_team_id === null ? {} : { agency_team_id }),
    file_id,
    dry_run: true,
    mapping: readMapping(form),
  };
  const next = await change<ImportRecord>("createImport", { body });
  await change("cancelImport", { params }).catch(ignoreProblem);
  return { to: composePath(next), message: null };
}

/** Returns the chosen field of each column; null leaves one out. */
function readMapping(form: FormData): Record<string, string | null> {
  const mapping: Record<string, string | null> = {};
  for (const [name, column] of form) {
    if (!name.startsWith("column.") || typeof column !== "string") continue;
    const field = form.get(`field.${name.slice("column.".length)}`);
    mapping[column] = typeof field === "string" && field !== "" ? field : null;
  }
  return mapping;
}

/** Removes the file that the form brought into the library. One that is gone already stays so. */
async function removeFile({ change }: Visit, file_id: string | null): Promise<void> {
  if (file_id === null) return;
  await change("deleteFile", { params: { file_id } }).catch(ignoreProblem);
}

function ignoreProblem(error: unknown): void {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
}
