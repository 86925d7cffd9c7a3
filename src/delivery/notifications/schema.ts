/** Wire shapes of notifications. */
import { z } from "zod";
import { notificationTypes } from "../../core/notifications.ts";
import { filledText, integerId, optional } from "../../http/zod.ts";
import { Pagination, paging } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";

const Data = z.object({
  user: z.object({
    id: z.int(),
    first_name: z.string(),
    last_name: z.string(),
    profile_picture: z.string().nullable(),
  }).nullable().optional().meta({ description: "The user who caused it; null for timers." }),
  case: z.object({
    id: z.uuid(),
    case_number: z.int(),
    relations_path_name: z.string().nullable(),
  }).nullable().optional(),
  task: z.object({ id: z.uuid() }).optional(),
  lead: z.object({ id: z.uuid() }).optional(),
  lead_type: z.object({ id: z.uuid(), name: z.string() }).nullable().optional(),
  webhook: z.object({ id: z.int(), target_url: z.string() }).nullable().optional(),
  campaign: z.object({ id: z.uuid(), name: z.string(), type: z.string() }).nullable().optional(),
  report: z.object({ id: z.uuid() }).optional(),
  scheduled_report: z.object({ id: z.uuid(), name: z.string() }).nullable().optional(),
  notified_report: z.object({ id: z.uuid() }).optional(),
}).meta({
  id: "NotificationData",
  description: "The records that it is about. The keys depend on the type.",
});

export const Notification = z.object({
  id: z.uuid(),
  type: z.enum(notificationTypes),
  data: Data,
  message: z.string().meta({ example: "Ada Byron assigned you a task on case 12 (Used cars)." }),
  message_formatted: z.string().meta({
    description: "HTML.",
    example: "<b>Ada Byron</b> assigned you a task on case <b>12</b> (<b>Used cars</b>).",
  }),
  read: z.boolean(),
  read_at: z.string().nullable().meta({ example: "2026-01-31 10:05:00" }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Notification" });

export const NotificationPage = z.object({
  data: z.array(Notification),
  pagination: Pagination.extend({
    unread: z.int().meta({
      description: "All unread notifications, including those on other pages.",
      example: 1,
    }),
  }).meta({ id: "NotificationPagination", extends: Pagination }),
}).meta({ id: "NotificationPage" });

export const NotificationListQuery = z.object({
  show: z.enum(["unread"]).optional().meta({ description: "Only these." }),
  ...paging,
});

/** Most users or teams of one message. */
const mostNamed = 1_000;

const describeIds = (what: string) =>
  optional(z.array(integerId).max(mostNamed, `At most ${mostNamed} ${what}.`)).meta({ example: [12] });

export const MessageBody = z.object({
  message: filledText(512).meta({ example: "The showroom opens at ten tomorrow." }),
  notify: z.object({ users: describeIds("users"), teams: describeIds("teams") })
    .refine(({ users, teams }) => Boolean(users?.length || teams?.length), {
      ...refusal("required", "Required without teams."),
      path: ["users"],
    })
    .refine(({ users, teams }) => Boolean(users?.length || teams?.length), {
      ...refusal("required", "Required without users."),
      path: ["teams"],
    })
    .meta({ description: "Users, and teams whose members all receive it; at least one of either." }),
}).meta({
  id: "MessageBody",
  example: { message: "The showroom opens at ten tomorrow.", notify: { teams: [3] } },
});

export const Queued = z.object({ queued: z.literal(true) }).meta({ id: "Queued" });

const deviceTypes = ["iOS", "Android"] as const;

export const DeviceBody = z.object({
  type: optional(z.enum(deviceTypes)).meta({ description: "`iOS` when absent." }),
}).meta({ id: "DeviceBody", example: { type: "Android" } });

const ways = ["app", "mail", "push"] as const;

const Ways = z.object({
  app: z.boolean().meta({ description: "Shown in the list of notifications." }),
  mail: z.boolean().meta({ description: "Sent by mail, unless the user has switched off all mail." }),
  push: z.boolean().meta({ description: "Pushed to the user's devices." }),
}).meta({ id: "NotificationWays" });

export const NotificationPreferences = z.object({
  types: z.object(Object.fromEntries(notificationTypes.map((type) => [type, Ways]))),
}).meta({ id: "NotificationPreferences", description: "How each type of notification reaches the user." });

const someWays = z.object(Object.fromEntries(ways.map((way) => [way, z.boolean().optional()])));

export const PreferencesBody = z.object({
  types: z.object(Object.fromEntries(notificationTypes.map((type) => [type, someWays.optional()]))),
}).meta({ id: "PreferencesBody", example: { types: { overdue_task: { mail: false } } } });

export type NotificationListQuery = z.output<typeof NotificationListQuery>;
export type MessageBody = z.output<typeof MessageBody>;
export type DeviceBody = z.output<typeof DeviceBody>;
export type PreferencesBody = z.output<typeof PreferencesBody>;
