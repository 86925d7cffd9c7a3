import type { Feature } from "../../feature.ts";
import { correspondenceKind } from "../correspondence/write.ts";
import { notifyAutomatedMakers } from "./deleted_fields.ts";
import { automatedEndpoints } from "./routes.ts";
import { endAutomated, queueAutomated } from "./send.ts";
import { selectReasonAgainst } from "./still_wanted.ts";
import {
  automatedCommunications,
  automatedMessageReferences,
  automatedMessages,
  automatedReferences,
} from "./table.ts";

export const automatedFeature: Feature = {
  folder: "messages/automated",
  tables: [automatedCommunications, automatedMessages],
  references: [automatedReferences, automatedMessageReferences],
  triggers: ["triggers.ts"],
  endpoints: automatedEndpoints,
  jobs: { queue: { queueAutomated } },
  mailKinds: { [correspondenceKind]: { recordEnd: endAutomated, against: selectReasonAgainst } },
  stopFilters: notifyAutomatedMakers,
};
