/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The forms of accounts: a new one, and the change of one. */
import { Button, Form, SelectField } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { type Named, type Offer, offerWithPresent, readPeople, readTeams } from "../parts/choices.ts";
import { type Fielded, FieldInputs, readNewFields } from "../parts/fields.tsx";
import { OfferedField } from "../parts/choice_fields.tsx";
import type { Visit } from "../visit.ts";
import { type AccountRecord, findRecordName } from "./load.ts";

export const newAccountPage: Page = { path: "/app/accounts/new", section: "customers", show: showNew };
export const editAccountPage: Page = {
  path: "/app/accounts/:account_id/edit",
  section: "customers",
  show: showEdit,
};

async function showNew(visit: Visit): Promise<View> {
  visit.require("customers.create");
  const { call, texts: { customers: texts }, person } = visit;
  const company_id = String(person.known.caller!.companyId);
  const [record, people, teams, { b2c }] = await Promise.all([
    readNewFields(visit, "account"),
    readPeople(visit),
    readTeams(visit),
    call<{ b2c: { allow: boolean; default: boolean } }>("getSettings", { params: { company_id } }),
  ]);
  return {
    title: texts.newAccount,
    body: (
      <AccountForm
        visit={visit}
        action="/app/accounts/new"
        record={record}
        people={people}
        teams={teams}
        kind={b2c.allow ? b2c.default : null}
        name={texts.createAccount}
      />
    ),
  };
}

async function showEdit(visit: Visit): Promise<View> {
  visit.require("customers.update");
  const { call, params, record: read, texts } = visit;
  const [{ record, version }, people, teams] = await Promise.all([
    read<AccountRecord>("getAccount", { params }),
    readPeople(visit),
    readTeams(visit),
  ]);
  const { team_id } = record;
  const isListed = team_id === null || teams.choices.some(({ value }) => value === String(team_id));
  const team = isListed ? [] : [await call<Named>("getTeam", { params: { team_id: String(team_id) } })];
  return {
    title: texts.customers.editOf(findRecordName(record, texts.leads.unnamed)),
    body: (
      <AccountForm
        visit={visit}
        action={`/app/accounts/${record.id}/edit`}
        record={record}
        account={record}
        version={version}
        people={offerWithPresent(people, record.user ? [record.user] : [])}
        teams={offerWithPresent(teams, team)}
        kind={null}
        name={texts.customers.save}
      />
    ),
  };
}

interface Props {
  readonly visit: Visit;
  readonly action: string;
  readonly record: Fielded;
  readonly account?: AccountRecord;
  readonly version?: string;
  readonly people: Offer;
  readonly teams: Offer;
  /** Whether it is a person's, at first; null where that cannot be chosen. */
  readonly kind: boolean | null;
  /** The text of the button. */
  readonly name: string;
}

function AccountForm({ visit, action, record, account, version, people, teams, kind, name }: Props) {
  const { texts: { leads: texts, none, asUsual }, forms } = visit;
  const field = { forms, action };
  const without = { value: "", text: account ? none : asUsual };
  return (
    <Form forms={forms} action={action} name={name} class="sheet narrow" version={version}>
      {kind === null ? null : (
        <SelectField
          {...field}
          name="b2c"
          label={texts.kind}
          value={String(kind)}
          choices={[{ value: "false", text: texts.company }, { value: "true", text: texts.privatePerson }]}
        />
      )}
      <FieldInputs visit={visit} action={action} record={record} first="name" />
      <OfferedField
        {...field}
        name="user_id"
        label={texts.responsible}
        value={account?.user ? String(account.user.id) : ""}
        before={[without]}
        offer={people}
      />
      <OfferedField
        {...field}
        name="team_id"
        label={texts.team_}
        value={account?.team_id ? String(account.team_id) : ""}
        before={[without]}
        offer={teams}
      />
      <Button>{name}</Button>
    </Form>
  );
}
