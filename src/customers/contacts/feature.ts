import type { Feature } from "../../feature.ts";
import { shownContact } from "./notice.ts";
import { contactFieldValues } from "./on_field_deleted.ts";
import { contactEndpoints } from "./routes.ts";
import { contactReferences, contacts } from "./record.ts";
import { reindexedContacts } from "../reindex.ts";

export const contactsFeature: Feature = {
  folder: "customers/contacts",
  tables: [contacts],
  references: [contactReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: contactEndpoints,
  reindexed: [reindexedContacts],
  fieldValues: contactFieldValues,
  notices: { contact: shownContact },
};
