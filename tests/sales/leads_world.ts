/** A company with a dealer team and an agency, for the tests of leads. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp, TestCompany } from "../support/app.ts";

export interface World {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly admin: Actor;
  /** A dealer team, and a member of it. */
  readonly dealer: number;
  readonly member: Actor;
  /** The agency's team, and a user of it with the right `agency`. */
  readonly agency: number;
  readonly agent: Actor;
  readonly path: string;
  readonly type: string;
  /** Creates a lead type with the same path. */
  leadType(more?: object): Promise<string>;
  /** The body of a lead, for the dealer team by default. */
  body(more?: object): Record<string, unknown>;
  /** Creates a lead and returns its record. */
  lead(more?: object): Promise<Body>;
  /** The number of events of the company. */
  events(): Promise<number>;
}

export const nameFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

export const readField = (record: { fixed_fields: { name: string; value: unknown }[] }, name: string) =>
  record.fixed_fields.find((field) => field.name === name)?.value;

/** `countdowns` of the lead type: one hour to accept and two to act by default. */
export async function makeSales(app: TestApp, countdowns: object = {}): Promise<World> {
  const company = await app.company();
  const { admin } = company;
  const dealer = await company.team({ name: "Dealer", team_type: "dealer" });
  const agency = await company.team({ name: "Agency" });
  const made = await admin.call("POST", "/v1/relations-paths", {
    name: "New cars",
    activity_types: {
      milestones: [{ name: "Offer", chance_of_success: 50 }, { name: "Order", set_status: "closed" }],
    },
  });
  assert.equal(made.status, 201, made.text);
  const path: string = made.body.id;
  const leadType = async (more: object = {}): Promise<string> => {
    const type = await admin.call("POST", "/v1/lead-types", {
      name: "Test drive",
      relations_path_ids: [path],
      escalation_accept: 60,
      escalation_activity: 120,
      ...more,
    });
    assert.equal(type.status, 201, type.text);
    return type.body.id;
  };
  const type = await leadType(countdowns);
  const body = (more: object = {}) => ({
    b2c: false,
    lead_source: "website",
    lead_type_id: type,
    team_id: dealer,
    agency_team_id: agency,
    account: { fixed_fields: nameFields({ name: "Ada Ltd", city: "London" }) },
    contact: {
      fixed_fields: nameFields({ first_name: "Ada", last_name: "Byron", email: "ada@example.org" }),
    },
    ...more,
  });
  return {
    app,
    company,
    admin,
    dealer,
    member: await company.user({ teams: [dealer] }),
    agency,
    agent: await company.user({ teams: [agency], rights: ["agency"] }),
    path,
    type,
    leadType,
    body,
    async lead(more) {
      const lead = await admin.call("POST", "/v1/leads", body(more));
      assert.equal(lead.status, 201, lead.text);
      return lead.body;
    },
    async events() {
      const [row] = await app.sql("select count(*) as n from outbox where company_id = ?", company.id);
      return Number(row!.n);
    },
  };
}
