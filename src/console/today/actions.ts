/** What can be done on Today. */
import type { Action } from "../page.ts";
import { todayPage as page } from "./page.tsx";

const notificationsPath = "/app/notifications";

/** Returns the page of notifications on which a form stands: Today has some, too. */
function findNotifications(from: string | null): string {
  const [path] = from?.split("?", 1) ?? [];
  return path === notificationsPath ? path : page.path;
}

export const todayActions: readonly Action[] = [
  {
    path: "/app/tasks/:task_id/done",
    page,
    async run({ change, params }) {
      await change("updateTask", { params, body: { completed: true } });
      return { to: "/app", message: { name: "taskDone", undo: `/app/tasks/${params.task_id}/open` } };
    },
  },
  {
    path: "/app/tasks/:task_id/open",
    page,
    async run({ change, params }) {
      await change("updateTask", { params, body: { completed: false } });
      return { to: "/app", message: { name: "taskOpened" } };
    },
  },
  {
    path: "/app/notifications/read",
    page,
    async run({ change, from }) {
      await change("readAllNotifications");
      return { to: findNotifications(from), message: { name: "allRead" } };
    },
  },
  {
    path: "/app/notifications/:notification_id/read",
    page,
    async run({ change, params, from }) {
      await change("readNotification", { params });
      return { to: findNotifications(from), message: { name: "read" } };
    },
  },
];
