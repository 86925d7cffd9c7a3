/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Teams: their list, and their forms. */
import { makeBody } from "../form_body.ts";
import { type Choice, SelectField, TextField } from "../forms.tsx";
import type { Action, Page, View } from "../page.ts";
import { isAdmin, mayChangeTeam, requireAdmin, requireAdministration } from "../parts/administration.ts";
import { FormOrFields } from "../parts/form_or_fields.tsx";
import { Links } from "../parts/links.tsx";
import { addPresent, makeChoice, type Named, readAll } from "../parts/choices.ts";
import type { PageOf } from "../parts/list.tsx";
import { NamedList } from "../parts/named_list.tsx";
import { readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

interface Team {
  readonly id: number;
  readonly name: string;
  readonly team_type: string | null;
  readonly group: { readonly id: number; readonly name: string } | null;
}

const section = "administration";
const path = "/app/admin/teams";
export const teamsPage: Page = { path, section, show: showAll };
export const newTeamPage: Page = { path: "/app/admin/teams/new", section, show: showNew };
export const teamPage: Page = { path: "/app/admin/teams/:team_id", section, show: showTeam };

function mayMake({ person }: Visit): boolean {
  return ["admin", "group_admin"].includes(person.known.caller!.userType);
}

async function showAll(visit: Visit): Promise<View> {
  requireAdministration(visit);
  const { call, query, texts: { admin: texts } } = visit;
  const { values, ignored } = readParameters(query, {});
  const { data, pagination } = await call<PageOf<Team>>("listTeams", {
    query: { ...values, per_page: "25" },
  });
  return {
    title: texts.pages.teams,
    body: (
      <NamedList
        visit={visit}
        path={path}
        of="teams"
        entity="team"
        entries={data.map(({ id, name, team_type, group }) => ({
          id,
          name,
          about: [team_type === "dealer" ? texts.dealer : null, group?.name].filter(Boolean).join(" · "),
        }))}
        pagination={pagination}
        ignored={ignored}
        empty={texts.noTeams}
        create={mayMake(visit) ? texts.newTeam : null}
      />
    ),
  };
}

async function readGroups(visit: Visit): Promise<Choice[]> {
  return (await readAll<Named>(visit, "listGroups")).map(makeChoice);
}

async function showNew(visit: Visit): Promise<View> {
  requireAdmin(visit, "admin", "group_admin");
  const { admin: texts } = visit.texts;
  const groups = await readGroups(visit);
  return {
    title: texts.newTeam,
    body: (
      <TeamForm
        visit={visit}
        action={newTeamPage.path}
        team={null}
        groups={groups}
        name={texts.createTeam}
      />
    ),
  };
}

async function showTeam(visit: Visit): Promise<View> {
  requireAdministration(visit);
  const { record: read, params, texts } = visit;
  const [{ record, version }, groups] = await Promise.all([
    read<Team>("getTeam", { params }),
    readGroups(visit),
  ]);
  return {
    title: record.name,
    body: (
      <article>
        <TeamForm
          visit={visit}
          action={`${path}/${record.id}`}
          team={record}
          version={version}
          groups={addPresent(groups, record.group ? [record.group] : [])}
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
  readonly team: Team | null;
  readonly version?: string;
  readonly groups: readonly Choice[];
  readonly name: string;
}

function TeamForm({ visit, action, team, version, groups, name }: Props) {
  const { texts, forms } = visit;
  const mayChange = team === null || mayChangeTeam(visit, team);
  const field = { forms, action };
  const without = { value: "", text: texts.none };
  return (
    <FormOrFields
      mayChange={mayChange}
      forms={forms}
      action={action}
      name={name}
      class="sheet narrow"
      version={version}
    >
      <TextField {...field} name="name" label={texts.admin.name} value={team?.name} />
      <SelectField
        {...field}
        name="team_type"
        label={texts.admin.type}
        value={team?.team_type}
        choices={[without, { value: "dealer", text: texts.admin.dealer }]}
      />
      {groups.length === 0 ? null : (
        <SelectField
          {...field}
          name="group_id"
          label={texts.admin.group}
          value={team?.group ? String(team.group.id) : null}
          choices={[without, ...groups]}
        />
      )}
    </FormOrFields>
  );
}

/** An empty choice clears; a form without the field leaves it. */
function readTeamForm(form: FormData) {
  const { name, team_type = null, group_id = null } = makeBody(form, {
    name: "needed",
    team_type: "text",
    group_id: "integer",
  });
  return { name, team_type, ...(form.has("group_id") ? { group_id } : {}) };
}

export const teamActions: readonly Action[] = [
  {
    path: newTeamPage.path,
    page: newTeamPage,
    async run({ change, form }) {
      const { id } = await change<{ id: number }>("createTeam", { body: readTeamForm(form) });
      return { to: `${path}/${id}`, message: { name: "teamCreated" } };
    },
  },
  {
    path: teamPage.path,
    page: teamPage,
    async run({ change, form, params }) {
      await change("updateTeam", { params, body: readTeamForm(form) });
      return { to: `${path}/${params.team_id}`, message: { name: "saved" } };
    },
  },
];
