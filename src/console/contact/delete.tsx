/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Asks before a contact is deleted. */
import { type ContactRecord, findRecordName } from "../account/load.ts";
import type { Page } from "../page.ts";
import { DeleteForm, type Impact } from "../parts/impact.tsx";

export const deleteContactPage: Page = {
  path: "/app/contacts/:contact_id/delete",
  section: "customers",
  async show(visit) {
    visit.require("customers.delete");
    const { call, params, texts } = visit;
    const contact = await call<ContactRecord>("getContact", { params });
    const of = { contact_id: contact.id, account_id: contact.account.id };
    const impact = await call<Impact>("getContactDeleteImpact", { params: of });
    const back = `/app/contacts/${contact.id}`;
    return {
      title: texts.deleting.of(findRecordName(contact, texts.leads.unnamed)),
      body: (
        <DeleteForm
          visit={visit}
          action={`${back}/delete`}
          impact={impact}
          back={back}
          sent={{ account_id: contact.account.id }}
        />
      ),
    };
  },
};
