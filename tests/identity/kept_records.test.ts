/**
 * What belongs to a deleted team or group goes to the successor, else to its maker and the admins alone: each kind of
 * record × each caller × list, count, search, get, change and use.
 */
import assert from "node:assert/strict";
import type { Right } from "../../src/core/rights.ts";
import { type Actor, type Body, startApp, type TestCompany } from "../support/app.ts";
import { makeFolder, upload } from "../library/manager_world.ts";

interface Kind {
  readonly path: string;
  readonly body: object;
  readonly change: object;
  /** It has a team by `team_id`, a group by `group_id`, or its maker's active team. */
  readonly owners: readonly ("team" | "group" | "active")[];
  readonly search?: string;
  /** It names a relations path of the company. */
  readonly hasPath?: boolean;
}

const message = { sender: "Shop", subject: "Hi", content: "<p>Hi</p>" };
const kinds: readonly Kind[] = [
  {
    path: "/v1/templates",
    body: { type: "email", title: "Kept words", content: "<p>Hi</p>" },
    change: { title: "Renamed words" },
    owners: ["team", "group"],
    search: "words",
  },
  {
    path: "/v1/campaigns",
    body: { type: "email", name: "Kept words", approved: false, message },
    change: { name: "Renamed words" },
    owners: ["team", "group"],
    search: "words",
  },
  {
    path: "/v1/automated-communications",
    body: {
      name: "Kept",
      communications: [{
        name: "First",
        delay: { days: 1, offset_from_midnight: 0 },
        subject: "Hi",
        content: "<p>Hi</p>",
      }],
    },
    change: { name: "Renamed" },
    owners: ["team", "group"],
  },
  {
    path: "/v1/reports/indicator-sets",
    body: { name: "Kept", indicators: ["leads.created"] },
    change: { name: "Renamed" },
    owners: ["team", "group"],
  },
  {
    path: "/v1/gamification/ranks",
    body: { name: "Kept", icon: "star", rule: "emails_sent" },
    change: { name: "Renamed" },
    owners: ["team"],
  },
  {
    path: "/v1/relations-paths",
    body: { name: "Kept", activity_types: { milestones: [{ name: "Offer" }] } },
    change: { name: "Renamed" },
    owners: ["team", "group"],
  },
  {
    path: "/v1/lead-types",
    hasPath: true,
    body: { name: "Kept" },
    change: { name: "Renamed" },
    owners: ["team"],
  },
  {
    path: "/v1/contacts/filters",
    body: { name: "Kept", filter: [] },
    change: { name: "New" },
    owners: ["active"],
  },
];

const rights: Right[] = [
  "campaigns.manage",
  "automations.manage",
  "ranks.manage",
  "reports.view",
];

async function makePeople(company: TestCompany) {
  const group = await company.group();
  const team = await company.team({ name: "Left", group_id: group });
  const [mates, others] = [await company.team({ group_id: group }), await company.team()];
  const user = (teams: number[]) => company.user({ type: "group_admin", teams, rights });
  return {
    group,
    team,
    others,
    maker: await user([team]),
    admin: company.admin,
    colleague: await user([team]),
    mate: await user([mates]),
    other: await user([others]),
  };
}

/** Whether the caller gets the record, finds it in the list and its number, and by search. All must agree. */
async function sees(by: Actor, { path, search }: Kind, id: unknown): Promise<boolean> {
  const { status, body, headers } = await by.call("GET", `${path}/${id}`);
  const { data, pagination } = (await by.call("GET", path)).body;
  const isListed = data.some((one: Body) => one.id === id);
  const found = search ? (await by.call("GET", `${path}?search=${search}`)).body.data : data;
  const facts = [status === 200, isListed, pagination.total > 0, found.some((one: Body) => one.id === id)];
  assert.equal(new Set(facts).size, 1, `${path} ${JSON.stringify(facts)}`);
  if (status !== 200) assert.equal(status, 404);
  else {
    const again = await by.call("PUT", `${path}/${id}`, body);
    if (again.status === 200) {
      assert.equal(again.headers.get("etag"), headers.get("etag"), `${path}: its own answer changes nothing`);
    }
  }
  return facts[0]!;
}

async function withPath(admin: Actor, kind: Kind): Promise<Kind> {
  if (!kind.hasPath) return kind;
  const milestones = [{ name: "Offer" }];
  const path = await admin.call("POST", "/v1/relations-paths", {
    name: "All",
    activity_types: { milestones },
  });
  return { ...kind, body: { ...kind.body, relations_path_ids: [path.body.id] } };
}

for (const each of kinds) {
  for (const owner of each.owners) {
    Deno.test(`${each.path} of a deleted ${owner === "group" ? "group" : "team"} are their maker's and the admins', else the successor's`, async () => {
      await using app = await startApp();
      for (const hasSuccessor of owner === "group" ? [false] : [false, true]) {
        const company = await app.company();
        await company.admin.call("PUT", "/v1/campaigns/settings", { domain_slug: `kept-${company.id}` });
        await company.admin.call("PUT", `/v1/companies/${company.id}/settings`, {
          teams_can_create_relations_paths: true,
          groups_can_create_relations_paths: true,
        });
        const { group, team, others, ...people } = await makePeople(company);
        const kind = await withPath(company.admin, each);
        const { admin, maker, colleague, mate, other } = people;
        const given = owner === "team" ? { team_id: team } : owner === "group" ? { group_id: group } : {};
        const made = await maker.call("POST", kind.path, { ...kind.body, ...given });
        assert.ok(made.status < 300, made.text);
        const { id } = made.body;
        assert.deepEqual([await sees(mate, kind, id), await sees(other, kind, id)], [true, false]);

        const gone = owner === "group" ? `groups/${group}` : `teams/${team}`;
        const query = hasSuccessor ? `?assign_to=${others}` : "";
        const removed = await admin.call("DELETE", `/v1/${gone}${query}`);
        assert.ok(removed.status < 300, removed.text);
        await app.idle();
        const seeing = [];
        for (const by of [admin, maker, colleague, mate, other]) seeing.push(await sees(by, kind, id));
        assert.deepEqual(seeing, [true, !hasSuccessor, false, false, hasSuccessor]);

        const writer = hasSuccessor ? other : maker;
        for (const by of [maker, colleague, mate, other]) {
          const { status } = await by.call("PUT", `${kind.path}/${id}`, kind.change);
          assert.equal(status, by === writer ? 200 : 404);
          if (kind.path !== "/v1/templates") continue;
          const used = await by.call("POST", "/v1/campaigns", {
            type: "email",
            name: "Uses it",
            approved: false,
            team_id: null,
            group_id: null,
            template_id: id,
            message,
          });
          assert.ok(by === writer ? used.status !== 422 : used.status !== 201, used.text);
        }
        assert.equal((await writer.call("DELETE", `${kind.path}/${id}`)).status, 204);
        assert.equal(await sees(writer, kind, id), false);
      }
    });
  }
}

Deno.test("folders of a deleted team become own ones of the user who deletes it; other files their owner's and the admins'", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { team, maker, colleague, mate, other } = await makePeople(company);
  const { admin } = company;
  const second = await company.user({ type: "admin" });
  const folder = await makeFolder(admin, "Offers", { belongs_to: "team", team_id: team });
  const file = await upload(maker, "team");
  assert.equal((await colleague.call("GET", `/v1/files/${file.id}`)).status, 200);
  assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  await app.idle();
  for (
    const [by, status] of [[maker, 200], [admin, 200], [second, 200], [colleague, 404], [mate, 404]] as const
  ) {
    assert.equal((await by.call("GET", `/v1/files/${file.id}`)).status, status);
  }
  const isShown = async (by: Actor) => (await by.call("GET", "/v1/filemanager")).text.includes(folder.id);
  assert.ok(await isShown(admin));
  for (const by of [second, maker, colleague, mate, other]) assert.equal(await isShown(by), false);
});
