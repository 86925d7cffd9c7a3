/** Reads users and invitations, and the choices of their forms. */
import type { Choice } from "../forms.tsx";
import { makeChoice, type Offer, readAll, readTeams } from "../parts/choices.ts";
import type { PageOf } from "../parts/list.tsx";
import { forms, nameOfPage, readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

interface Named {
  readonly id: number;
  readonly name: string;
}

export interface UserRecord {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly user_type: { readonly id: number; readonly name: string };
  readonly teams: readonly (Named & { readonly group: Named | null })[];
  readonly roles: readonly Named[];
}

export interface InvitationRecord {
  readonly id: number;
  readonly email: string;
  readonly expires_at: string;
}

export const makeCompanyParams = ({ person }: Visit) => ({
  company_id: String(person.known.caller!.companyId),
});

export async function readUsers(visit: Visit) {
  const { call, query } = visit;
  const { values: { invitations_page = "1", ...values }, ignored } = readParameters(query, {
    search: forms.search,
    [nameOfPage("invitations")]: forms.page,
  });
  const params = makeCompanyParams(visit);
  const [users, invitations] = await Promise.all([
    call<PageOf<UserRecord>>("listUsers", { params, query: { ...values, per_page: "25" } }),
    call<PageOf<InvitationRecord>>("listInvitations", {
      params,
      query: { page: invitations_page, per_page: "25" },
    }),
  ]);
  return { users, invitations, ignored };
}

/** Returns the teams and the roles that a user can have. */
export async function readMemberships(visit: Visit): Promise<{ teams: Offer; roles: Choice[] }> {
  const [teams, roles] = await Promise.all([readTeams(visit), readAll<Named>(visit, "listRoles")]);
  return { teams, roles: roles.map(makeChoice) };
}
