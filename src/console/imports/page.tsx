/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Imports: their list, and the form that takes a file. */
import { Button, FileField, Form, SelectField } from "../forms.tsx";
import type { Right } from "../../core/rights.ts";
import type { Page, View } from "../page.ts";
import { readPeople, readTeams } from "../parts/choices.ts";
import { Links } from "../parts/links.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { OfferedField } from "../parts/choice_fields.tsx";
import { Badge, Day, type Tone } from "../parts/values.tsx";
import { What } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import { type ImportRecord, readImports } from "./load.ts";

const section = "customers";
export const importsPath = "/app/imports";
export const importsPage: Page = { path: importsPath, section, show: showAll };
export const newImportPage: Page = { path: "/app/imports/new", section, show: showNew };

export const importTones: Readonly<Record<string, Tone>> = {
  checked: "warn",
  done: "good",
  failed: "bad",
  cancelled: "bad",
};

async function showAll(visit: Visit): Promise<View> {
  visit.require("imports.manage");
  const { imports, ignored } = await readImports(visit);
  const { imports: texts } = visit.texts;
  const add = { href: newImportPage.path, text: texts.newImport };
  return {
    title: texts.title,
    body: (
      <>
        <Ignored visit={visit} names={ignored} />
        <Links links={[{ ...add, isMain: true }]} />
        <List of="imports" total={imports.pagination.total} empty={texts.none} action={add}>
          {imports.data.map((one) => <ImportRow key={one.id} visit={visit} record={one} />)}
        </List>
        <Pages visit={visit} pagination={imports.pagination} />
      </>
    ),
  };
}

function ImportRow({ visit, record }: { visit: Visit; record: ImportRecord }) {
  const { texts: { imports: texts }, formats } = visit;
  const { id, name, entity, status, counts, created_at } = record;
  return (
    <li data-entity="import" data-id={id} data-status={status} id={`import-${id}`}>
      <What
        href={`${importsPath}/${id}`}
        name={name}
        about={[
          texts.entities[entity] ?? entity,
          texts.rows(formats.number(counts.rows), counts.rows),
        ]}
      />
      <Badge tone={importTones[status] ?? "plain"} text={texts.statuses[status] ?? status} />
      <Day visit={visit} at={created_at} />
    </li>
  );
}

/** The kinds of records that a file can bring, with the rights that make them. */
const entities: readonly (readonly [entity: string, right: Right])[] = [
  ["contacts", "customers.create"],
  ["accounts", "customers.create"],
  ["leads", "leads.create"],
  ["products", "products.manage"],
];
const matches = ["none", "external_id", "email", "phone_number"] as const;
const reactions = ["update", "skip", "fail"] as const;

async function showNew(visit: Visit): Promise<View> {
  visit.require("imports.manage");
  const { texts: { imports: texts, leads, asUsual, none, cancel }, forms, may } = visit;
  const offered = entities.filter(([, right]) => may(right));
  if (offered.length === 0) visit.require("customers.create");
  const [people, teams] = await Promise.all([readPeople(visit), readTeams(visit)]);
  const field = { forms, action: newImportPage.path };
  const usual = { value: "", text: asUsual };
  return {
    title: texts.newImport,
    body: (
      <Form forms={forms} action={newImportPage.path} name={texts.check} files class="sheet narrow">
        <SelectField
          {...field}
          name="entity"
          label={texts.entity}
          choices={offered.map(([value]) => ({ value, text: texts.entities[value]! }))}
        />
        <div class="drop">
          <FileField
            {...field}
            name="file"
            path={["file", "file_id", "name", "data", "mapping"]}
            label={texts.file}
            hint={texts.fileHint}
          />
        </div>
        <SelectField
          {...field}
          name="match"
          label={texts.match}
          hint={texts.matchHint}
          choices={matches.map((value) => ({ value, text: texts.matches[value]! }))}
        />
        <SelectField
          {...field}
          name="on_match"
          label={texts.onMatch}
          choices={reactions.map((value) => ({ value, text: texts.reactions[value]! }))}
        />
        <OfferedField {...field} name="team_id" label={leads.team_} before={[usual]} offer={teams} />
        <OfferedField {...field} name="user_id" label={leads.responsible} before={[usual]} offer={people} />
        {may("leads.create")
          ? (
            <OfferedField
              {...field}
              name="agency_team_id"
              label={leads.agencyTeam}
              hint={texts.agencyHint}
              before={[{ value: "", text: none }]}
              offer={teams}
            />
          )
          : null}
        <p class="hint">{texts.checkHint}</p>
        <Button>{texts.check}</Button> <a class="button quiet" href={importsPath}>{cancel}</a>
      </Form>
    ),
  };
}
