/** Everything that waits during a hold. */
import type { HeldKind } from "../db/hold.ts";
import { describeHeldMails } from "../delivery/mails/held.ts";
import { heldNotifications, heldPushes } from "../delivery/notifications/held.ts";
import { heldDeliveries } from "../delivery/webhooks/held.ts";
import { heldReports } from "../insight/scheduled/held.ts";
import { mailKinds } from "../mail_kinds.ts";
import { heldAutomated } from "../messages/automated/held.ts";
import { heldCampaigns } from "../messages/campaigns/held.ts";

/** In the order in which they are dropped: dropping one kind may write a notification, and none is dropped for it. */
export const heldKinds: readonly HeldKind[] = [
  describeHeldMails(mailKinds),
  heldNotifications,
  heldPushes,
  heldDeliveries,
  heldCampaigns,
  heldAutomated,
  heldReports,
];
