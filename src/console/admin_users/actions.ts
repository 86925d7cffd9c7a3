/** What can be done with users and invitations. */
import { makeBody } from "../form_body.ts";
import type { Action } from "../page.ts";
import type { Visit } from "../visit.ts";
import { deleteUserPage, invitePage, newUserPage, userPage } from "./form.tsx";
import { makeCompanyParams } from "./load.ts";
import { usersPage } from "./page.tsx";

function readUserForm(form: FormData) {
  const { user_type, ...body } = makeBody(form, {
    first_name: "needed",
    last_name: "needed",
    email: "needed",
    password: "text",
    user_type: "integer",
    team_ids: "integers",
    role_ids: "integers",
  });
  return { ...body, ...(user_type === undefined ? {} : { user_type: { id: user_type } }) };
}

const makeUserParams = (visit: Visit) => ({ ...makeCompanyParams(visit), user_id: visit.params.user_id! });
const makeInvitationParams = (visit: Visit) => ({
  ...makeCompanyParams(visit),
  invitation_id: visit.params.invitation_id!,
});

export const userActions: readonly Action[] = [
  {
    path: newUserPage.path,
    page: newUserPage,
    async run(visit) {
      const body = readUserForm(visit.form);
      const { id } = await visit.change<{ id: number }>("createUser", {
        params: makeCompanyParams(visit),
        body,
      });
      return { to: `/app/admin/users/${id}`, message: { name: "userCreated" } };
    },
  },
  {
    path: invitePage.path,
    page: invitePage,
    async run(visit) {
      const body = makeBody(visit.form, { email: "text", team_ids: "integers", role_ids: "integers" });
      await visit.change("createInvitation", { params: makeCompanyParams(visit), body });
      return { to: usersPage.path, message: { name: "invitationSent" } };
    },
  },
  {
    path: "/app/admin/invitations/:invitation_id/send",
    page: usersPage,
    async run(visit) {
      await visit.change("resendInvitation", { params: makeInvitationParams(visit) });
      return { to: usersPage.path, message: { name: "invitationSent" } };
    },
  },
  {
    path: "/app/admin/invitations/:invitation_id/withdraw",
    page: usersPage,
    async run(visit) {
      await visit.change("withdrawInvitation", { params: makeInvitationParams(visit) });
      return { to: usersPage.path, message: { name: "withdrawn" } };
    },
  },
  {
    path: userPage.path,
    page: userPage,
    async run(visit) {
      const params = makeUserParams(visit);
      await visit.change("updateUser", { params, body: readUserForm(visit.form) });
      return { to: `/app/admin/users/${params.user_id}`, message: { name: "saved" } };
    },
  },
  {
    path: deleteUserPage.path,
    page: deleteUserPage,
    async run(visit) {
      const assign_to = visit.form.get("assign_to");
      const query: Record<string, string> = assign_to ? { assign_to: String(assign_to) } : {};
      await visit.change("deleteUser", { params: makeUserParams(visit), query });
      return { to: usersPage.path, message: { name: "userDeleted" } };
    },
  },
];
