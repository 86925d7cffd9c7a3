/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** What can be done with a lead, by its state and the rights of the person. */
import { AreaField, Button, Form, RadioGroup, SelectField } from "../forms.tsx";
import { asksAgain } from "../shown_forms.ts";
import { OfferedField } from "../parts/choice_fields.tsx";
import type { Visit } from "../visit.ts";
import type { KnownCustomer } from "./known_customers.ts";
import type { LeadContent } from "./load.ts";

interface Props {
  readonly visit: Visit;
  readonly content: LeadContent;
}

export function LeadForms({ visit, content }: Props) {
  const { may } = content;
  return (
    <>
      {may.accept ? <AcceptForm visit={visit} content={content} /> : null}
      <div class="columns">
        {may.call ? <CallForm visit={visit} content={content} /> : null}
        {may.assign ? <AssignForm visit={visit} content={content} /> : null}
        {may.reject ? <RejectForm visit={visit} content={content} /> : null}
      </div>
    </>
  );
}

function AcceptForm({ visit, content: { lead, people, processes, known } }: Props) {
  const { texts: { leads: texts, asUsual }, forms } = visit;
  const action = `/app/leads/${lead.id}/accept`;
  const usual = { value: "", text: asUsual };
  return (
    <Form forms={forms} action={action} name={texts.accept} class="sheet">
      {known.length === 0 ? null : (
        <RadioGroup
          forms={forms}
          action={action}
          name="customer"
          path={["contact_id", "account_id"]}
          label={texts.customer}
          value="new"
          choices={[
            { value: "new", text: texts.newCustomer },
            ...known.map((one) => ({ value: one.id, text: describeKnown(one) })),
          ]}
        />
      )}
      <Button>{texts.accept}</Button>
      <details open={asksAgain(forms, action)}>
        <summary>{texts.more}</summary>
        <OfferedField
          forms={forms}
          action={action}
          name="user_id"
          label={texts.responsible}
          before={[usual]}
          offer={people}
        />
        <SelectField
          forms={forms}
          action={action}
          name="relations_path_id"
          label={texts.process}
          choices={[usual, ...processes]}
        />
      </details>
    </Form>
  );
}

function describeKnown({ name, account, email, phone_number }: KnownCustomer): string {
  const parts = [name, account.name, email, phone_number].filter((part) => part !== null && part !== "");
  return [...new Set(parts)].join(" · ");
}

function RejectForm({ visit, content: { lead } }: Props) {
  const { texts: { leads: texts }, forms } = visit;
  const action = `/app/leads/${lead.id}/reject`;
  return (
    <Form forms={forms} action={action} name={texts.reject} class="sheet">
      <AreaField forms={forms} action={action} name="rejection_reason" label={texts.reason} />
      <Button kind="bad">{texts.reject}</Button>
    </Form>
  );
}

function CallForm({ visit, content: { lead, may } }: Props) {
  const { texts: { leads: texts }, forms } = visit;
  return (
    <Form forms={forms} action={`/app/leads/${lead.id}/call`} name={texts.call} class="sheet">
      <Button kind={may.accept || may.assign ? "quiet" : "main"}>{texts.call}</Button>
    </Form>
  );
}

function AssignForm({ visit, content: { lead, may, people, dealers } }: Props) {
  const { texts: { leads: texts }, forms } = visit;
  const action = `/app/leads/${lead.id}/assign`;
  return (
    <Form forms={forms} action={action} name={texts.assign} class="sheet">
      <SelectField
        forms={forms}
        action={action}
        name="team_id"
        label={texts.assignTeam}
        choices={dealers.map(({ id, name, cases }) => ({
          value: String(id),
          text: texts.openCases(name, cases),
        }))}
      />
      <OfferedField
        forms={forms}
        action={action}
        name="user_id"
        label={texts.person}
        before={[{ value: "", text: texts.anybody }]}
        offer={people}
      />
      <Button kind={may.accept ? "quiet" : "main"}>{texts.assign}</Button>
    </Form>
  );
}
