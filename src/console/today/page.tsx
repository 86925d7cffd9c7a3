/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Today: what waits for the person. */
import { LeadRow } from "../lead/row.tsx";
import { agencyViews } from "../leads/load.ts";
import type { Page, View } from "../page.ts";
import { List, Pages, ShowAll } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import type { Visit } from "../visit.ts";
import { composeWaitingAddress, type Content, type Missing, readToday } from "./load.ts";
import { NotificationRow, ReadAll } from "./notifications.tsx";
import { TaskRow } from "./tasks.tsx";

export const todayPage: Page = { path: "/app", section: "today", live: true, show };

async function show(visit: Visit): Promise<View> {
  const content = await readToday(visit);
  return { title: visit.texts.sections.today, body: <Body visit={visit} content={content} /> };
}

function Body({ visit, content }: { visit: Visit; content: Content }) {
  const { texts } = visit;
  const { leads, agency, tasks, notifications } = content;
  return (
    <>
      <Ignored visit={visit} names={content.ignored} />
      {content.missing.length > 0 ? <GettingStarted visit={visit} missing={content.missing} /> : null}
      <section aria-labelledby="waiting">
        <h2 id="waiting">{texts.today.waiting}</h2>
        <List of="leads" total={leads.pagination.total} empty={texts.today.noLeads}>
          {leads.data.map((lead) => <LeadRow key={lead.id} visit={visit} lead={lead} />)}
        </List>
        <ShowAll visit={visit} of={leads} href={composeWaitingAddress(visit)} />
      </section>
      {agency ? <Agency visit={visit} agency={agency} /> : null}
      <section aria-labelledby="tasks">
        <h2 id="tasks">{texts.today.tasks}</h2>
        <List of="tasks" total={tasks.pagination.total} empty={texts.today.noTasks}>
          {tasks.data.map((task) => <TaskRow key={task.id} visit={visit} task={task} />)}
        </List>
        <Pages visit={visit} pagination={tasks.pagination} of="tasks" />
      </section>
      <section aria-labelledby="news">
        <h2 id="news">{texts.today.notifications}</h2>
        <List of="notifications" total={notifications.pagination.unread} empty={texts.today.noNotifications}>
          {notifications.data.map((one) => (
            <NotificationRow key={one.id} visit={visit} notification={one} leads={leads.data} />
          ))}
        </List>
        <ShowAll
          visit={visit}
          of={{ data: notifications.data, pagination: { total: notifications.pagination.unread } }}
          href="/app/notifications"
        />
        {notifications.pagination.unread > 0 ? <ReadAll visit={visit} /> : null}
      </section>
    </>
  );
}

const pages: Readonly<Record<Missing, string>> = {
  process: "/app/admin/processes/new",
  leadType: "/app/admin/lead-types/new",
  colleague: "/app/admin/users/invite",
};

/** Leads an admin to what the company lacks. */
function GettingStarted({ visit: { texts }, missing }: { visit: Visit; missing: readonly Missing[] }) {
  return (
    <section aria-labelledby="start" class="sheet">
      <h2 id="start">{texts.today.gettingStarted}</h2>
      <ol class="start">
        {missing.map((one) => (
          <li key={one}>
            <a href={pages[one]}>{texts.today.missing[one]}</a>
            <span class="sub">{texts.today.why[one]}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Agency({ visit, agency }: { visit: Visit; agency: NonNullable<Content["agency"]> }) {
  const { texts, formats } = visit;
  return (
    <section aria-labelledby="agency">
      <h2 id="agency">{texts.today.agency}</h2>
      <ul class="tabs">
        {agencyViews.map((view) => (
          <li>
            <a href={`/app/leads?view=${view}`}>
              {texts.today[view]} <span class="number">{formats.number(agency[view])}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
