/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A new case of a contact. */
import { notFound } from "../../core/errors.ts";
import { Button, Form, SelectField } from "../forms.tsx";
import { makeBody } from "../form_body.ts";
import { type ContactRecord, findRecordName } from "../account/load.ts";
import type { Action, Page, View } from "../page.ts";
import { readPeople, readProcesses, readTeams } from "../parts/choices.ts";
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
        ...makeBody(form, { relations_path_id: "text", user_id: "integer", team_id: "integer" }),
      },
    });
    return { to: `/app/cases/${id}`, message: { name: "caseCreated" } };
  },
};

async function show(visit: Visit): Promise<View> {
  const { call, texts: { leads: texts, customers, asUsual }, forms, query } = visit;
  visit.require("cases.create");
  const contact_id = query.get("contact_id") ?? "";
  if (!valueForms.uuid.test(contact_id)) throw notFound();
  const [contact, processes, people, teams] = await Promise.all([
    call<ContactRecord>("getContact", { params: { contact_id } }),
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
        <SelectField {...field} name="relations_path_id" label={texts.process} choices={processes} />
        <SelectField {...field} name="user_id" label={texts.responsible} choices={[usual, ...people]} />
        <SelectField {...field} name="team_id" label={texts.team_} choices={[usual, ...teams]} />
        <Button>{customers.createCase}</Button>
      </Form>
    ),
  };
}
