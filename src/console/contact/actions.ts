/** What can be done with contacts. */
import { askAboutContacts } from "../account/ask_duplicates.ts";
import type { ContactRecord } from "../account/load.ts";
import { makeBody } from "../form_body.ts";
import type { Action } from "../page.ts";
import { readFieldsForm, readNewFields } from "../parts/fields.tsx";
import { attachSent, fileFormLimit } from "../parts/files.tsx";
import { composeTypedHtml } from "../typed_text.ts";
import type { Visit } from "../visit.ts";
import { deleteContactPage } from "./delete.tsx";
import { consents, editContactPage, newContactPage } from "./form.tsx";
import { contactPage } from "./page.tsx";

/** Returns the consent that the form states; a channel that it does not name stays. */
function readConsent(form: FormData) {
  const stated = consents.flatMap((channel) => {
    const value = form.get(`consent.${channel}`);
    return value === null ? [] : [[channel, { consent_given: value === "" ? null : value === "true" }]];
  });
  return { consent: Object.fromEntries(stated) as Record<string, unknown> };
}

/** Returns the contact of the address, and the parameters of calls about it. */
async function loadContact({ call, params }: Visit) {
  const contact = await call<ContactRecord>("getContact", { params });
  return { contact, of: { contact_id: contact.id, account_id: contact.account.id } };
}

const composePath = ({ params }: Visit) => `/app/contacts/${params.contact_id}`;

export const contactActions: readonly Action[] = [
  {
    path: newContactPage.path,
    page: newContactPage,
    async run(visit) {
      const { change, form, params } = visit;
      const fields = readFieldsForm(form, await readNewFields(visit, "contact"));
      const { id } = await change<{ id: string }>("createContact", {
        params,
        body: { ...fields, ...makeBody(form, { user_id: "integer" }), ...readConsent(form) },
        before: () => askAboutContacts(visit, fields.fixed_fields),
      });
      return { to: `/app/contacts/${id}`, message: { name: "contactCreated" } };
    },
  },
  {
    path: editContactPage.path,
    page: editContactPage,
    async run(visit) {
      const { change, form } = visit;
      const { contact, of } = await loadContact(visit);
      const { user_id = null } = makeBody(form, { user_id: "integer" });
      await change("updateContact", {
        params: of,
        body: {
          ...readFieldsForm(form, contact),
          ...(form.has("user_id") ? { user_id } : {}),
          ...readConsent(form),
        },
      });
      return { to: composePath(visit), message: { name: "saved" } };
    },
  },
  {
    path: deleteContactPage.path,
    page: deleteContactPage,
    async run({ change, params, form }) {
      // The form names the account, because a form that is sent twice finds no contact to ask.
      const account_id = String(form.get("account_id") ?? "");
      await change("deleteContact", { params: { ...params, account_id } });
      return { to: "/app/customers?kind=contacts", message: { name: "deleted" } };
    },
  },
  {
    path: "/app/contacts/:contact_id/notes",
    page: contactPage,
    async run(visit) {
      const { change, form } = visit;
      const { of } = await loadContact(visit);
      const note = form.get("note");
      await change("createNote", {
        body: {
          note: composeTypedHtml(typeof note === "string" && note !== "" ? note : undefined),
          ...of,
        },
      });
      return { to: composePath(visit), message: { name: "noteAdded" } };
    },
  },
  {
    path: "/app/contacts/:contact_id/files",
    page: contactPage,
    limit: fileFormLimit,
    async run(visit) {
      const { of } = await loadContact(visit);
      await attachSent(visit, "attachContactFiles", of);
      return { to: composePath(visit), message: { name: "fileUploaded" } };
    },
  },
  {
    path: "/app/contacts/:contact_id/files/:file_id/detach",
    page: contactPage,
    async run(visit) {
      const { of } = await loadContact(visit);
      await visit.change("detachContactFiles", {
        params: of,
        body: { file_ids: [visit.params.file_id] },
      });
      return { to: composePath(visit), message: { name: "fileDetached" } };
    },
  },
];
