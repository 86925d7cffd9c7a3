/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The forms of contacts: a new one of an account, and the change of one. */
import { type AccountRecord, type ContactRecord, findRecordName } from "../account/load.ts";
import { Button, Form, RadioGroup } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { type Offer, offerWithPresent, readPeople } from "../parts/choices.ts";
import { type Fielded, FieldInputs, readNewFields } from "../parts/fields.tsx";
import { OfferedField } from "../parts/choice_fields.tsx";
import type { Visit } from "../visit.ts";

/** The channels that a contact can agree to, in the order of the page. */
export const consents = ["email", "call", "letter", "sms"] as const;

export const newContactPage: Page = {
  path: "/app/accounts/:account_id/contacts/new",
  section: "customers",
  show: showNew,
};
export const editContactPage: Page = {
  path: "/app/contacts/:contact_id/edit",
  section: "customers",
  show: showEdit,
};

async function showNew(visit: Visit): Promise<View> {
  visit.require("customers.create");
  const { call, params, texts: { customers: texts } } = visit;
  const [account, record, people] = await Promise.all([
    call<AccountRecord>("getAccount", { params }),
    readNewFields(visit, "contact"),
    readPeople(visit),
  ]);
  return {
    title: texts.newContact,
    body: (
      <ContactForm
        visit={visit}
        action={`/app/accounts/${account.id}/contacts/new`}
        record={record}
        people={people}
        name={texts.createContact}
      />
    ),
  };
}

async function showEdit(visit: Visit): Promise<View> {
  visit.require("customers.update");
  const { params, record: read, texts } = visit;
  const [{ record, version }, people] = await Promise.all([
    read<ContactRecord>("getContact", { params }),
    readPeople(visit),
  ]);
  return {
    title: texts.customers.editOf(findRecordName(record, texts.leads.unnamed)),
    body: (
      <ContactForm
        visit={visit}
        action={`/app/contacts/${record.id}/edit`}
        record={record}
        contact={record}
        version={version}
        people={offerWithPresent(people, record.user ? [record.user] : [])}
        name={texts.customers.save}
      />
    ),
  };
}

interface Props {
  readonly visit: Visit;
  readonly action: string;
  readonly record: Fielded;
  readonly contact?: ContactRecord;
  readonly version?: string;
  readonly people: Offer;
  /** The text of the button. */
  readonly name: string;
}

function ContactForm({ visit, action, record, contact, version, people, name }: Props) {
  const { texts: { customers: texts, leads, none, asUsual }, forms } = visit;
  const answers = [
    { value: "true", text: texts.given },
    { value: "false", text: texts.refused },
    { value: "", text: texts.notAsked },
  ];
  return (
    <Form forms={forms} action={action} name={name} class="sheet narrow" version={version}>
      <FieldInputs visit={visit} action={action} record={record} first="first_name" />
      <OfferedField
        forms={forms}
        action={action}
        name="user_id"
        label={leads.responsible}
        value={contact?.user ? String(contact.user.id) : ""}
        before={[{ value: "", text: contact ? none : asUsual }]}
        offer={people}
      />
      <div class="consents">
        {consents.map((channel) => (
          <RadioGroup
            key={channel}
            forms={forms}
            action={action}
            name={`consent.${channel}`}
            label={texts.consentTo(texts.consentChannels[channel])}
            value={String(contact?.consent[channel]?.consent_given ?? "")}
            choices={answers}
          />
        ))}
      </div>
      <Button>{name}</Button>
    </Form>
  );
}
