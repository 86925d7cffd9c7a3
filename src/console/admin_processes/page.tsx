/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Processes: their list, and the forms with their milestones. */
import { counts } from "../../core/budgets.ts";
import { Button, SelectField, TextField } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import {
  isAdmin,
  mayChangePath,
  mayMakePaths,
  requireAdministration,
  requirePaths,
} from "../parts/administration.ts";
import { FormOrFields } from "../parts/form_or_fields.tsx";
import { Links } from "../parts/links.tsx";
import type { PageOf } from "../parts/list.tsx";
import { NamedList } from "../parts/named_list.tsx";
import { readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

export interface MilestoneRecord {
  readonly id: string;
  readonly name: string;
  readonly chance_of_success: number | null;
  readonly set_status: string | null;
}

interface Process {
  readonly id: string;
  readonly name: string;
  readonly team_id: number | null;
  readonly group_id: number | null;
  readonly activity_types: { readonly milestones: readonly MilestoneRecord[] };
}

const section = "administration";
export const path = "/app/admin/processes";
export const processesPage: Page = { path, section, show: showAll };
export const newProcessPage: Page = { path: "/app/admin/processes/new", section, show: showNew };
export const processPage: Page = {
  path: "/app/admin/processes/:relations_path_id",
  section,
  show: showProcess,
};

async function showAll(visit: Visit): Promise<View> {
  requireAdministration(visit);
  const { call, query, texts: { admin: texts } } = visit;
  const { values, ignored } = readParameters(query, {});
  const [{ data, pagination }, mayMake] = await Promise.all([
    call<PageOf<Process>>("listRelationsPaths", { query: { ...values, per_page: "25" } }),
    mayMakePaths(visit),
  ]);
  return {
    title: texts.pages.processes,
    body: (
      <NamedList
        visit={visit}
        path={path}
        of="processes"
        entity="process"
        entries={data.map(({ id, name, activity_types: { milestones } }) => ({
          id,
          name,
          about: milestones.map(({ name }) => name).join(" → "),
        }))}
        pagination={pagination}
        ignored={ignored}
        empty={texts.noProcesses}
        create={mayMake ? texts.newProcess : null}
      />
    ),
  };
}

async function showNew(visit: Visit): Promise<View> {
  await requirePaths(visit);
  const { admin: texts } = visit.texts;
  return {
    title: texts.newProcess,
    body: (
      <ProcessForm
        visit={visit}
        action={newProcessPage.path}
        process={null}
        mayChange
        name={texts.createProcess}
      />
    ),
  };
}

async function showProcess(visit: Visit): Promise<View> {
  requireAdministration(visit);
  const { record: read, params, texts } = visit;
  const [{ record, version }, mayMake] = await Promise.all([
    read<Process>("getRelationsPath", { params }),
    mayMakePaths(visit),
  ]);
  return {
    title: record.name,
    body: (
      <article>
        <ProcessForm
          visit={visit}
          action={`${path}/${record.id}`}
          process={record}
          mayChange={mayChangePath(visit, record, mayMake)}
          version={version}
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
  readonly process: Process | null;
  readonly mayChange: boolean;
  readonly version?: string;
  readonly name: string;
}

/** Rows of milestones that a new process begins with. */
const rowsOfNew = 3;

/** The most rows of a form: one more than a process can have, so that it is refused with a reason. */
const mostRows = counts.activityTypes + 1;

/** Returns how many rows of milestones the form has. */
export function countSent(form: FormData): number {
  let rows = 0;
  while (rows < mostRows && form.has(`milestones.${rows}.name`)) rows++;
  return rows;
}

/** Returns how many rows the form that was sent has, and one more when that was asked. */
function countRows({ form, forms }: Visit, stored: number): number {
  if (!forms.refused) return stored;
  return Math.min(mostRows, countSent(form) + (form.has("add") ? 1 : 0));
}

function ProcessForm({ visit, action, process, mayChange, version, name }: Props) {
  const { texts: { admin: texts }, forms } = visit;
  const milestones = process?.activity_types.milestones ?? [];
  const rows = countRows(visit, process ? milestones.length : rowsOfNew);
  const paths = listMilestonePaths(visit, rows);
  return (
    <FormOrFields
      mayChange={mayChange}
      forms={forms}
      action={action}
      name={name}
      class="sheet"
      version={version}
      buttons={<MilestoneButtons visit={visit} name={name} />}
    >
      <TextField forms={forms} action={action} name="name" label={texts.name} value={process?.name} />
      <div class="milestone heads" aria-hidden="true">
        <span>{texts.milestoneHeads.name}</span>
        <span>{texts.milestoneHeads.chance}</span>
        <span>{texts.milestoneHeads.then}</span>
      </div>
      {Array.from(
        { length: rows },
        (_, index) => (
          <Milestone
            key={index}
            visit={visit}
            action={action}
            index={index}
            row={paths[index] ?? null}
            stored={milestones[index] ?? null}
          />
        ),
      )}
    </FormOrFields>
  );
}

function MilestoneButtons({ visit: { texts: { admin: texts } }, name }: { visit: Visit; name: string }) {
  return (
    <>
      <p class="hint">{texts.milestoneHint}</p>
      <div class="line">
        <Button>{name}</Button>
        <button type="submit" class="quiet" name="add" value="milestone" formnovalidate>
          {texts.addMilestone}
        </button>
      </div>
    </>
  );
}

const milestonesPath = "activity_types.milestones";

/** Returns whether a row of milestones has a name: the others are left out of the body. */
export function isNamed(form: FormData, index: number): boolean {
  const name = form.get(`milestones.${index}.name`);
  return typeof name === "string" && name.trim() !== "";
}

/** Returns the path of each row in the body that was sent; null for one that was left out. */
function listMilestonePaths({ forms: { refused } }: Visit, rows: number): (string | null)[] {
  if (!refused) return [];
  let sent = 0;
  return Array.from(
    { length: rows },
    (_, row) => isNamed(refused.form, row) ? `${milestonesPath}[${sent++}]` : null,
  );
}

function Milestone({ visit, action, index, row, stored }: {
  readonly visit: Visit;
  readonly action: string;
  readonly index: number;
  /** Where it is in the body that was sent; null for nowhere. */
  readonly row: string | null;
  readonly stored: MilestoneRecord | null;
}) {
  const { texts: { admin: texts, cases }, forms } = visit;
  const of = (member: string) => ({
    forms,
    action,
    name: `milestones.${index}.${member}`,
    path: row === null ? [] : [`${row}.${member}`],
  });
  const name = of("name");
  // The first name also stands for the whole list, and each for what has no field of its own.
  const more = [...row === null ? [] : [row, `${row}.id`], ...index === 0 ? [milestonesPath] : []];
  return (
    <div class="milestone">
      {stored ? <input type="hidden" name={`milestones.${index}.id`} value={stored.id} /> : null}
      <TextField
        {...name}
        path={[...name.path, ...more]}
        label={texts.milestoneName(index + 1)}
        value={stored?.name}
      />
      <TextField
        {...of("chance_of_success")}
        type="number"
        label={texts.milestoneChance(index + 1)}
        value={stored?.chance_of_success == null ? null : String(stored.chance_of_success)}
      />
      <SelectField
        {...of("set_status")}
        label={texts.milestoneThen(index + 1)}
        value={stored?.set_status}
        choices={[
          { value: "", text: texts.nothingThen },
          ...["open", "closed", "declined"].map((value) => ({ value, text: cases.statuses[value]! })),
        ]}
      />
    </div>
  );
}
