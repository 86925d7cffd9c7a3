/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A new lead, such as somebody on the telephone. */
import { Button, type Choice, Form, RadioGroup, SelectField, TextField } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { makeChoice, type Named, type Offer, readAll, readTeams } from "../parts/choices.ts";
import { OfferedField } from "../parts/choice_fields.tsx";
import type { Visit } from "../visit.ts";

export const newLeadAddress = "/app/leads/new";
export const newLeadPage: Page = { path: newLeadAddress, section: "leads", show };

async function show(visit: Visit): Promise<View> {
  const { texts } = visit;
  visit.require("leads.create");
  const [types, teams] = await Promise.all([
    readAll<Named>(visit, "listLeadTypes"),
    readTeams(visit),
  ]);
  return {
    title: texts.leads.newLead,
    body: <Body visit={visit} types={types.map(makeChoice)} teams={teams} />,
  };
}

function Body({ visit, types, teams }: { visit: Visit; types: readonly Choice[]; teams: Offer }) {
  const { texts: { leads: texts, none }, forms } = visit;
  const action = newLeadAddress;
  const field = { forms, action };
  const without = { value: "", text: none };
  return (
    <Form forms={forms} action={action} name={texts.createLead} class="sheet narrow">
      <SelectField {...field} name="lead_type_id" label={texts.type} choices={types} />
      <TextField {...field} name="lead_source" label={texts.source} />
      <TextField {...field} name="interest" label={texts.interest} />
      <RadioGroup
        {...field}
        name="b2c"
        label={texts.kind}
        value="company"
        choices={[{ value: "company", text: texts.company }, { value: "person", text: texts.privatePerson }]}
      />
      <TextField
        {...field}
        name="account_name"
        path="account.fixed_fields[0].value"
        label={texts.accountName}
      />
      <TextField {...field} name="first_name" path="contact.fixed_fields[0].value" label={texts.firstName} />
      <TextField {...field} name="last_name" path="contact.fixed_fields[1].value" label={texts.lastName} />
      <TextField
        {...field}
        type="email"
        name="email"
        path="contact.fixed_fields[2].value"
        label={texts.email}
      />
      <TextField
        {...field}
        type="tel"
        name="phone_number"
        path="contact.fixed_fields[3].value"
        label={texts.phoneNumber}
      />
      <OfferedField {...field} name="team_id" label={texts.assignTeam} before={[without]} offer={teams} />
      <OfferedField
        {...field}
        name="agency_team_id"
        label={texts.agencyTeam}
        hint={texts.agencyHint}
        before={[without]}
        offer={teams}
      />
      <Button>{texts.createLead}</Button>
    </Form>
  );
}
