/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** All notifications of the person, newest first. */
import type { Page, View } from "../page.ts";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { readParameters } from "../parts/parameters.ts";
import { readWaitingLeads } from "../today/load.ts";
import { type NotificationList, NotificationRow, ReadAll } from "../today/notifications.tsx";
import type { Visit } from "../visit.ts";

export const notificationsPage: Page = { path: "/app/notifications", section: null, live: true, show };

async function show(visit: Visit): Promise<View> {
  const { texts, call, query } = visit;
  const { values, ignored } = readParameters(query, {});
  const notifications = await call<NotificationList>("listNotifications", {
    query: { ...values, per_page: "25" },
  });
  const namesLead = notifications.data.some(({ data }) => data.lead);
  const leads = namesLead ? (await readWaitingLeads(visit, "100")).data : [];
  const { pagination } = notifications;
  return {
    title: texts.notifications,
    body: (
      <>
        <Ignored visit={visit} names={ignored} />
        <List of="notifications" total={pagination.total} empty={texts.today.noNotificationsYet}>
          {notifications.data.map((one) => (
            <NotificationRow key={one.id} visit={visit} notification={one} leads={leads} />
          ))}
        </List>
        <Pages visit={visit} pagination={pagination} />
        {pagination.unread > 0 ? <ReadAll visit={visit} /> : null}
      </>
    ),
  };
}
