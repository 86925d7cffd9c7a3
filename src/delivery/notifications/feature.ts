import { lifetimes } from "../../core/lifetimes.ts";
import { informingKind } from "../../db/mails.ts";
import type { Feature } from "../../feature.ts";
import { removeOldNotifications } from "./expire.ts";
import { notificationDeletion } from "./deletion.ts";
import { notificationEndpoints } from "./routes.ts";
import { fanOutNotifications, selectReasonAgainst, sendDuePushes } from "./send.ts";
import {
  deviceReferences,
  devices,
  notificationCountReferences,
  notificationCounts,
  notificationPreferences,
  notificationReadReferences,
  notificationReads,
  notificationReferences,
  notifications,
  preferenceReferences,
  pushes,
  pushReferences,
} from "./table.ts";

export const notificationsFeature: Feature = {
  folder: "delivery/notifications",
  tables: [notifications, notificationCounts, notificationReads, notificationPreferences, devices, pushes],
  references: [
    notificationReferences,
    notificationCountReferences,
    notificationReadReferences,
    preferenceReferences,
    deviceReferences,
    pushReferences,
  ],
  lifetimes: [
    {
      table: "notifications",
      columns: ["expires_at"],
      longest: { ms: lifetimes.unlistedNotification, from: "created_at" },
    },
  ],
  triggers: ["triggers.ts"],
  endpoints: notificationEndpoints,
  jobs: { announce: { fanOutNotifications }, send: { sendDuePushes }, ends: { removeOldNotifications } },
  mailKinds: { [informingKind]: { recordEnd: () => [], against: selectReasonAgainst, inEachLane: true } },
  userDeletion: [notificationDeletion],
};
