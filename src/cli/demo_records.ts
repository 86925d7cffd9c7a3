/** Gives the demo company saved views, an export, a merge, a contact that is there twice, and its admin a dealer's team. */
import type { Call } from "./demo_call.ts";
import { waitForEnd } from "./demo_end.ts";

interface Found<T> {
  readonly data: readonly T[];
}

interface User {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly job_title: string | null;
  readonly phone_number: string | null;
  readonly locale: { readonly code: string };
  readonly timezone: { readonly name: string };
  readonly user_type: { readonly id: number };
  readonly teams: readonly { readonly id: number }[];
}

interface Contact {
  readonly id: string;
  readonly account: { readonly id: string };
}

/** `call` acts for an admin, after the demo's import. `users`: addresses of the admin, the agency and a dealer. */
export async function addDemoRecords(call: Call, users: readonly string[]): Promise<void> {
  const [admin, , dealer] = users;
  await joinTeam(call, admin!, dealer!);
  await call("POST", "/v1/views", {
    name: "Customers with an open case",
    entity: "contact",
    scope: "company",
    filter: [
      { field: "contact.status", operator: "eq", value: "customer" },
      { field: "case.status", operator: "eq", value: "open" },
    ],
  });
  await call("POST", "/v1/views", {
    name: "Private people",
    entity: "account",
    scope: "company",
    filter: [{ field: "account.b2c", operator: "eq", value: true }],
  });
  const twice = await addAgain(call, "nora.lindqvist@example.org", {
    first_name: "Nora",
    last_name: "Lindquist",
    phone_number: "+49 30 5550199",
  });
  await call("POST", `/v1/contacts/${twice.known.id}/merge`, { from_id: twice.again.id });
  // Stays, so that there is a contact that may be merged.
  await addAgain(call, "oskar.nyberg@example.org", {
    first_name: "Oskar",
    last_name: "Nyberg",
    email: "oskar.nyberg@example.org",
  });
  const { id } = await call("POST", "/v1/exports", { entity: "contacts", format: "xlsx" }) as {
    readonly id: string;
  };
  await waitForEnd(call, `/v1/exports/${id}`);
}

/** Makes the admin a member of the dealer's team, so that the board and "My team's" leads have something to show. */
async function joinTeam(call: Call, admin: string, dealer: string): Promise<void> {
  const { company } = await call("GET", "/v1/me") as { readonly company: { readonly id: number } };
  const path = `/v1/companies/${company.id}/users`;
  const find = async (email: string) => {
    const { data } = await call("GET", `${path}?search=${encodeURIComponent(email)}`) as Found<User>;
    return data.find((user) => user.email === email)!;
  };
  const [own, colleague] = [await find(admin), await find(dealer)];
  const { id, first_name, last_name, job_title, phone_number, user_type, locale, timezone } = own;
  await call("PUT", `${path}/${id}`, {
    first_name,
    last_name,
    email: admin,
    job_title,
    phone_number,
    locale: { code: locale.code },
    timezone: { name: timezone.name },
    user_type: { id: user_type.id },
    team_ids: [...own.teams, ...colleague.teams].map((team) => team.id),
  });
}

/** Adds a contact to the account of the one with this address. */
async function addAgain(call: Call, email: string, fields: Readonly<Record<string, string>>) {
  const filter = [{ field: "b2b_contact.fixed_fields.email", operator: "eq", value: email }];
  const { data } = await call("POST", "/v1/contacts/filter", { filter }) as Found<Contact>;
  const [known] = data;
  const again = await call("POST", `/v1/accounts/${known!.account.id}/contacts`, {
    fixed_fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
  });
  return { known: known!, again: again as Contact };
}
