/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Unread notifications. */
import { composeMessage, type NotificationData, type NotificationType } from "../../core/notifications.ts";
import { Button, Form } from "../forms.tsx";
import { leadTitle } from "../lead/row.tsx";
import type { LeadRecord } from "../lead/summary.ts";
import type { Pagination } from "../parts/list.tsx";
import { Moment } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";

export interface NotificationRecord {
  readonly id: string;
  readonly type: NotificationType;
  readonly message: string;
  readonly read: boolean;
  readonly created_at: string;
  readonly data: NotificationData;
}

export interface NotificationList {
  readonly data: readonly NotificationRecord[];
  readonly pagination: Pagination & { readonly unread: number };
}

/** Returns the page of what the notification is about; null when the console has none. */
function findSubjectPath({ data }: NotificationRecord): string | null {
  if (data.lead) return `/app/leads/${data.lead.id}`;
  return data.case ? `/app/cases/${data.case.id}` : null;
}

/** Returns its sentence in the language of the page. A text that somebody wrote stays as it is. */
function composeSentence({ texts }: Visit, { type, data, message }: NotificationRecord): string {
  return message === composeMessage(type, data, null).plain ? texts.notice(type, data) : message;
}

/** `leads`: those of the page that wait, as the person sees them: a notification of one of them names its customer. */
export function NotificationRow({ visit, notification, leads }: {
  readonly visit: Visit;
  readonly notification: NotificationRecord;
  readonly leads: readonly LeadRecord[];
}) {
  const { texts } = visit;
  const lead = leads.find(({ id }) => id === notification.data.lead?.id);
  const about = findSubjectPath(notification);
  const message = <bdi>{composeSentence(visit, notification)}</bdi>;
  return (
    <li
      data-entity="notification"
      data-id={notification.id}
      data-status={notification.read ? "read" : "unread"}
      id={`notification-${notification.id}`}
    >
      <div class="what short">
        {about ? <a href={about}>{message}</a> : <span>{message}</span>}
        {lead ? <bdi class="sub">{leadTitle(visit, lead)}</bdi> : null}
      </div>
      <Moment visit={visit} at={notification.created_at} />
      {notification.read
        ? null
        : (
          <Form forms={visit.forms} action={`/app/notifications/${notification.id}/read`} returns>
            <Button kind="quiet">{texts.today.markRead}</Button>
          </Form>
        )}
    </li>
  );
}

export function ReadAll({ visit }: { visit: Visit }) {
  return (
    <Form
      forms={visit.forms}
      action="/app/notifications/read"
      name={visit.texts.today.markAllRead}
      class="after"
      returns
    >
      <Button kind="quiet">{visit.texts.today.markAllRead}</Button>
    </Form>
  );
}
