import type { Feature } from "../../feature.ts";
import { sendDueMails } from "./send.ts";

export const mails: Feature = {
  folder: "delivery/mails",
  jobs: ({ mailKinds }) => ({ send: { sendDueMails: (deps, now) => sendDueMails(deps, now, mailKinds) } }),
};
