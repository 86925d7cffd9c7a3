/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The lists of leads. */
import { LeadRow } from "../lead/row.tsx";
import { ExportForm } from "../parts/export_form.tsx";
import type { Page, View } from "../page.ts";
import { makeChoice } from "../parts/choices.ts";
import { explainEmpty } from "../parts/empty.ts";
import { FindForm } from "../parts/find.tsx";
import { Links } from "../parts/links.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import type { Visit } from "../visit.ts";
import { type LeadsContent, type LeadView, readLeads } from "./load.ts";

export const leadsPage: Page = { path: "/app/leads", section: "leads", live: true, show };

async function show(visit: Visit): Promise<View> {
  const content = await readLeads(visit);
  return { title: visit.texts.sections.leads, body: <Body visit={visit} content={content} /> };
}

function Body({ visit, content }: { visit: Visit; content: LeadsContent }) {
  const { texts, may, query } = visit;
  const { leads, view, types, sources } = content;
  const canCreate = may("leads.create");
  return (
    <>
      <Ignored visit={visit} names={content.ignored} />
      <Views visit={visit} content={content} />
      <Links links={[canCreate && { href: "/app/leads/new", text: texts.leads.newLead, isMain: true }]} />
      <FindForm
        visit={visit}
        action="/app/leads"
        kept={{ view, ...content.kept }}
        choices={[
          {
            name: "lead_types",
            label: texts.leads.type,
            chosen: query.get("lead_types"),
            options: types.map(makeChoice),
          },
          {
            name: "lead_sources",
            label: texts.leads.source,
            chosen: query.get("lead_sources"),
            options: sources.map((source) => ({ value: source, text: source })),
          },
        ]}
      />
      <ExportForm
        visit={visit}
        action={`/app/leads/export?${query}`}
        hint={texts.exporting.allLeads}
      />
      <List
        of="leads"
        total={leads.pagination.total}
        {...explainEmpty(visit, {
          home: `/app/leads?view=${view}`,
          besides: ["view", "page", "sort"],
          usual: {
            empty: texts.leads.empty,
            action: canCreate ? { href: "/app/leads/new", text: texts.leads.newLead } : null,
          },
        })}
      >
        {leads.data.map((lead) => <LeadRow key={lead.id} visit={visit} lead={lead} detailed />)}
      </List>
      <Pages visit={visit} pagination={leads.pagination} />
    </>
  );
}

function Views({ visit, content }: { visit: Visit; content: LeadsContent }) {
  const { texts, formats } = visit;
  const countLeads = (view: LeadView): number => {
    const { leads, agency } = content.counts;
    if (view === "team" || view === "mine") return leads[view];
    return view === "all" ? content.all : agency?.[view] ?? 0;
  };
  const getLabel = (view: LeadView) =>
    view === "team" || view === "mine" || view === "all" ? texts.leads[view] : texts.today[view];
  return (
    <nav aria-label={texts.leads.views}>
      <ul class="tabs">
        {content.views.map((view) => (
          <li>
            <a
              href={`/app/leads?view=${view}`}
              {...(view === content.view ? { "aria-current": "page" } : {})}
            >
              {getLabel(view)} <span class="number">{formats.number(countLeads(view))}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
