/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** What global search finds, by kind. The box in the banner shows the same while somebody types. */
import { caseTones } from "../case/page.tsx";
import { LeadStatus } from "../lead/row.tsx";
import type { Page, View } from "../page.ts";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Badge } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import { type FoundGroup, type FoundItem, places, readSearch, type SearchContent } from "./load.ts";

export const searchPage: Page = { path: "/app/search", section: null, show };

async function show(visit: Visit): Promise<View> {
  const content = await readSearch(visit);
  return {
    title: visit.texts.search.title,
    body: <Body visit={visit} content={content} />,
    asked: visit.query.get("q") ?? "",
  };
}

function Body({ visit, content }: { visit: Visit; content: SearchContent }) {
  const { asked, groups, ignored } = content;
  const { search } = visit.texts;
  return (
    <>
      <Ignored visit={visit} names={ignored} />
      {groups.length === 0
        ? <p class="empty" data-empty="">{asked === null ? search.begin : search.nothing(asked)}</p>
        : groups.map((group) => <Group key={group.type} visit={visit} group={group} asked={asked!} />)}
    </>
  );
}

function Group({ visit, group, asked }: { visit: Visit; group: FoundGroup; asked: string }) {
  const { texts, formats } = visit;
  const { type, total, items, pagination } = group;
  const id = `found-${type}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{texts.search.kinds[type]}</h2>
      <List of={`${type}s`} total={total} empty="">
        {items.map((item) => <Row key={item.id} visit={visit} type={type} item={item} />)}
      </List>
      {pagination ? <Pages visit={visit} pagination={pagination} /> : (
        <p class="all">
          <a href={places[type].all(asked)}>{texts.search.all[type](formats.number(total))}</a>
        </p>
      )}
    </section>
  );
}

function Row({ visit, type, item }: { visit: Visit; type: FoundGroup["type"]; item: FoundItem }) {
  const { id, title, subtitle, status } = item;
  const { of, isFile } = places[type];
  const name = type === "case" ? visit.texts.cases.title(Number(subtitle), title) : title;
  return (
    <li data-entity={type} data-id={id} {...(status ? { "data-status": status } : {})}>
      <div class="what short" title={name}>
        <a href={of(id)} {...(isFile ? { "hx-boost": "false", download: "" } : {})}>
          <bdi>{name}</bdi>
        </a>
        {subtitle && type !== "case" ? <bdi class="sub" title={subtitle}>{subtitle}</bdi> : null}
      </div>
      <Status visit={visit} type={type} status={status} />
    </li>
  );
}

/** The state of a case or a lead. That of a contact says little. */
function Status(
  { visit, type, status }: { visit: Visit; type: FoundGroup["type"]; status: string | null },
) {
  if (status === null) return null;
  if (type === "lead") return <LeadStatus visit={visit} status={status} />;
  if (type !== "case") return null;
  return <Badge tone={caseTones[status] ?? "plain"} text={visit.texts.cases.statuses[status] ?? status} />;
}
