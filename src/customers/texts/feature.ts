import type { Feature } from "../../feature.ts";
import { indexTexts } from "./index_texts.ts";
import { accountsStale, contactsStale } from "./table.ts";

export const texts: Feature = {
  folder: "customers/texts",
  tables: [contactsStale, accountsStale],
  triggers: ["triggers.ts"],
  jobs: { index: { indexTexts: (deps) => indexTexts(deps) } },
};
