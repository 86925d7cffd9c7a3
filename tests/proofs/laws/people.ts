/** Seven users of every type in two companies, each with a subscription to all events. */
import assert from "node:assert/strict";
import type { Actor, TestApp, TestCompany } from "../../support/app.ts";
import { newPath, type Path } from "../../sales/parts.ts";
import type { Target } from "../../support/listener.ts";

export interface Person {
  readonly name: string;
  readonly actor: Actor;
  readonly company: Company;
  readonly type: "admin" | "group_admin" | "team_admin" | "user";
  /** True with the right `agency`. */
  readonly agency: boolean;
  readonly hook: { readonly id: number; readonly path: string; paused: boolean };
}

export interface Company {
  readonly test: TestCompany;
  readonly path: Path;
  /** Escalates an hour after its assignment and two hours after its acceptance. */
  readonly leadType: string;
  readonly group: number;
  /** Two teams of the group, one team outside of it, and the team of the agency. */
  readonly teams: readonly [north: number, south: number, far: number, agency: number];
  readonly people: Person[];
}

const rights = ["customers.delete", "leads.delete", "products.manage", "webhooks.manage"] as const;
let hooks = 0;

export async function newCompanies(app: TestApp, target: Target): Promise<Company[]> {
  const first = await newCompany(app);
  const [north, south, far, agency] = first.teams;
  const add = async (
    name: string,
    company: Company,
    actor: Actor,
    type: Person["type"],
    isAgency = false,
  ) => {
    const hook = `/${++hooks}`;
    const target_url = target.url + hook;
    const made = await actor.call("POST", "/v1/webhooks", { target_url, webhook_event: "*" });
    assert.equal(made.status, 201, made.text);
    const paused = hooks % 7 !== 1;
    if (paused) await actor.call("PUT", `/v1/webhooks/${made.body.id}`, { paused });
    company.people.push({
      name,
      actor,
      company,
      type,
      agency: isAgency,
      hook: { id: made.body.id, path: hook, paused },
    });
  };
  const user = (company: Company, type: Person["type"], teams: number[], more: "agency"[] = []) =>
    company.test.user({ type, teams, rights: [...rights, ...more] });
  await add("admin", first, first.test.admin, "admin");
  await add("group admin", first, await user(first, "group_admin", [north]), "group_admin");
  await add("team admin", first, await user(first, "team_admin", [south]), "team_admin");
  await add("user", first, await user(first, "user", [far]), "user");
  await add("agent", first, await user(first, "user", [agency], ["agency"]), "user", true);
  const second = await newCompany(app);
  await add("other admin", second, second.test.admin, "admin");
  await add("other user", second, await user(second, "user", [second.teams[0]]), "user");
  return [first, second];
}

async function newCompany(app: TestApp): Promise<Company> {
  const test = await app.company();
  const group = await test.group();
  const dealer = { team_type: "dealer" as const };
  const path = await newPath(test.admin);
  const type = await test.admin.call("POST", "/v1/lead-types", {
    name: "Drive",
    relations_path_ids: [path.id],
    escalation_accept: 60,
    escalation_activity: 120,
  });
  assert.equal(type.status, 201, type.text);
  return {
    test,
    path,
    leadType: type.body.id,
    group,
    teams: [
      await test.team({ ...dealer, name: "North", group_id: group }),
      await test.team({ ...dealer, name: "South", group_id: group }),
      await test.team({ ...dealer, name: "Far" }),
      await test.team({ name: "Agency" }),
    ],
    people: [],
  };
}
