/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Exports of records: those of the person, and the file of each. */
import type { Page, View } from "../page.ts";
import { Fact } from "../parts/facts.tsx";
import { Links } from "../parts/links.tsx";
import { List, type PageOf, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { readParameters } from "../parts/parameters.ts";
import { Badge, Day, Moment, type Tone } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";

interface ExportRecord {
  readonly id: string;
  readonly entity: string;
  readonly format: string;
  readonly status: string;
  /** Null until the file is there. */
  readonly rows: number | null;
  readonly file_id: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

const section = "customers";
export const exportsPath = "/app/exports";
export const exportsPage: Page = { path: exportsPath, section, show: showAll };
export const exportPage: Page = { path: "/app/exports/:export_id", section, show };

const tones: Readonly<Record<string, Tone>> = { done: "good", failed: "bad" };
const moving: readonly string[] = ["pending", "running"];

async function showAll(visit: Visit): Promise<View> {
  visit.require("reports.export");
  const { call, query, texts: { exporting: texts, imports, sections } } = visit;
  const { values, ignored } = readParameters(query, {});
  const { data, pagination } = await call<PageOf<ExportRecord>>("listExports", {
    query: { ...values, per_page: "25" },
  });
  return {
    title: texts.all,
    body: (
      <>
        <Ignored visit={visit} names={ignored} />
        <List
          of="exports"
          total={pagination.total}
          empty={texts.none}
          action={{ href: "/app/customers", text: sections.customers }}
        >
          {data.map(({ id, entity, format, status, created_at }) => (
            <li key={id} data-entity="export" data-id={id} data-status={status} id={`export-${id}`}>
              <div class="what short">
                <a href={`${exportsPath}/${id}`}>
                  {`${imports.entities[entity] ?? entity}, ${format.toUpperCase()}`}
                </a>
              </div>
              <Badge tone={tones[status] ?? "plain"} text={texts.statuses[status] ?? status} />
              <Day visit={visit} at={created_at} />
            </li>
          ))}
        </List>
        <Pages visit={visit} pagination={pagination} />
      </>
    ),
  };
}

async function show(visit: Visit): Promise<View> {
  visit.require("reports.export");
  const { call, params, formats, texts: { exporting: texts, imports } } = visit;
  const record = await call<ExportRecord>("getExport", { params });
  const { entity, format, status, rows, file_id, created_at } = record;
  const isMoving = moving.includes(status);
  return {
    title: texts.title,
    ...(isMoving ? { live: true } : {}),
    body: (
      <article class="sheet narrow" data-entity="export" data-id={record.id} data-status={status}>
        <h2>
          {imports.entities[entity] ?? entity}{" "}
          <Badge tone={tones[status] ?? "plain"} text={texts.statuses[status] ?? status} />
        </h2>
        <p>{isMoving ? texts.waiting : status === "done" ? texts.ready : texts.failed}</p>
        <dl class="facts">
          <Fact term={texts.format}>{format.toUpperCase()}</Fact>
          <Fact term={texts.rows}>{rows === null ? null : formats.number(rows)}</Fact>
          <Fact term={texts.made}>
            <Moment visit={visit} at={created_at} />
          </Fact>
        </dl>
        {file_id === null ? null : (
          <p class="links">
            <a class="button" href={`/app/files/${file_id}/download`} hx-boost="false" download="">
              {texts.download}
            </a>
          </p>
        )}
        <Links links={[{ href: exportsPath, text: texts.all }]} />
      </article>
    ),
  };
}
