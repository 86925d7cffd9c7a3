/** Adds an arriving message to the case that it is addressed to. */
import { noContent } from "../../core/answer.ts";
import { Problem } from "../../core/errors.ts";
import { escapeHtml } from "../../core/html.ts";
import { takeBeginning } from "../../core/text.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, type FieldAuthor, retrying } from "../../db/commit.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { announceObjects, takeObjects, withStored } from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { refuseAddress } from "../../customers/refusals/refusals.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeArrivingFilesLimit, makeArrivingLimit } from "../../identity/attempts/limits.ts";
import { isUntouched } from "../../identity/companies/begin_erasure.ts";
import { makeContent } from "../../library/content.ts";
import type { ShownFile } from "../../library/present.ts";
import { computeQuotaLeft, guardArriving, selectUsage } from "../../library/usage.ts";
import { insertFile, makeFile } from "../../library/write.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { failSend } from "../../sales/automated_sends/queue.ts";
import { addAttached, parseAttachedFiles, selectAttachedFiles } from "../../sales/case_parts/attachments.ts";
import { caseByIdCount, readFullCase, selectCaseById } from "../../sales/cases/queries.ts";
import type { FullCase } from "../../sales/cases/parts.ts";
import { changeCase } from "../../sales/cases/write.ts";
import { addTimelineEvent } from "../../sales/timeline/write.ts";
import { placePictures } from "../correspondence/pictures.ts";
import { allFiles, presentCorrespondence } from "../correspondence/present.ts";
import {
  failCorrespondence,
  insertCorrespondence,
  isTaken,
  makeCorrespondence,
  selectRecipientOfCorrespondence,
} from "../correspondence/write.ts";
import { failMessage, selectRecipientOfMessage } from "../campaigns/delivery_reports.ts";
import { readReturn } from "../return_address.ts";
import type { SentMail } from "../sent_mail.ts";
import type { Arrived, ArrivedFile } from "./parse.ts";

/** Characters of a message that the timeline shows. */
const mostExcerpt = 500;
/** Characters of a title of the timeline. */
const mostTitle = 255;
/** Files that the timeline names as left out. */
const mostNamed = 20;

/**
 * Adds the message to each case that it is addressed to, once per case. A report of failed delivery marks the
 * message that was not delivered. Mail without a known address is dropped, with a line in the log.
 */
export async function receive(deps: Deps, arrived: Arrived): Promise<void> {
  const returns = arrived.tokens.flatMap((token) => readReturn(deps.secretsKey, token) ?? []);
  if (returns.length === 0) deps.log.info({ event: "inbound_mail_dropped", reason: "no known address" });
  for (const { kind, id } of returns) {
    if (kind === "case") await retrying(() => addToCase(deps, id, arrived));
    else if (arrived.failure !== null) await recordFailure(deps, { kind, id }, arrived.failure);
  }
}

async function recordFailure(
  deps: Deps,
  { kind, id }: SentMail,
  { reason, isForRecipient }: NonNullable<Arrived["failure"]>,
): Promise<void> {
  const at = formatTimestamp(deps.clock.now());
  const [found] = await deps.db.read([
    kind === "correspondence" ? selectRecipientOfCorrespondence(id) : selectRecipientOfMessage(Number(id)),
  ]);
  const { company_id, email } = found!.rows[0] ?? {};
  const bounced = isForRecipient && email
    ? [refuseAddress(deps, { company_id: Number(company_id), email: String(email) }, "bounced", at)]
    : [];
  await deps.db.write([
    ...kind === "correspondence"
      ? [failCorrespondence(id, reason, at), failSend(id, "failed", reason, at)]
      : [failMessage(Number(id), reason, at)],
    ...bounced,
  ]);
}

async function addToCase(deps: Deps, caseId: string, arrived: Arrived): Promise<void> {
  const now = deps.clock.now();
  const [placed] = await deps.db.read([
    sql`select k.company_id, k.deleted_at, ${isTaken(sql`k.id`, arrived.key)} as is_known from
       (select cases.id, cases.company_id, c.deleted_at from cases join companies c on c.id = cases.company_id
       where cases.id = ${caseId} and ${isUntouched}) k`,
  ]);
  const place = placed!.rows[0];
  if (!place) return logDropped(deps);
  // The mail server keeps it, and tries again: the company can come back whole.
  if (place.deleted_at !== null) throw away();
  if (place.is_known === 1) return;
  const companyId = place.company_id as number;
  const at = formatTimestamp(now);
  const counting = { deps, now, at, address: () => "", limitStates: new Map() };
  const attempts = new Attempts(counting, [makeArrivingLimit(caseId)]);
  const bytes = new Attempts(counting, makeArrivingFilesLimit(companyId, deps.config));
  const [arrivals, brought, usage, defined, owners, shown, ...found] = await deps.db.read([
    attempts.read,
    bytes.read,
    selectUsage(companyId),
    selectFieldsOfCompany(companyId),
    selectOwner(caseId),
    sql`select ${selectAttachedFiles("case", sql`${caseId}`)} as files`,
    ...selectCaseById(companyId, caseId),
  ]);
  const before = readFullCase(found.slice(0, caseByIdCount));
  if (before === null) return logDropped(deps);
  // The mail server tries again later.
  attempts.check(arrivals!);
  const fields = readCompanyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const [allowed, left] = [computeQuotaLeft(deps, usage!), bytes.countLeft(brought!)];
  const { files, leftOut } = splitFitting(arrived.files, Math.min(allowed, left));
  const taken = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const guards = [attempts.guard, attempts.count, ...bytes.countWithin(taken)];
  const author = { deps, now, at, fields, guards };
  const why = allowed <= left
    ? "the files of the company leave no room"
    : "mail has brought as many files as the company takes within 24 hours";
  const owner = owners!.rows[0]!.id as number;
  await take(author, before, { ...arrived, files }, {
    owner,
    shown: shown!,
    leftOut: explainLeftOut(leftOut, why),
  });
}

/** Parts the files: those that fit into the room, in their order, and the others. */
function splitFitting(all: readonly ArrivedFile[], allowed: number) {
  const files: ArrivedFile[] = [];
  const leftOut: ArrivedFile[] = [];
  let left = allowed;
  for (const file of all) {
    const fits = file.bytes.length <= left;
    (fits ? files : leftOut).push(file);
    if (fits) left -= file.bytes.length;
  }
  return { files, leftOut };
}

/** Seconds after which a mail server asks again about a deleted company. */
const awaySeconds = 3_600;

function away(): Problem {
  return new Problem(503, "unavailable", "The mail cannot be taken now.", {
    headers: { "Retry-After": String(awaySeconds) },
  });
}

function logDropped({ log }: Deps): void {
  log.info({ event: "inbound_mail_dropped", reason: "the case is gone" });
}

/** Reads the user who gets the files: the user of the case, otherwise its creator, otherwise an admin. */
function selectOwner(caseId: string): Statement {
  return sql`select u.id from cases c join users u on u.company_id = c.company_id and u.deleted_at is null
    where c.id = ${caseId} and (u.id in (c.user_id, c.created_by) or u.user_type = 1)
    order by u.id is c.user_id desc, u.id is c.created_by desc, u.id limit 1`;
}

async function take(
  author: FieldAuthor,
  of: FullCase,
  arrived: Arrived,
  { owner, shown, leftOut }: {
    readonly owner: number;
    readonly shown: Result;
    /** What the timeline says about files that are left out. */
    readonly leftOut: string;
  },
): Promise<void> {
  const contents = arrived.files.map(({ bytes }) => makeContent(bytes));
  const objects = contents.map(({ object }) => object);
  const files = arrived.files.map(({ name }, index) =>
    makeFile(author, { company_id: of.company_id, user_id: owner, name, content: contents[index]!.columns })
  );
  const row = makeCorrespondence(author, {
    company_id: of.company_id,
    case_id: of.id,
    user_id: null,
    type: "email",
    direction: "in",
    status: "received",
    sender: JSON.stringify(arrived.from),
    subject: arrived.subject,
    content: withFiles(arrived, files),
    file_ids: JSON.stringify(files.map(({ id }) => id)),
    message_key: arrived.key,
    thread: arrived.thread,
  });
  const timeline = addTimelineEvent(author, of.team_id, {
    company_id: of.company_id,
    case_id: of.id,
    user_id: null,
    user_name: null,
    type: "incoming_email",
    title: takeBeginning(arrived.subject ?? arrived.from.address, mostTitle) || "E-mail",
    content: escapeHtml(takeBeginning(arrived.words, mostExcerpt) + leftOut),
  });
  const changed = files.length === 0 ? null : changeCase(author, of, {}, {
    attachments: addAttached(
      parseAttachedFiles(shown.rows[0]!.files!),
      files.map((file) => ({ ...file, attached_by: owner, attached_at: author.at })),
    ),
  });
  const body = presentCorrespondence({
    ...row,
    user_name: null,
    files: JSON.stringify(files.map(({ id, name, size }) => ({ id, name, size }))),
  }, allFiles);
  const change = {
    companyId: of.company_id,
    statements: [
      ...(objects.length === 0 ? [] : takeObjects(author, objects)),
      ...files.flatMap(insertFile),
      ...(files.length === 0 ? [] : guardArriving(author.deps, of.company_id)),
      ...(changed ? [attach(author, of, owner, files), ...changed.statements] : []),
      insertCorrespondence(row),
      timeline.statement,
    ],
    events: [
      {
        name: "correspondence_received" as const,
        entity: { type: "correspondence", id: row.id, team_id: of.team_id, created_by: null },
        body,
      },
      timeline.event,
      ...(changed ? [changed.event] : []),
    ],
    notifications: of.user_id === null || arrived.isAutomatic ? [] : [{
      type: "incoming_email" as const,
      to: [{ users: [of.user_id] }],
      data: { email: { id: row.id }, case: { id: of.id }, contact: { id: of.contact_id } },
    }],
    answer: noContent,
  };
  if (objects.length === 0) return void await commit(author, change);
  await author.deps.db.write([announceObjects(author, of.company_id, objects, sql`select 1`)]);
  await withStored(author, objects, () => commit(author, change));
}

function explainLeftOut(files: readonly ArrivedFile[], why: string): string {
  if (files.length === 0) return "";
  const names = files.slice(0, mostNamed).map(({ name }) => name).join(", ");
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return `\n\nLeft out, because ${why}: ${names}${more}`;
}

/** Returns the content, in which each picture that is an attachment has the id of its file. */
function withFiles({ content, files }: Arrived, made: readonly ShownFile[]): string {
  const ids = new Map(
    files.flatMap(({ contentId }, index) => contentId ? [[contentId, made[index]!.id] as const] : [])
      .reverse(),
  );
  return placePictures(content, (id) => {
    const file = ids.get(id) ?? ids.get(decodeId(id));
    return file && `cid:${file}`;
  });
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function attach(
  { at }: Author,
  { id, company_id }: FullCase,
  owner: number,
  files: readonly ShownFile[],
): Statement {
  return sql`insert into attachments (entity_type, entity_id, file_id, company_id, attached_by, attached_at)
    select 'case', ${id}, value, ${company_id}, ${owner}, ${at}
    from json_each(${JSON.stringify(files.map((file) => file.id))})`;
}
