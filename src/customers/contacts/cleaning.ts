import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { statement } from "../../db/statements.ts";
import type { Cleaning } from "../fields/clean.ts";
import { asContact, contactColumns, contactJoins } from "./present.ts";
import { indexContactWords } from "./write.ts";

/** What contacts lose with a field. */
export const contactCleaning: Cleaning = {
  owner: "contact",
  table: "contacts",
  key: "seq",
  reads: (owners, companyId) => [
    fieldsOfCompany(companyId),
    statement(
      `select ${contactColumns} from contacts contact ${contactJoins} ` +
        "where contact.seq in (select value from json_each(?))",
      owners,
    ),
  ],
  words([defined, found], dropped) {
    const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
    return found!.rows.map(asContact).map((contact) => {
      const custom = JSON.stringify(dropped(JSON.parse(contact.custom)));
      return indexContactWords({ ...contact, custom }, fields);
    });
  },
};
