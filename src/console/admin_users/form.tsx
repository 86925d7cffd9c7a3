/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The forms of users: a new one, an invitation, the change of one, and the question before one is deleted. */
import { userTypes } from "../../core/rights.ts";
import { Button, CheckboxGroup, type Choice, Form, SelectField, TextField } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { mayChangeUser, requireAdmin } from "../parts/administration.ts";
import { addPresent, type Offer, offerWithout, offerWithPresent, readPeople } from "../parts/choices.ts";
import { FormOrFields } from "../parts/form_or_fields.tsx";
import { Links } from "../parts/links.tsx";
import { OfferedField, OfferedGroup } from "../parts/choice_fields.tsx";
import type { Visit } from "../visit.ts";
import { makeCompanyParams, readMemberships, type UserRecord } from "./load.ts";

const section = "administration";
export const newUserPage: Page = { path: "/app/admin/users/new", section, show: showNew };
export const invitePage: Page = { path: "/app/admin/users/invite", section, show: showInvite };
export const userPage: Page = { path: "/app/admin/users/:user_id", section, show: showUser };
export const deleteUserPage: Page = { path: "/app/admin/users/:user_id/delete", section, show: showDelete };

async function showNew(visit: Visit): Promise<View> {
  requireAdmin(visit);
  const { texts: { admin: texts } } = visit;
  const { teams, roles } = await readMemberships(visit);
  return {
    title: texts.newUser,
    body: (
      <UserForm
        visit={visit}
        action={newUserPage.path}
        user={null}
        teams={teams}
        roles={roles}
        name={texts.createUser}
      />
    ),
  };
}

async function showUser(visit: Visit): Promise<View> {
  requireAdmin(visit);
  const { texts, params, record: read } = visit;
  const [{ record, version }, { teams, roles }] = await Promise.all([
    read<UserRecord>("getUser", { params: { ...makeCompanyParams(visit), user_id: params.user_id! } }),
    readMemberships(visit),
  ]);
  const address = `/app/admin/users/${record.id}`;
  const isAdmin = visit.person.known.caller!.userType === "admin";
  return {
    title: `${record.first_name} ${record.last_name}`,
    body: (
      <article>
        <UserForm
          visit={visit}
          action={address}
          user={record}
          version={version}
          teams={offerWithPresent(teams, record.teams)}
          roles={addPresent(roles, record.roles)}
          name={texts.customers.save}
        />
        <Links
          links={[isAdmin && { href: `${address}/delete`, text: texts.customers.delete, isRare: true }]}
        />
      </article>
    ),
  };
}

interface Props {
  readonly visit: Visit;
  readonly action: string;
  readonly user: UserRecord | null;
  readonly version?: string;
  readonly teams: Offer;
  readonly roles: readonly Choice[];
  readonly name: string;
}

function UserForm({ visit, action, user, version, teams, roles, name }: Props) {
  const { texts: { leads, setup, admin: texts }, forms } = visit;
  const mayChange = user === null || mayChangeUser(visit, user);
  const field = { forms, action };
  const types = Object.entries(userTypes).map(([name, id]) => ({
    value: String(id),
    text: texts.userTypes[name] ?? name,
  }));
  return (
    <FormOrFields
      mayChange={mayChange}
      forms={forms}
      action={action}
      name={name}
      class="sheet narrow"
      version={version}
    >
      <div class="fields">
        <TextField {...field} name="first_name" label={leads.firstName} value={user?.first_name} />
        <TextField {...field} name="last_name" label={leads.lastName} value={user?.last_name} />
        <TextField {...field} type="email" name="email" label={setup.email} value={user?.email} />
        {user ? null : (
          <TextField
            {...field}
            type="password"
            name="password"
            label={setup.password}
            hint={setup.passwordHint}
            autocomplete="new-password"
          />
        )}
        <SelectField
          {...field}
          name="user_type"
          path={["user_type", "user_type.id"]}
          label={texts.userType}
          value={String(user?.user_type.id ?? userTypes.user)}
          choices={types}
        />
      </div>
      <Memberships
        visit={visit}
        action={action}
        teams={teams}
        roles={roles}
        chosen={user}
      />
    </FormOrFields>
  );
}

function Memberships({ visit: { texts, forms }, action, teams, roles, chosen }: {
  readonly visit: Visit;
  readonly action: string;
  readonly teams: Offer;
  readonly roles: readonly Choice[];
  readonly chosen: UserRecord | null;
}) {
  const ids = (list: readonly { id: number }[] | undefined) => (list ?? []).map(({ id }) => String(id));
  return (
    <>
      {teams.choices.length === 0 && teams.find === null ? null : (
        <OfferedGroup
          forms={forms}
          action={action}
          name="team_ids"
          label={texts.admin.pages.teams}
          values={ids(chosen?.teams)}
          offer={teams}
        />
      )}
      {roles.length === 0 ? null : (
        <CheckboxGroup
          forms={forms}
          action={action}
          name="role_ids"
          label={texts.admin.roles}
          values={ids(chosen?.roles)}
          choices={roles}
        />
      )}
    </>
  );
}

async function showInvite(visit: Visit): Promise<View> {
  requireAdmin(visit);
  const { texts: { setup, admin: texts }, forms } = visit;
  const { teams, roles } = await readMemberships(visit);
  const action = invitePage.path;
  return {
    title: texts.invite,
    body: (
      <Form forms={forms} action={action} name={texts.sendInvitation} class="sheet narrow">
        <TextField forms={forms} action={action} type="email" name="email" label={setup.email} />
        <Memberships visit={visit} action={action} teams={teams} roles={roles} chosen={null} />
        <Button>{texts.sendInvitation}</Button>
      </Form>
    ),
  };
}

async function showDelete(visit: Visit): Promise<View> {
  requireAdmin(visit, "admin");
  const { call, params, texts, forms } = visit;
  const [user, people] = await Promise.all([
    call<UserRecord>("getUser", { params: { ...makeCompanyParams(visit), user_id: params.user_id! } }),
    readPeople(visit),
  ]);
  const action = `/app/admin/users/${user.id}/delete`;
  return {
    title: texts.deleting.of(`${user.first_name} ${user.last_name}`),
    body: (
      <Form forms={forms} action={action} name={texts.admin.deleteUser} class="sheet narrow">
        <p>{texts.admin.deletionOfUser}</p>
        <OfferedField
          forms={forms}
          action={action}
          name="assign_to"
          path={["assign_to", "query.assign_to"]}
          label={texts.admin.giveWorkTo}
          before={[{ value: "", text: texts.admin.nobody }]}
          offer={offerWithout(people, String(user.id))}
        />
        <Button kind="bad">{texts.admin.deleteUser}</Button>{" "}
        <a class="button quiet" href={`/app/admin/users/${user.id}`}>{texts.cancel}</a>
      </Form>
    ),
  };
}
