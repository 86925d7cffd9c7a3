/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The list of cases. */
import { showBoard } from "../board/page.tsx";
import type { Page, View } from "../page.ts";
import { CaseViews } from "../parts/case_views.tsx";
import { explainEmpty } from "../parts/empty.ts";
import { findable, findName } from "../parts/choices.ts";
import { FindForm } from "../parts/find.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Badge, Day } from "../parts/values.tsx";
import { What } from "../parts/what.tsx";
import { caseTones } from "../case/page.tsx";
import type { Visit } from "../visit.ts";
import { type CaseEntry, type CasesContent, readCases } from "./load.ts";

export const casesPage: Page = { path: "/app/cases", section: "cases", live: true, show };

const shows = ["all", "team", "mine"] as const;
const statuses = ["open", "closed", "declined"] as const;
const modes = ["important", "recent"] as const;

/** The board, unless the address asks for the list. */
async function show(visit: Visit): Promise<View> {
  if (visit.query.get("view") !== "list") return await showBoard(visit);
  const content = await readCases(visit);
  return { title: visit.texts.sections.cases, body: <Body visit={visit} content={content} /> };
}

function Body({ visit, content }: { visit: Visit; content: CasesContent }) {
  const { texts, query, formats } = visit;
  const { cases } = content;
  const formatCount = (status: typeof statuses[number]) => ` (${formats.number(cases.statuses[status])})`;
  return (
    <>
      <Ignored visit={visit} names={content.ignored} />
      <CaseViews visit={visit} chosen="list" />
      <FindForm
        visit={visit}
        action="/app/cases"
        kept={{ view: "list", ...content.kept }}
        choices={[
          {
            name: "show",
            label: texts.cases.show,
            chosen: query.get("show"),
            options: shows.map((value) => ({ value, text: texts.leads[value] })),
            any: false,
          },
          {
            name: "status",
            label: texts.leads.status,
            chosen: query.get("status"),
            options: statuses.map((value) => ({
              value,
              text: `${texts.cases.statuses[value]}${formatCount(value)}`,
            })),
          },
          {
            name: "users",
            label: texts.leads.responsible,
            chosen: query.get("users"),
            options: content.people.choices,
            find: content.people.find,
          },
          {
            name: "teams",
            label: texts.leads.team_,
            chosen: query.get("teams"),
            options: content.teams.choices,
            find: content.teams.find,
          },
          {
            name: "sort_mode",
            label: texts.cases.sort,
            chosen: query.get("sort_mode"),
            options: modes.map((value) => ({ value, text: texts.cases.modes[value] })),
            any: false,
          },
        ]}
      />
      <List
        of="cases"
        total={cases.pagination.total}
        {...explainEmpty(visit, {
          home: "/app/cases?view=list",
          besides: ["view", "page", "sort", "sort_mode", ...findable.map(findName)],
          usual: {
            empty: texts.cases.empty,
            action: visit.may("cases.create")
              ? { href: "/app/customers", text: texts.sections.customers }
              : null,
          },
        })}
      >
        {cases.data.map((entry) => <CaseRow key={entry.id} visit={visit} entry={entry} />)}
      </List>
      <Pages visit={visit} pagination={cases.pagination} />
    </>
  );
}

export function CaseRow({ visit, entry }: { visit: Visit; entry: CaseEntry }) {
  const { texts } = visit;
  const { contact, account, relations_paths: path, user, status } = entry;
  const title = contact.name ?? account.name ?? texts.leads.unnamed;
  return (
    <li data-entity="case" data-id={entry.id} data-status={status} id={`case-${entry.id}`}>
      <What
        href={`/app/cases/${entry.id}`}
        name={texts.cases.title(entry.case_number, title)}
        about={[contact.name && account.name !== contact.name && account.name, path.name, user?.name]}
      />
      <Badge tone={caseTones[status] ?? "plain"} text={texts.cases.statuses[status] ?? status} />
      <Day visit={visit} at={entry.latest_activity_at ?? entry.created_at} />
    </li>
  );
}
