import type { Feature } from "../../feature.ts";
import { activityCorrespondence } from "./activity.ts";
import { selectEmailNotice } from "./notice.ts";
import { correspondenceEndpoints } from "./routes.ts";
import { printedLetterOperations, servePrintedLetter } from "./serve_letter.ts";
import { correspondenceReferences, correspondences } from "./table.ts";
import { correspondenceKind, endCorrespondence } from "./write.ts";

export const correspondenceFeature: Feature = {
  folder: "messages/correspondence",
  tables: [correspondences],
  references: [correspondenceReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: correspondenceEndpoints,
  routes: [{ serve: servePrintedLetter, operations: printedLetterOperations }],
  mailKinds: { [correspondenceKind]: { recordEnd: endCorrespondence } },
  notices: { email: selectEmailNotice },
  correspondence: activityCorrespondence,
};
