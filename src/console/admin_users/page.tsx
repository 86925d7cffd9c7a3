/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The users of the company, and who is invited. */
import { Button, Form } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { requireAdmin } from "../parts/administration.ts";
import { FindForm } from "../parts/find.tsx";
import { Links } from "../parts/links.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Day, Email } from "../parts/values.tsx";
import { What } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import { type InvitationRecord, readUsers, type UserRecord } from "./load.ts";

export const usersPage: Page = { path: "/app/admin/users", section: "administration", show };

async function show(visit: Visit): Promise<View> {
  requireAdmin(visit);
  const { users, invitations, ignored } = await readUsers(visit);
  const { admin: texts } = visit.texts;
  return {
    title: texts.pages.users,
    body: (
      <>
        <Ignored visit={visit} names={ignored} />
        <Links
          links={[
            { href: "/app/admin/users/new", text: texts.newUser, isMain: true },
            { href: "/app/admin/users/invite", text: texts.invite },
          ]}
        />
        <FindForm visit={visit} action="/app/admin/users" kept={{}} choices={[]} />
        <List
          of="users"
          total={users.pagination.total}
          empty={texts.noUsers}
          action={{ href: "/app/admin/users/new", text: texts.newUser }}
        >
          {users.data.map((user) => <UserRow key={user.id} visit={visit} user={user} />)}
        </List>
        <Pages visit={visit} pagination={users.pagination} />
        <section aria-labelledby="invitations">
          <h2 id="invitations">{texts.invitations}</h2>
          <List
            of="invitations"
            total={invitations.pagination.total}
            empty={texts.noInvitations}
            action={{ href: "/app/admin/users/invite", text: texts.invite }}
          >
            {invitations.data.map((one) => <InvitationRow key={one.id} visit={visit} invitation={one} />)}
          </List>
          <Pages visit={visit} pagination={invitations.pagination} of="invitations" />
        </section>
      </>
    ),
  };
}

function UserRow({ visit, user }: { visit: Visit; user: UserRecord }) {
  const { texts } = visit;
  return (
    <li data-entity="user" data-id={String(user.id)} id={`user-${user.id}`}>
      <What
        href={`/app/admin/users/${user.id}`}
        name={`${user.first_name} ${user.last_name}`}
        about={[user.teams.map(({ name }) => name).join(", ") || texts.admin.noTeam]}
      />
      <span class="badge">{texts.admin.userTypes[user.user_type.name] ?? user.user_type.name}</span>
      <Email address={user.email} />
    </li>
  );
}

function InvitationRow({ visit, invitation }: { visit: Visit; invitation: InvitationRecord }) {
  const { texts: { admin: texts }, forms } = visit;
  const { id, email, expires_at } = invitation;
  return (
    <li data-entity="invitation" data-id={String(id)} id={`invitation-${id}`}>
      <div class="what">
        <Email address={email} />
        <span class="sub">
          {texts.until} <Day visit={visit} at={expires_at} />
        </span>
      </div>
      <Form forms={forms} action={`/app/admin/invitations/${id}/send`}>
        <Button kind="quiet" label={`${texts.sendAgain} ${email}`}>{texts.sendAgain}</Button>
      </Form>
      <Form forms={forms} action={`/app/admin/invitations/${id}/withdraw`}>
        <Button kind="quiet" label={`${texts.withdraw} ${email}`}>{texts.withdraw}</Button>
      </Form>
    </li>
  );
}
