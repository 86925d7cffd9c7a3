/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** An import: its check, its rows to mend, how far it is, and what a revert did. */
import { Button, type Choice, Form, SelectField } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { Fact } from "../parts/facts.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Progress } from "../parts/progress.tsx";
import { Badge, Moment } from "../parts/values.tsx";
import { explainFault } from "../refused_change.ts";
import type { Visit } from "../visit.ts";
import {
  type ImportContent,
  type ImportField,
  type ImportRecord,
  movingStatuses,
  readImport,
} from "./load.ts";
import { importsPath, importTones, newImportPage } from "./page.tsx";
import { Preview } from "./preview.tsx";

const section = "customers";
export const importPage: Page = { path: "/app/imports/:import_id", section, show };
export const revertPage: Page = { path: "/app/imports/:import_id/revert", section, show: askRevert };
/** Leads to the rows to mend, as a file. */
export const errorRowsPage: Page = {
  path: "/app/imports/:import_id/errors.csv",
  section: null,
  async show({ require, text, params }) {
    require("imports.manage");
    return {
      file: await text("downloadImportErrors", { params }),
      type: "text/csv; charset=utf-8",
      name: "errors.csv",
    };
  },
};

/** Statuses of imports that have written something. */
const ended: readonly string[] = ["done", "cancelled", "failed"];

async function show(visit: Visit): Promise<View> {
  visit.require("imports.manage");
  const content = await readImport(visit);
  const { record } = content;
  return {
    title: record.name,
    ...(movingStatuses.includes(record.status) ? { live: true } : {}),
    body: <Body visit={visit} content={content} />,
  };
}

interface Props {
  readonly visit: Visit;
  readonly content: ImportContent;
}

function Body({ visit, content }: Props) {
  const { record, ignored } = content;
  return (
    <article>
      <Ignored visit={visit} names={ignored} />
      <Summary visit={visit} record={record} />
      {record.preview === null || record.preview.length === 0
        ? null
        : <Preview visit={visit} rows={record.preview} />}
      <Faults visit={visit} content={content} />
      {record.reverted === null ? null : <Kept visit={visit} content={content} />}
      {content.fields.length === 0
        ? null
        : <MappingForm visit={visit} record={record} fields={content.fields} />}
    </article>
  );
}

/** What it is, how far, and what can be done. */
function Summary({ visit, record }: { visit: Visit; record: ImportRecord }) {
  const { texts: { imports: texts }, formats, forms } = visit;
  const { status, counts, failure, reverted, progress } = record;
  const address = `${importsPath}/${record.id}`;
  const isEmpty = status === "checked" && counts.rows === 0;
  const wrote = counts.created + counts.updated > 0;
  const amounts = ["rows", "created", "updated", "skipped", "failed"] as const;
  return (
    <section aria-labelledby="summary" class="sheet">
      <h2 id="summary">
        {texts.entities[record.entity] ?? record.entity}{" "}
        <Badge tone={importTones[status] ?? "plain"} text={texts.statuses[status] ?? status} />
      </h2>
      {failure === null ? null : (
        <p class="alert" role="alert">
          {texts.failures[failure.code] ?? texts.failures.format}
          {failure.row === null ? "" : ` ${texts.atRow(formats.number(failure.row))}`}
        </p>
      )}
      {movingStatuses.includes(status)
        ? (
          <Progress
            visit={visit}
            label={texts.statuses[status] ?? status}
            done={progress}
            all={100}
            text={`${formats.number(progress)} %`}
            left={estimateTimeLeft(visit, record)}
          />
        )
        : null}
      {isEmpty
        ? (
          <p class="alert" role="alert">
            {texts.noRows} <a href={newImportPage.path}>{texts.newImport}</a>
          </p>
        )
        : null}
      <dl class="facts" data-entity="import" data-id={record.id} data-status={record.status}>
        {amounts.map((name) => (
          <Fact key={name} term={status === "checked" ? texts.willBe[name] : texts.counts[name]}>
            <span data-count={name}>{formats.number(counts[name])}</span>
          </Fact>
        ))}
        {reverted === null
          ? null
          : (["deleted", "restored", "kept"] as const).map((name) => (
            <Fact key={name} term={texts.reverted[name]}>{formats.number(reverted[name])}</Fact>
          ))}
        <Fact term={texts.created}>
          <Moment visit={visit} at={record.created_at} />
        </Fact>
        {record.finished_at === null ? null : (
          <Fact term={texts.finished}>
            <Moment visit={visit} at={record.finished_at} />
          </Fact>
        )}
      </dl>
      <div class="links">
        {status === "checked" && !isEmpty
          ? (
            <Form forms={forms} action={`${address}/start`} name={texts.start}>
              <Button>{texts.start}</Button>
            </Form>
          )
          : null}
        {["queued", "checking", "checked", "running"].includes(status)
          ? (
            <Form forms={forms} action={`${address}/cancel`} name={texts.stop}>
              <Button kind="quiet">{texts.stop}</Button>
            </Form>
          )
          : null}
        {ended.includes(status) && wrote
          ? <a class="button quiet" href={`${address}/revert`}>{texts.revert}</a>
          : null}
        <a class="button quiet" href={importsPath}>{texts.all}</a>
      </div>
    </section>
  );
}

/** Returns how long it still takes, by the pace so far; null when that is not known. */
function estimateTimeLeft({ now, texts: { imports: texts } }: Visit, record: ImportRecord): string | null {
  const { progress, started_at, status } = record;
  if (status !== "running" || started_at === null || progress < 1) return null;
  const gone = now - Date.parse(`${started_at.replace(" ", "T")}Z`);
  const minutes = Math.ceil(gone * (100 - progress) / progress / 60_000);
  return minutes <= 1 ? texts.soon : texts.minutesLeft(minutes);
}

/** The rows to mend. */
function Faults({ visit, content: { record, faults } }: Props) {
  const { texts, formats } = visit;
  const { imports: own } = texts;
  if (faults.pagination.total === 0) return null;
  return (
    <section aria-labelledby="faults">
      <h2 id="faults">{own.faults}</h2>
      <p class="links">
        <a class="button quiet" href={`${importsPath}/${record.id}/errors.csv`} hx-boost="false" download="">
          {own.download}
        </a>
      </p>
      <List of="faults" total={faults.pagination.total} empty="">
        {faults.data.map(({ row, column, code, message, value }) => (
          <li key={`${row} ${column} ${code}`}>
            <div class="what">
              <span>
                {`${own.row} ${formats.number(row)}`}
                {column === null ? "" : " · "}
                {column === null ? null : <bdi>{column}</bdi>}
              </span>
              <span class="sub">{explainFault(code, message, texts)}</span>
            </div>
            {value === null || value === "" ? null : <bdi>{value}</bdi>}
          </li>
        ))}
      </List>
      <Pages visit={visit} pagination={faults.pagination} of="faults" />
    </section>
  );
}

/** The kinds of records that have pages of their own. */
const withPages = ["accounts", "contacts", "leads"];

/** The records that a revert has left as they are. */
function Kept({ visit, content: { kept } }: Props) {
  const { texts: { imports: texts }, formats } = visit;
  if (kept.pagination.total === 0) return null;
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">{texts.kept}</h2>
      <List of="kept" total={kept.pagination.total} empty="">
        {kept.data.map(({ row, entity, id, reason }) => (
          <li key={id}>
            <div class="what">
              {withPages.includes(entity)
                ? <a href={`/app/${entity}/${id}`}>{`${texts.row} ${formats.number(row)}`}</a>
                : <span>{`${texts.row} ${formats.number(row)}`}</span>}
              <span class="sub">{texts.reasons[reason] ?? reason}</span>
            </div>
          </li>
        ))}
      </List>
      <Pages visit={visit} pagination={kept.pagination} of="kept" />
    </section>
  );
}

interface MappingProps {
  readonly visit: Visit;
  readonly record: ImportRecord;
  readonly fields: readonly ImportField[];
}

/** Which column sets which field. */
function MappingForm({ visit, record, fields }: MappingProps) {
  const { texts: { imports: texts }, forms } = visit;
  const action = `${importsPath}/${record.id}/mapping`;
  const choices: Choice[] = [
    { value: "", text: texts.leftOut },
    ...fields.map((field) => ({ value: field.name, text: labelField(visit, field) })),
  ];
  return (
    <Form forms={forms} action={action} name={texts.checkAgain} class="sheet">
      <h2>{texts.mapping}</h2>
      <p class="hint">{texts.mappingHint}</p>
      <div class="fields">
        {record.columns.map(({ name, samples }, index) => (
          <div key={name}>
            <input type="hidden" name={`column.${index}`} value={name} />
            <SelectField
              forms={forms}
              action={action}
              name={`field.${index}`}
              path={`mapping.${name}`}
              label={name}
              {...(samples.length > 0 ? { hint: samples.join(", ") } : {})}
              value={record.mapping[name] ?? ""}
              choices={choices}
            />
          </div>
        ))}
      </div>
      <Button kind="quiet">{texts.checkAgain}</Button>
    </Form>
  );
}

/** Returns the name of a field in the language of the person. */
function labelField({ texts }: Visit, { name, label }: ImportField): string {
  const parts = name.split(".");
  const own = texts.imports.properties[parts.at(-1)!] ?? texts.fixedFields[parts.at(-1)!];
  if (parts.at(-2) === "consent") {
    const { consentChannels, consentTo } = texts.customers;
    return consentTo(consentChannels[parts.at(-1) as keyof typeof consentChannels] ?? parts.at(-1)!);
  }
  if (own === undefined || parts.at(-2) === "custom") return label;
  return parts[0] === "account" ? `${texts.leads.account}: ${own}` : own;
}

/** Asks before an import is reverted. */
async function askRevert(visit: Visit): Promise<View> {
  visit.require("imports.manage");
  const { call, params, forms, formats, texts: { imports: texts, cancel } } = visit;
  const record = await call<ImportRecord>("getImport", { params });
  const back = `${importsPath}/${record.id}`;
  const { created, updated } = record.counts;
  return {
    title: texts.revertOf(record.name),
    body: (
      <div class="sheet narrow">
        <p>{texts.revertWhat(formats.number(created), formats.number(updated))}</p>
        <p>{texts.revertStays}</p>
        <Form forms={forms} action={`${back}/revert`} name={texts.revert}>
          <Button kind="bad">{texts.revert}</Button> <a class="button quiet" href={back}>{cancel}</a>
        </Form>
      </div>
    ),
  };
}
