/** What global search finds of accounts. */
import { listSearchableTexts } from "../../fields/field_sets.ts";
import { makeTeamScope } from "../../db/scope.ts";
import { columnIs } from "../../lists/conditions.ts";
import type { FoundKind } from "../../lists/global_search.ts";
import { displayName } from "./display_name.ts";
import { readShownAccount } from "./present.ts";
import { accountList, notDeleted } from "./queries.ts";

export const foundAccounts: FoundKind = {
  list: accountList,
  index: "accounts_search",
  request({ caller }) {
    const scope = makeTeamScope(caller);
    return { scope, fixedConditions: [notDeleted(scope.companyId)] };
  },
  exact: (text) => columnIs("external_id", text, 0.00001),
  present(row, { fields }) {
    const account = readShownAccount(row);
    const { id, city, external_id, website } = account;
    const name = displayName(account);
    return {
      id,
      title: name ?? external_id ?? "",
      subtitle: city,
      status: null,
      texts: [
        ["name", name],
        ["city", city],
        ["external_id", external_id],
        ["website", website],
        ...listSearchableTexts(fields.all.account, account.custom),
      ],
    };
  },
};
