import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { statement } from "../../db/statements.ts";
import type { Cleaning } from "../fields/clean.ts";
import { accountColumns, accountJoins, asAccount } from "./present.ts";
import { indexAccountWords } from "./write.ts";

/** What accounts lose with a field. */
export const accountCleaning: Cleaning = {
  owner: "account",
  table: "accounts",
  key: "seq",
  reads: (owners, companyId) => [
    fieldsOfCompany(companyId),
    statement(
      `select ${accountColumns} from accounts account ${accountJoins} ` +
        "where account.seq in (select value from json_each(?))",
      owners,
    ),
  ],
  words([defined, found], dropped) {
    const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
    return found!.rows.map(asAccount).map((account) => {
      const custom = JSON.stringify(dropped(JSON.parse(account.custom)));
      return indexAccountWords({ ...account, custom }, fields);
    });
  },
};
