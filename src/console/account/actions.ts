/** What can be done with accounts. */
import { makeBody } from "../form_body.ts";
import type { Action } from "../page.ts";
import { readFieldsForm, readNewFields } from "../parts/fields.tsx";
import { attachSent, fileFormLimit } from "../parts/files.tsx";
import { deleteAccountPage } from "./delete.tsx";
import { askAboutAccounts } from "./ask_duplicates.ts";
import { editAccountPage, newAccountPage } from "./form.tsx";
import type { AccountRecord } from "./load.ts";
import { accountPage } from "./page.tsx";

/** A form without a choice clears it; one that has no such field leaves it. */
function readOwners(form: FormData) {
  const { user_id = null, team_id = null } = makeBody(form, { user_id: "integer", team_id: "integer" });
  return { ...(form.has("user_id") ? { user_id } : {}), ...(form.has("team_id") ? { team_id } : {}) };
}

export const accountActions: readonly Action[] = [
  {
    path: newAccountPage.path,
    page: newAccountPage,
    async run(visit) {
      const { change, form } = visit;
      const fields = readFieldsForm(form, await readNewFields(visit, "account"));
      const b2c = form.get("b2c");
      const chosen = makeBody(form, { user_id: "integer", team_id: "integer" });
      const { id } = await change<{ id: string }>("createAccount", {
        body: { ...fields, ...chosen, ...(b2c === null ? {} : { b2c: b2c === "true" }) },
        before: () => askAboutAccounts(visit, fields.fixed_fields),
      });
      return { to: `/app/accounts/${id}`, message: { name: "accountCreated" } };
    },
  },
  {
    path: editAccountPage.path,
    page: editAccountPage,
    async run({ call, change, params, form }) {
      const record = await call<AccountRecord>("getAccount", { params });
      await change("updateAccount", {
        params,
        body: { ...readFieldsForm(form, record), ...readOwners(form) },
      });
      return { to: `/app/accounts/${params.account_id}`, message: { name: "saved" } };
    },
  },
  {
    path: deleteAccountPage.path,
    page: deleteAccountPage,
    async run({ change, params }) {
      await change("deleteAccount", { params });
      return { to: "/app/customers?kind=accounts", message: { name: "deleted" } };
    },
  },
  {
    path: "/app/accounts/:account_id/files",
    page: accountPage,
    limit: fileFormLimit,
    async run(visit) {
      await attachSent(visit, "attachAccountFiles", visit.params);
      return { to: `/app/accounts/${visit.params.account_id}`, message: { name: "fileUploaded" } };
    },
  },
  {
    path: "/app/accounts/:account_id/files/:file_id/detach",
    page: accountPage,
    async run({ change, params }) {
      await change("detachAccountFiles", { params, body: { file_ids: [params.file_id] } });
      return { to: `/app/accounts/${params.account_id}`, message: { name: "fileDetached" } };
    },
  },
];
