/** Makes an import: stores its file, reads it to its end, and starts it or lets it wait. */
import { type Placement, requireRight } from "../../core/access.ts";
import { created } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { commit, writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { announceStreamed, takeStreamed, withdrawObjects } from "../../db/objects.ts";
import { insert, sql } from "../../db/statements.ts";
import type { FormFields, IncomingFile } from "../../http/incoming_file.ts";
import {
  choosePlacement,
  guardPlaced,
  type Placing,
  readPlacement,
  selectPlacementFacts,
} from "../../identity/teams/placement.ts";
import { makeReader, mayRead, readFileRow, selectFileById } from "../../library/access.ts";
import { makeContentKey } from "../../library/content.ts";
import { receiveUpload } from "../../library/upload.ts";
import { fitsQuota, guardQuota, makeQuotaFault } from "../../library/usage.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { readNamedRecords, selectNamedRecords } from "../../sales/leads/body.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { describeColumns } from "../columns/catalogue.ts";
import { EncodingJudge, isOtherKind } from "../reading/encoding.ts";
import { openStoredFile } from "./file_rows.ts";
import { inspectFile, type Layout, unreadable } from "./inspect.ts";
import { presentImport } from "./present.ts";
import { listRights } from "./begin.ts";
import { type ImportBody, type ImportFields, readForm } from "./schema.ts";
import { type ImportRow, imports } from "./table.ts";
import { selectBusy, startNext, wakeImports } from "./turns.ts";

/** A file that is stored and taken by the commit. */
interface TakenFile {
  readonly name: string;
  readonly key: string;
  readonly size: number;
  readonly file_id: string | null;
  readonly taken: readonly Statement[];
}

/** Returns 201 with the import of the file in the form. */
export async function importForm(ctx: Context, incoming: IncomingFile, work: StagedKind) {
  const { deps, caller } = ctx;
  let before: FormFields | null = null;
  let checked: Checked | null = null;
  let facts: readonly Result[] = [];
  const received = await receiveUpload(ctx, incoming, {
    reads: selectFactsToImport(ctx),
    when: sql`select 1 where ${fitsQuota(deps, caller.companyId, 0)}`,
    check(results) {
      facts = results;
      checkQuota(ctx, facts, "file");
    },
    checkName() {},
    async checkFields(fields) {
      before = fields;
      // It may come behind the file: the check after the upload reports that.
      if (!fields.entity) return;
      checked = await checkGiven(ctx, readForm(fields), facts);
    },
  });
  const { fields, columns: content } = received;
  const late = before === null ? [] : Object.keys(fields).filter((name) => fields[name] !== before![name]);
  if (late.length > 0) {
    throw invalid(...late.map((name) => fieldError(name, "format", "Must come before the file.")));
  }
  const { name, taken } = received;
  const file = { name, key: content.object_key, size: content.size, file_id: null, taken };
  const given = readForm(fields);
  return await importStored(ctx, given, file, checked ?? await checkGiven(ctx, given, facts), facts, work);
}

/** Returns 201 with the import of a file of the library. The import gets a copy, so that it keeps what it has read. */
export async function importFile(ctx: Context, body: ImportBody, work: StagedKind) {
  const { deps, caller } = ctx;
  const [found, ...facts] = await deps.db.read([
    selectFileById(makeReader(ctx), body.file_id),
    ...selectFactsToImport(ctx),
  ]);
  const checked = await checkGiven(ctx, body, facts);
  const file = found!.rows[0] && readFileRow(found!.rows[0]);
  if (!file || !mayRead(caller, file)) throw invalid(missingReference("file_id", "file"));
  checkQuota(ctx, facts, "file_id");
  const key = makeContentKey();
  await writeBefore(ctx, [announceStreamed(ctx, caller.companyId, key, sql`select 1`)]);
  try {
    await deps.storage.putStream(key, await openStoredFile(deps.storage, file.object_key), file.media);
    const taken = takeStreamed(ctx, { key, type: file.media, size: file.size });
    const copy = { name: file.name, key, size: file.size, file_id: file.id, taken };
    return await importStored(ctx, body, copy, checked, facts, work);
  } catch (error) {
    await withdrawObjects({ deps, now: ctx.now }, [key]).catch(() => {});
    throw error;
  }
}

/** Reads what an import needs to know, for `checkQuota`, `checkGiven` and `importStored`. */
function selectFactsToImport({ caller, deps }: Context): Statement[] {
  return [
    sql`select ${fitsQuota(deps, caller.companyId, 0)} as fits, c.locale,
      u.first_name || ' ' || u.last_name as maker_name from companies c
      join users u on u.id = ${caller.userId} where c.id = ${caller.companyId}`,
    selectBusy(caller.companyId),
    ...selectPlacementFacts(caller, {}),
  ];
}

function checkQuota({ deps }: Context, [read]: readonly Result[], path: string): void {
  if (read!.rows[0]!.fits !== 1) throw invalid(makeQuotaFault(deps, path));
}

/** The team and the user of the new records. */
interface Checked {
  readonly placing: Placing;
  readonly placement: Placement;
}

/** Throws 403 and 422 for what the caller asks for, before anything is stored. */
async function checkGiven(
  ctx: Context,
  given: ImportFields,
  [, , ...own]: readonly Result[],
): Promise<Checked> {
  for (const right of listRights(given)) requireRight(ctx.caller, right);
  const errors: FieldError[] = [];
  const { entity, match } = given;
  const isOfContacts = match === "email" || match === "phone_number";
  if (isOfContacts && entity !== "contacts") {
    errors.push(fieldError("match", "excluded", `Only contacts are matched by ${match}.`));
  }
  if (match === "external_id" && entity !== "accounts" && entity !== "contacts") {
    errors.push(fieldError("match", "excluded", "Only accounts and contacts have external ids."));
  }
  const excludeMember = (at: "team_id" | "user_id" | "agency_team_id", message: string) => {
    if (given[at] !== undefined && given[at] !== null) errors.push(fieldError(at, "excluded", message));
  };
  if (entity === "products") excludeMember("team_id", "Products have no team.");
  if (entity === "products") excludeMember("user_id", "Products have no user.");
  if (entity === "leads") excludeMember("user_id", "Leads get their user when they are assigned.");
  if (entity !== "leads") excludeMember("agency_team_id", "Only leads have an agency team.");
  if (entity === "leads" && !given.team_id && !given.agency_team_id) {
    errors.push(fieldError("agency_team_id", "required", "Required without team_id."));
  }
  if (errors.length > 0) throw invalid(...errors);
  if (entity === "leads" || entity === "products") {
    if (entity === "leads") await checkTeams(ctx, given);
    return {
      placing: readPlacement(own),
      placement: { team_id: given.team_id ?? null, user_id: ctx.caller.userId },
    };
  }
  const named = { team_id: given.team_id, user_id: given.user_id ?? undefined };
  const isOwn = named.team_id === undefined && named.user_id === undefined;
  const placing = readPlacement(
    isOwn ? own : await ctx.deps.db.read(selectPlacementFacts(ctx.caller, named)),
  );
  return { placing, placement: choosePlacement(ctx.caller, named, placing) };
}

/** Throws 422 for teams to which the caller may not give leads. */
async function checkTeams(ctx: Context, { team_id, agency_team_id }: ImportFields): Promise<void> {
  const teams = { team_id, agency_team_id };
  const errors: FieldError[] = [];
  readNamedRecords(ctx, teams, await ctx.deps.db.read(selectNamedRecords(ctx, teams)), errors);
  if (errors.length > 0) throw invalid(...errors);
}

async function importStored(
  ctx: Context,
  given: ImportFields,
  file: TakenFile,
  { placing, placement }: Checked,
  [settings, busy]: readonly Result[],
  work: StagedKind,
) {
  const { deps, caller, fields } = ctx;
  const { locale, maker_name } = settings!.rows[0]! as { locale: string; maker_name: string };
  const open = () => openStoredFile(deps.storage, file.key);
  const encoding = await judgeEncoding(await open());
  const inspected = await inspectFile(
    open,
    encoding,
    {
      format: given.format,
      mapping: given.mapping ?? null,
      delimiter: given.delimiter ?? null,
      decimal: given.decimal ?? null,
      date_format: given.date_format ?? null,
    },
    describeColumns(given.entity, fields.seen),
    locale,
  );
  const isBusy = busy!.rows[0]!.busy === 1;
  const layout: Layout = { columns: inspected.columns, mapping: inspected.mapping };
  const row: ImportRow = {
    id: makeId(ctx.now),
    company_id: caller.companyId,
    maker_id: caller.userId,
    name: cleanName(file.name),
    entity: given.entity,
    format: given.format,
    status: "queued",
    dry_run: given.dry_run ? 1 : 0,
    match: given.match,
    on_match: given.on_match,
    refusals: given.refusals,
    team_id: placement.team_id,
    // Callers may name themselves without a team; then the user is theirs in any team.
    user_id: given.user_id === caller.userId && given.team_id === undefined ? null : given.user_id ?? null,
    agency_team_id: given.agency_team_id ?? null,
    reading: JSON.stringify(layout),
    encoding,
    delimiter: given.format === "csv" ? inspected.delimiter : null,
    decimal: inspected.decimal,
    date_format: given.date_format ?? null,
    object_key: file.key,
    bytes: file.size,
    file_id: file.file_id,
    rows: inspected.rows,
    place: 0,
    created: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    preview: null,
    failure: null,
    failure_row: inspected.fault?.row ?? null,
    reverted: null,
    expires_at: null,
    removed_at: ctx.now + lifetimes.import,
    created_at: ctx.at,
    started_at: null,
    finished_at: null,
  };
  const status = isBusy ? "queued" : given.dry_run ? "checking" : "running";
  const answer = await commit(ctx, {
    statements: [
      guardPlaced(placing),
      guardThat("imports", sql`((${selectBusy(caller.companyId)})) = ${isBusy ? 1 : 0}`),
      ...file.taken,
      insert(imports, row),
      ...startNext(ctx, caller.companyId),
      ...guardQuota(deps, caller.companyId),
    ],
    answer: created(presentImport({ ...row, status, failure_row: null, maker_name })),
  });
  wakeImports(deps, work);
  return answer;
}

/** Reads the bytes to their end. Throws 422 for a workbook or an archive. */
async function judgeEncoding(bytes: ReadableStream<Uint8Array>) {
  const judge = new EncodingJudge();
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst && isOtherKind(chunk)) {
      throw unreadable("A workbook or an archive cannot be imported. Save the sheet as CSV, and send that.");
    }
    isFirst = false;
    judge.add(chunk);
  }
  return judge.encoding({ isWhole: true });
}

/** Returns the name of a file without folders and signs that no name has. */
function cleanName(given: string): string {
  const name = (given.split(/[\\/]/).at(-1) ?? "").replaceAll(/\p{Cc}/gu, "").trim().slice(0, 255)
    .toWellFormed();
  return name === "" ? "import" : name;
}
