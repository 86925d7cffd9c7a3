/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Lead types: their list, and their forms. */
import { makeBody } from "../form_body.ts";
import { Checkbox, type Choice, SelectField, TextField } from "../forms.tsx";
import type { Action, Page, View } from "../page.ts";
import {
  chooseOwner,
  isAdmin,
  mayChangePath,
  mayMakePaths,
  requireAdministration,
  requirePaths,
} from "../parts/administration.ts";
import { FormOrFields } from "../parts/form_or_fields.tsx";
import { Links } from "../parts/links.tsx";
import { addPresent, readProcesses } from "../parts/choices.ts";
import type { PageOf } from "../parts/list.tsx";
import { NamedList } from "../parts/named_list.tsx";
import { readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

interface LeadTypeRecord {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly relations_paths: readonly { readonly id: string; readonly name: string }[];
  readonly escalation_accept: number | null;
  readonly escalation_activity: number | null;
  readonly escalation_ignore_weekends: boolean;
  readonly team_id: number | null;
  readonly group_id: number | null;
}

const section = "administration";
const path = "/app/admin/lead-types";
export const leadTypesPage: Page = { path, section, show: showAll };
export const newLeadTypePage: Page = { path: "/app/admin/lead-types/new", section, show: showNew };
export const leadTypePage: Page = {
  path: "/app/admin/lead-types/:lead_type_id",
  section,
  show: showLeadType,
};

async function showAll(visit: Visit): Promise<View> {
  requireAdministration(visit);
  const { call, query, texts: { admin: texts } } = visit;
  const { values, ignored } = readParameters(query, {});
  const [{ data, pagination }, mayMake] = await Promise.all([
    call<PageOf<LeadTypeRecord>>("listLeadTypes", { query: { ...values, per_page: "25" } }),
    mayMakePaths(visit),
  ]);
  return {
    title: texts.pages["lead-types"],
    body: (
      <NamedList
        visit={visit}
        path={path}
        of="lead-types"
        entity="lead-type"
        entries={data.map(({ id, name, relations_paths }) => ({
          id,
          name,
          about: relations_paths.map(({ name }) => name).join(", "),
        }))}
        pagination={pagination}
        ignored={ignored}
        empty={texts.noLeadTypes}
        create={mayMake ? texts.newLeadType : null}
      />
    ),
  };
}

async function showNew(visit: Visit): Promise<View> {
  await requirePaths(visit);
  const { admin: texts } = visit.texts;
  const processes = await readProcesses(visit);
  return {
    title: texts.newLeadType,
    body: (
      <LeadTypeForm
        visit={visit}
        action={newLeadTypePage.path}
        type={null}
        mayChange
        processes={processes}
        name={texts.createLeadType}
      />
    ),
  };
}

async function showLeadType(visit: Visit): Promise<View> {
  requireAdministration(visit);
  const { record: read, params, texts } = visit;
  const [{ record, version }, processes, mayMake] = await Promise.all([
    read<LeadTypeRecord>("getLeadType", { params }),
    readProcesses(visit),
    mayMakePaths(visit),
  ]);
  return {
    title: record.name,
    body: (
      <article>
        <LeadTypeForm
          visit={visit}
          action={`${path}/${record.id}`}
          type={record}
          mayChange={mayChangePath(visit, record, mayMake)}
          version={version}
          processes={addPresent(processes, record.relations_paths)}
          name={texts.customers.save}
        />
        <Links
          links={[
            isAdmin(visit) &&
            { href: `${path}/${record.id}/delete`, text: texts.customers.delete, isRare: true },
          ]}
        />
      </article>
    ),
  };
}

interface Props {
  readonly visit: Visit;
  readonly action: string;
  readonly type: LeadTypeRecord | null;
  readonly mayChange: boolean;
  readonly version?: string;
  readonly processes: readonly Choice[];
  readonly name: string;
}

function LeadTypeForm({ visit: { texts: { admin: texts, leads }, forms }, action, ...rest }: Props) {
  const { type, mayChange, version, processes, name } = rest;
  const field = { forms, action };
  const text = (minutes: number | null | undefined) => minutes == null ? null : String(minutes);
  return (
    <FormOrFields
      mayChange={mayChange}
      forms={forms}
      action={action}
      name={name}
      class="sheet narrow"
      version={version}
    >
      <TextField {...field} name="name" label={texts.name} value={type?.name} />
      <TextField {...field} name="icon" label={texts.icon} value={type?.icon} />
      <SelectField
        {...field}
        name="relations_path_id"
        path={["relations_path_ids", "relations_path_ids[0]"]}
        label={leads.process}
        value={type?.relations_paths[0]?.id}
        choices={processes}
      />
      <TextField
        {...field}
        type="number"
        name="escalation_accept"
        label={texts.acceptWithin}
        value={text(type?.escalation_accept)}
      />
      <TextField
        {...field}
        type="number"
        name="escalation_activity"
        label={texts.firstActivityWithin}
        value={text(type?.escalation_activity)}
      />
      <Checkbox
        {...field}
        name="escalation_ignore_weekends"
        label={texts.ignoreWeekends}
        checked={type?.escalation_ignore_weekends ?? false}
      />
    </FormOrFields>
  );
}

/** The chosen process comes first; those that the type has besides stay. */
function readLeadTypeForm(form: FormData, type: LeadTypeRecord | null) {
  const { name, icon = null, relations_path_id: chosen, ...countdowns } = makeBody(form, {
    name: "needed",
    icon: "text",
    relations_path_id: "text",
    escalation_accept: "integer",
    escalation_activity: "integer",
    escalation_ignore_weekends: "boolean",
  });
  // The one that was shown gives its place to the chosen one.
  const others = (type?.relations_paths ?? []).slice(1).map(({ id }) => id).filter((id) => id !== chosen);
  return {
    name,
    icon,
    relations_path_ids: chosen === undefined ? [] : [chosen, ...others],
    escalation_accept: null,
    escalation_activity: null,
    ...countdowns,
  };
}

export const leadTypeActions: readonly Action[] = [
  {
    path: newLeadTypePage.path,
    page: newLeadTypePage,
    async run(visit) {
      const { change, form } = visit;
      const { id } = await change<{ id: string }>("createLeadType", {
        body: { ...readLeadTypeForm(form, null), ...chooseOwner(visit) },
      });
      return { to: `${path}/${id}`, message: { name: "leadTypeCreated" } };
    },
  },
  {
    path: leadTypePage.path,
    page: leadTypePage,
    async run({ call, change, form, params }) {
      const type = await call<LeadTypeRecord>("getLeadType", { params });
      await change("updateLeadType", { params, body: readLeadTypeForm(form, type) });
      return { to: `${path}/${params.lead_type_id}`, message: { name: "saved" } };
    },
  },
];
