import type { Feature } from "../../feature.ts";
import { dateBack } from "./bring_back.ts";
import { removeOldDeliveries } from "./expire.ts";
import { webhookReassignment } from "./deletion.ts";
import { deliverDue } from "./deliver.ts";
import { eventOperations } from "./event_operations.ts";
import { selectWebhookNotice } from "./notice.ts";
import { orderWork, releaseWork } from "./order.ts";
import { pauseFailing } from "./pause.ts";
import { webhookReferences, webhooks } from "./record.ts";
import { continueRecoveries } from "./recover.ts";
import { webhookEndpoints } from "./routes.ts";
import {
  deliveries,
  deliveryAttemptReferences,
  deliveryAttempts,
  deliveryCountReferences,
  deliveryCounts,
  deliveryReferences,
  recoveries,
  recoveryReferences,
} from "./table.ts";

export const webhooksFeature: Feature = {
  folder: "delivery/webhooks",
  tables: [webhooks, deliveries, deliveryCounts, recoveries, deliveryAttempts],
  references: [
    webhookReferences,
    deliveryReferences,
    deliveryCountReferences,
    recoveryReferences,
    deliveryAttemptReferences,
  ],
  sealed: [["webhooks", "verification_token"]],
  triggers: ["triggers.ts"],
  endpoints: webhookEndpoints,
  webhooks: eventOperations,
  staged: [orderWork, releaseWork],
  jobs: {
    clock: { dateBack },
    recover: { continueRecoveries },
    send: { deliverDue },
    ends: { pauseFailing, removeOldDeliveries },
  },
  notices: { webhook: selectWebhookNotice },
  userDeletion: [webhookReassignment],
};
