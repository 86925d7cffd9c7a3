/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A new case of a contact. */
import { notFound } from "../../core/errors.ts";
import { Button, type Choice, Form, SelectField } from "../forms.tsx";
import { makeBody } from "../form_body.ts";
import { type ContactRecord, findRecordName } from "../account/load.ts";
import type { Action, Page, View } from "../page.ts";
import { readPeople, readProcesses, readTeams } from "../parts/choices.ts";
import type { PageOf } from "../parts/list.tsx";
import { OfferedField } from "../parts/choice_fields.tsx";
import { forms as valueForms } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

const path = "/app/cases/new";

export const newCasePage: Page = { path, section: "cases", show };

export const newCaseAction: Action = {
  path,
  page: newCasePage,
  async run({ change, form, query }) {
    const { id } = await change<{ id: string }>("createCase", {
      body: {
        contact_id: query.get("contact_id"),
        ...makeBody(form, {
          contact_id: "text",
          relations_path_id: "text",
          user_id: "integer",
          team_id: "integer",
        }),
      },
    });
    return { to: `/app/cases/${id}`, message: { name: "caseCreated" } };
  },
};

async function show(visit: Visit): Promise<View> {
  const { texts: { leads: texts, customers, asUsual }, forms, query } = visit;
  visit.require("cases.create");
  const contact_id = query.get("contact_id") ?? "";
  if (!valueForms.uuid.test(contact_id)) throw notFound();
  const [{ contact, contacts }, processes, people, teams] = await Promise.all([
    readContacts(visit, contact_id),
    readProcesses(visit),
    readPeople(visit),
    readTeams(visit),
  ]);
  const usual = { value: "", text: asUsual };
  const field = { forms, action: path };
  return {
    title: customers.newCase,
    body: (
      <Form
        forms={forms}
        action={`${path}?contact_id=${contact.id}`}
        name={customers.createCase}
        class="sheet narrow"
      >
        <p>
          <a href={`/app/contacts/${contact.id}`}>
            <bdi>{findRecordName(contact, texts.unnamed)}</bdi>
          </a>
          {contact.account.name && !contact.b2c ? <bdi>{` · ${contact.account.name}`}</bdi> : null}
        </p>
        {contacts.length > 1
          ? (
            <SelectField
              {...field}
              name="contact_id"
              label={texts.contact}
              value={contact.id}
              choices={contacts}
            />
          )
          : null}
        <SelectField {...field} name="relations_path_id" label={texts.process} choices={processes} />
        <OfferedField {...field} name="user_id" label={texts.responsible} before={[usual]} offer={people} />
        <OfferedField {...field} name="team_id" label={texts.team_} before={[usual]} offer={teams} />
        <Button>{customers.createCase}</Button>
      </Form>
    ),
  };
}

/**
 * Reads the contact, and the choices of contacts of its account: its page leads here with one of them, and it is chosen
 * here which of them the case is of.
 */
async function readContacts(
  { call, texts }: Visit,
  contact_id: string,
): Promise<{ contact: ContactRecord; contacts: Choice[] }> {
  const contact = await call<ContactRecord>("getContact", { params: { contact_id } });
  if (contact.b2c) return { contact, contacts: [] };
  const { data } = await call<PageOf<ContactRecord>>("listContactsOfAccount", {
    params: { account_id: contact.account.id },
    query: { per_page: "100" },
  });
  const all = data.some(({ id }) => id === contact.id) ? data : [contact, ...data];
  const contacts = all.map((one) => ({ value: one.id, text: findRecordName(one, texts.leads.unnamed) }));
  return { contact, contacts };
}
