/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Asks before an account is deleted. */
import type { Page } from "../page.ts";
import { DeleteForm, type Impact } from "../parts/impact.tsx";
import { type AccountRecord, findRecordName } from "./load.ts";

export const deleteAccountPage: Page = {
  path: "/app/accounts/:account_id/delete",
  section: "customers",
  async show(visit) {
    const { call, params, texts } = visit;
    const [account, impact] = await Promise.all([
      call<AccountRecord>("getAccount", { params }),
      call<Impact>("getAccountDeleteImpact", { params }),
    ]);
    const back = `/app/accounts/${account.id}`;
    return {
      title: texts.deleting.of(findRecordName(account, texts.leads.unnamed)),
      body: <DeleteForm visit={visit} action={`${back}/delete`} impact={impact} back={back} />,
    };
  },
};
