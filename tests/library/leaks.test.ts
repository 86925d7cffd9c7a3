/** Files by each way to see them, callers of each kind, and calls: the service answers as the model says. */
import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import { world } from "../sales/leads_world.ts";
import { changes, type Groups, type Item, type Person, reads } from "./leak_model.ts";
import { attachRow, fileRow, folderRow } from "./library_world.ts";

type Type = "account" | "contact" | "case" | "lead";
type Way = Omit<Item, "company" | "owner"> & {
  readonly what: string;
  readonly attached?: readonly [type: Type, id: string];
  readonly isInFolder?: boolean;
};

Deno.test("a file is read, linked, replaced and deleted exactly as the rules allow", async () => {
  await using app = await startApp();
  const sales = await world(app);
  const { company, admin, path } = sales;
  const [group, other] = [
    await company.group("One"),
    await company.group("Two"),
  ];
  const team = await company.team({ group_id: group, team_type: "dealer" });
  const near = await company.team({ group_id: group });
  const far = await company.team({ group_id: other });
  const groups: Groups = new Map([[team, group], [near, group], [far, other]]);
  const people: [string, Actor, Person][] = [];
  const add = (
    name: string,
    actor: Actor,
    type: Person["type"],
    teams: number[],
    of = company.id,
  ) => people.push([name, actor, { id: actor.id, company: of, type, teams }]);
  const user = async (name: string, type: Person["type"], teams: number[]) =>
    add(name, await company.user({ type, teams }), type, teams);
  const owner = await company.user({ teams: [far] });
  add("owner", owner, "user", [far]);
  add("admin", admin, "admin", []);
  await user("member", "user", [team]);
  await user("team_admin", "team_admin", [team]);
  await user("near", "user", [near]);
  await user("group_admin", "group_admin", [near]);
  await user("far", "user", [far]);
  await user("far_group_admin", "group_admin", [far]);
  add("stranger", (await app.company("Other")).admin, "admin", [], -1);
  const member = people[2]![1];

  const made = async (at: string, body: object): Promise<string> => {
    const reply = await admin.call("POST", at, body);
    assert.equal(reply.status, 201, `${at}: ${reply.text}`);
    return reply.body.id;
  };
  const fields = (name: string) => ({ fixed_fields: [{ name, value: "Old" }] });
  const ways: Way[] = [{ what: "bare" }, { what: "public", isPublic: true }];
  const permissions = [["company", company.id], ["group", group], [
    "team",
    team,
  ]] as const;
  for (const [type, value] of permissions) {
    ways.push({ what: `to a ${type}`, permissions: [{ type, value }] });
  }
  const roots = [...permissions, ["user", member.id]] as const;
  for (const [belongs_to, id] of roots) {
    for (const isInFolder of [false, true]) {
      ways.push({
        what: `${belongs_to}, folder ${isInFolder}`,
        root: { belongs_to, id },
        isInFolder,
      });
    }
  }
  for (const  of of[team, null]) {
    const account = await made("/v1/accounts", {
      team_id: of,
      ...fields("name"),
    });
    const contact = await made(
      `/v1/accounts/${account}/contacts`,
      fields("last_name"),
    );
    const sale = await made("/v1/cases", {
      contact_id: contact,
      relations_path_id: path,
      team_id: of,
    });
    const record = { team: of };
    const attached: [Type, string][] = [["account", account], [
      "contact",
      contact,
    ], ["case", sale]];
    for (const each of attached) {
      ways.push({
        what: `${each[0]} of ${of}`,
        attached: each,
        records: [record],
      });
    }
    const lead = await sales.lead({ team_id: of });
    ways.push({
      what: `lead of ${of}`,
      attached: ["lead", lead.id],
      records: [{ ...record, isLead: true }],
    });
    const root = { belongs_to: "user", id: owner.id } as const;
    ways.push({
      what: `own folder, account of ${of}`,
      root,
      attached: attached[0]!,
      records: [record],
    });
  }

  const wrong: string[] = [];
  for (const { what, attached, isInFolder, ...way } of ways) {
    const item: Item = { ...way, company: company.id, owner: owner.id };
    const bare = { company_id: company.id, user_id: owner.id };
    const root = item.root ? { belongs_to: item.root.belongs_to, belongs_to_id: item.root.id } : {};
    const place = isInFolder ? { folder_id: await folderRow(app, { ...bare, ...root }) } : root;
    for (const [name, actor, person] of people) {
      const may = {
        reads: reads(person, item, groups),
        changes: changes(person, item, groups),
      };
      const changed = (status: number) => may.changes ? status : may.reads ? 403 : 404;
      const file = async () => {
        const id = await fileRow(app, {
          ...bare,
          ...place,
          public: item.isPublic ? 1 : 0,
          permissions: [...item.permissions ?? []],
        });
        if (attached) {
          const [entity_type, entity_id] = attached;
          await attachRow(app, {
            entity_type,
            entity_id,
            file_id: id,
            company_id: company.id,
          });
        }
        return id;
      };
      const id = await file();
      const at = `/v1/files/${id}`;
      const stale = { "If-Match": '"another version"' };
      const answers = {
        read: [(await actor.call("GET", at)).status, may.reads ? 200 : 404],
        link: [
          (await actor.call("GET", `${at}/download`)).status,
          may.reads ? 303 : 404,
        ],
        replace: [
          (await actor.call("PUT", `${at}/replace`, { data: "" }, stale))
            .status,
          changed(412),
        ],
        delete: [(await actor.call("DELETE", at)).status, changed(204)],
      };
      for (const [call, [actual, expected]] of Object.entries(answers)) {
        if (actual !== expected) {
          wrong.push(`${what}: ${name} ${call} ${actual}, not ${expected}`);
        }
      }
    }
  }
  assert.deepEqual(wrong, []);
});
