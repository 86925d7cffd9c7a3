/**
 * The communications of a definition: applies the changes of a body, and checks the templates and files that
 * they name.
 */
import type { Caller } from "../../core/access.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { insertAll, sql } from "../../db/statements.ts";
import { type Owner, seesOwner } from "../../identity/owners.ts";
import { mayRead, type Reader, readFileRow, selectFilesById } from "../../library/access.ts";
import { guardThat, type Result, type Row, type Statement } from "../../platform/database/database.ts";
import { onOneLine } from "../placeholders/render.ts";
import { checkText } from "../placeholders/syntax.ts";
import { cleanContent } from "../templates/write.ts";
import { type AutomatedRecord, type Communication, presentAutomated } from "./present.ts";
import type { CommunicationChange } from "./schema.ts";
import { automatedMessages } from "./table.ts";

/** Bytes of all attachments of an e-mail. */
const mostAttached = 10 * 1024 * 1024;
/** The JSON of a definition, in bytes. */
const definitionBudget = 1024 * 1024;

type Given = readonly CommunicationChange[];

/** Reads the templates and files that the communications name. */
export function selectNamedRecords(reader: Reader, given: Given): Statement[] {
  return [
    sql`select t.id, t.type, t.team_id, t.group_id, t.kept_for from templates t
      where t.company_id = ${reader.member.companyId}
      and t.id in (select value from json_each(${JSON.stringify(templatesIn(given))}))`,
    selectFilesById(reader, [...new Set(given.flatMap(({ attachments }) => attachments ?? []))]),
  ];
}

/**
 * Returns the communications after a change, in the order of the list. An item with an id changes a
 * communication, an item without one creates one. Adds errors with their paths.
 */
export async function communicationsAfter(
  caller: Caller,
  before: readonly Communication[],
  given: Given,
  [templates, files]: readonly Result[],
  now: number,
  errors: FieldError[],
): Promise<Communication[]> {
  const frames = new Set(
    templates!.rows.filter((row) => row.type === "email" && seesOwner(caller, row as Row & Owner))
      .map(({ id }) => Number(id)),
  );
  const readable = new Map(
    files!.rows.map(readFileRow).filter((file) => mayRead(caller, file)).map(({ id, size }) => [id, size]),
  );
  const sizes = new Map(files!.rows.map(({ id, size }) => [String(id), Number(size)]));
  const known = new Map(before.map((each) => [each.id, each]));
  const ids = given.flatMap(({ id }) => id ?? []);
  const after: Communication[] = [];
  for (const [index, item] of given.entries()) {
    const at = `communications[${index}]`;
    const was = item.id ? known.get(item.id) : undefined;
    if (item.id && !was) errors.push(missingReference(`${at}.id`, "communication of the definition"));
    if (item.id && ids.indexOf(item.id) !== ids.lastIndexOf(item.id)) {
      errors.push(fieldError(`${at}.id`, "unique", "Lists a communication twice."));
    }
    const template_id = item.template_id === undefined ? was?.template_id ?? null : item.template_id;
    // A template that the communication already has stays, even if the caller does not see it.
    if (template_id !== null && template_id !== was?.template_id && !frames.has(template_id)) {
      errors.push(missingReference(`${at}.template_id`, "template of type email"));
    }
    const had = new Set(was ? JSON.parse(was.attachments) as string[] : []);
    const attachments = item.attachments === undefined ? [...had] : [...new Set(item.attachments ?? [])];
    attachments.forEach((id, position) => {
      if (had.has(id) || readable.has(id)) return;
      errors.push(missingReference(`${at}.attachments[${position}]`, "file"));
    });
    const bytes = attachments.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
    if (bytes > mostAttached) {
      errors.push(fieldError(`${at}.attachments`, "max", "The files have more than 10 MiB in all."));
    }
    after.push({
      id: was?.id ?? makeId(now),
      name: item.name ?? was?.name ?? "",
      delay_days: item.delay?.days ?? was?.delay_days ?? 1,
      offset_from_midnight: item.delay?.offset_from_midnight ?? was?.offset_from_midnight ?? 0,
      template_id,
      subject: checkSubject(item.subject, `${at}.subject`, errors) ?? was?.subject ?? "",
      content: await checkContent(item.content, `${at}.content`, errors) ?? was?.content ?? "",
      attachments: JSON.stringify(attachments),
      chosen_by: JSON.stringify(composeChosenBy(caller, was, template_id, attachments)),
    });
  }
  return after;
}

/** Returns who is answerable for the template and each file: who chose them, which later changes keep. */
function composeChosenBy(
  { userId }: Caller,
  was: Communication | undefined,
  template_id: number | null,
  attachments: readonly string[],
): Record<string, number> {
  const before = JSON.parse(was?.chosen_by ?? "{}") as Record<string, number>;
  const had = new Set(was ? JSON.parse(was.attachments) as string[] : []);
  const chooser = (key: string, isOld: boolean) => {
    const user = isOld ? before[key] : userId;
    return user === undefined ? [] : [[key, user] as const];
  };
  return Object.fromEntries([
    ...(template_id === null ? [] : chooser("template", template_id === was?.template_id)),
    ...attachments.flatMap((id) => chooser(id, had.has(id))),
  ]);
}

/** Throws 422 `max` at `communications` for a definition that is too large. */
export function checkSize(after: AutomatedRecord, before: AutomatedRecord | null): void {
  const earlier = before && (() => presentAutomated(before));
  checkRecordSize(presentAutomated(after), "communications", earlier, definitionBudget);
}

/** Replaces the stored communications of a definition. */
export function writeCommunications({ id, company_id, communications }: AutomatedRecord): Statement[] {
  return [
    sql`delete from automated_messages where definition_id = ${id}`,
    ...(communications.length === 0 ? [] : [
      insertAll(
        automatedMessages,
        communications.map((each, position) => ({ ...each, company_id, definition_id: id, position })),
      ),
    ]),
  ];
}

/** Rejects the batch when one of the templates was deleted meanwhile. */
export function guardTemplates(companyId: number, given: Given): Statement[] {
  const ids = templatesIn(given);
  if (ids.length === 0) return [];
  return [guardThat(
    "templates",
    sql`(select count(*) from templates t where t.company_id = ${companyId}
      and t.id in (select value from json_each(${JSON.stringify(ids)}))) = ${ids.length}`,
  )];
}

function templatesIn(given: Given): number[] {
  return [...new Set(given.flatMap(({ template_id }) => template_id ?? []))];
}

function checkSubject(text: string | undefined, path: string, errors: FieldError[]): string | undefined {
  if (text === undefined) return undefined;
  checkText(text, path, errors);
  return onOneLine(text);
}

async function checkContent(
  html: string | undefined,
  path: string,
  errors: FieldError[],
): Promise<string | undefined> {
  if (html === undefined) return undefined;
  const faults: FieldError[] = [];
  const content = await cleanContent(html, faults);
  errors.push(...faults.map((fault) => ({ ...fault, path })));
  return content;
}
