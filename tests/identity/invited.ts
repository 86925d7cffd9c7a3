/** Invited people, and their users. */
import assert from "node:assert/strict";
import type { Reply, TestApp, TestCompany } from "../support/app.ts";

/** Charles's request to become a user. */
export const makePerson = (more: object = {}) => ({
  email: "charles@example.org",
  first_name: "Charles",
  last_name: "Babbage",
  password: "ten chars!",
  ...more,
});

/** Invites as the company's admin. */
export async function invite(
  { admin, id }: TestCompany,
  body: object,
): Promise<{ readonly id: number; readonly token: string }> {
  const made = await admin.call("POST", `/v1/companies/${id}/invitations`, body);
  assert.equal(made.status, 201, made.text);
  return { id: made.body.id, token: made.body.invite_token };
}

/** A new company whose admin has invited Charles. */
export async function inviteCharles(app: TestApp, name?: string) {
  const company = await app.company(name);
  return { company, ...await invite(company, { email: "charles@example.org" }) };
}

/** Accepts the invitation by a trusted client. */
export async function acceptAsGuest(
  app: TestApp,
  companyId: number,
  token: string,
  body: object = makePerson(),
): Promise<Reply> {
  return await app.call(await app.trustedClient(), "POST", `/v1/companies/${companyId}/users/${token}`, body);
}

let count = 0;

/** A new role with these rights. */
export async function makeRole(app: TestApp, companyId: number, ...rights: string[]): Promise<number> {
  const at = "2026-01-01 00:00:00";
  const [result] = await app.deps.db.write([{
    sql: "insert into roles (company_id, name, created_at, updated_at) values (?, ?, ?, ?) returning id",
    args: [companyId, `Invited ${++count}`, at, at],
  }]);
  const id = result!.rows[0]!.id as number;
  await app.deps.db.write(
    rights.map((right) => ({
      sql: "insert into role_rights (role_id, right_name) values (?, ?)",
      args: [id, right],
    })),
  );
  return id;
}
