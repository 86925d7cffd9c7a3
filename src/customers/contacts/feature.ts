import type { Feature } from "../../feature.ts";
import { selectContactNotice } from "./notice.ts";
import { describeSearchedValues } from "../fields/remove_values.ts";
import { contactColumns, contactJoins, readContactRow } from "./present.ts";
import { indexContactWords } from "./search_index.ts";
import { declareContactEndpoints } from "./routes.ts";
import { contactReferences, contacts } from "./record.ts";
import { reindexedContacts } from "../reindex.ts";

export const contactsFeature: Feature = {
  folder: "customers/contacts",
  tables: [contacts],
  references: [contactReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: declareContactEndpoints,
  reindexed: [reindexedContacts],
  fieldValues: describeSearchedValues({
    owner: "contact",
    table: "contacts",
    columns: contactColumns,
    joins: contactJoins,
    read: readContactRow,
    index: indexContactWords,
  }),
  notices: { contact: selectContactNotice },
};
