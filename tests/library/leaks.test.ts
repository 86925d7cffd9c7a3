/** Files by each way to see them, callers of each kind, and calls: the service answers as the model says. */
import assert from "node:assert/strict";
import { makeToken } from "../../src/core/ids.ts";
import type { Right } from "../../src/core/rights.ts";
import { type Actor, startApp } from "../support/app.ts";
import { takeSample } from "../support/sample.ts";
import { makeSales } from "../sales/leads_world.ts";
import {
  type Groups,
  type Item,
  mayChange,
  mayRead,
  mayWrite,
  type Person,
  readsRoot,
} from "./leak_model.ts";
import { attachRow, fileRow, folderRow } from "./library_world.ts";

type Type = "account" | "contact" | "case" | "lead";
type Way = Omit<Item, "company" | "owner"> & {
  readonly what: string;
  readonly attached?: readonly [type: Type, id: string];
  readonly isInFolder?: boolean;
};

Deno.test("a file is read, linked, shared, replaced, attached, moved and deleted exactly as the rules allow", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
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
  const rights: Right[] = ["files.publish"];
  const user = async (name: string, type: Person["type"], teams: number[]) =>
    add(name, await company.user({ type, teams, rights }), type, teams);
  const owner = await company.user({ teams: [far], rights });
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

  const create = async (at: string, body: object): Promise<string> => {
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
  for (const owning of [team, null]) {
    const account = await create("/v1/accounts", {
      team_id: owning,
      ...fields("name"),
    });
    const contact = await create(
      `/v1/accounts/${account}/contacts`,
      fields("last_name"),
    );
    const sale = await create("/v1/cases", {
      contact_id: contact,
      relations_path_id: path,
      team_id: owning,
    });
    const record = { team: owning };
    const attached: [Type, string][] = [["account", account], [
      "contact",
      contact,
    ], ["case", sale]];
    for (const each of attached) {
      ways.push({
        what: `${each[0]} of ${owning}`,
        attached: each,
        records: [record],
      });
    }
    const lead = await sales.lead({ team_id: owning });
    ways.push({
      what: `lead of ${owning}`,
      attached: ["lead", lead.id],
      records: [{ ...record, isLead: true }],
    });
    const root = { belongs_to: "user", id: owner.id } as const;
    ways.push({
      what: `own folder, account of ${owning}`,
      root,
      attached: attached[0]!,
      records: [record],
    });
  }

  const shared = await create("/v1/accounts", {
    team_id: null,
    ...fields("name"),
  });

  const wrong: string[] = [];
  for (const { what, attached, isInFolder, ...way } of takeSample(ways)) {
    const item: Item = { ...way, company: company.id, owner: owner.id };
    const { root } = item;
    const bare = { company_id: company.id, user_id: owner.id };
    const atRoot = root ? { belongs_to: root.belongs_to, belongs_to_id: root.id } : {};
    const folder_id = isInFolder ? await folderRow(app, { ...bare, ...atRoot }) : null;
    const place = folder_id ? { folder_id } : atRoot;
    for (const [name, actor, person] of people) {
      const isReader = mayRead(person, item, groups);
      const isEditor = mayChange(person, item, groups);
      const expectChange = (status: number) => isEditor ? status : isReader ? 403 : 404;
      const secret = makeToken();
      const newFile = async () => {
        const id = await fileRow(app, {
          ...bare,
          ...place,
          public: item.isPublic ? 1 : 0,
          permissions: [...item.permissions ?? []],
        });
        if (!attached) return id;
        const [entity_type, entity_id] = attached;
        await attachRow(app, {
          entity_type,
          entity_id,
          file_id: id,
          company_id: company.id,
        });
        return id;
      };
      const id = await newFile();
      const picture_key = `pictures/files/${id}-${secret}`;
      await app.deps.db.write([{
        sql: "update files set picture_key = ? where id = ?",
        args: [picture_key, id],
      }]);
      const at = `/v1/files/${id}`;
      const call = async (
        method: string,
        path: string,
        body?: object,
        headers?: Record<string, string>,
      ) => {
        const reply = await actor.call(method, path, body, headers);
        // A second publication returns the address again.
        if (
          reply.text.includes(secret) &&
          !(isEditor && path.endsWith("/pictures"))
        ) {
          wrong.push(
            `${what}: ${name} ${method} ${path} shows the address of the picture`,
          );
        }
        return reply.status;
      };
      const stale = { "If-Match": '"another version"' };
      const answers: Record<string, [actual: number, expected: number]> = {
        read: [await call("GET", at), isReader ? 200 : 404],
        link: [await call("GET", `${at}/download`), isReader ? 303 : 404],
        share: [
          await call("PUT", at, { permissions: [], public: true }, stale),
          expectChange(412),
        ],
        replace: [
          await call("PUT", `${at}/replace`, { data: "" }, stale),
          expectChange(412),
        ],
        publish: [
          await call("POST", "/v1/filemanager/pictures", { file_id: id }),
          isEditor ? 201 : isReader ? 403 : 422,
        ],
        withdraw: [
          await call(
            "DELETE",
            `/v1/filemanager/pictures/${id}`,
            undefined,
            stale,
          ),
          expectChange(412),
        ],
      };
      if (root) {
        const isInside = person.company === company.id &&
          readsRoot(person, root, groups);
        const isWriter = isInside && mayWrite(person, root, groups);
        const files = `/v1/folders/${folder_id ?? `${root.belongs_to}:${root.id}`}/files`;
        const own = await fileRow(app, {
          company_id: actor.companyId,
          user_id: actor.id,
        });
        const managed = `/v1/filemanager/files/${id}`;
        const { belongs_to } = root;
        const stay = { name: "moved", belongs_to, folder_id };
        answers.linkManaged = [
          await call("GET", managed),
          isReader ? 303 : 404,
        ];
        answers.move = [await call("PUT", managed, stay, stale), expectChange(412)];
        answers.deleteManaged = [
          await call("DELETE", managed, undefined, stale),
          expectChange(412),
        ];
        answers.batch = [
          await call("DELETE", "/v1/filemanager/files/batch", {
            files: [await newFile()],
          }),
          isEditor ? 204 : 404,
        ];
        const written = isWriter ? 204 : isInside ? 403 : 404;
        const changedPlace = isWriter ? 412 : isInside ? 403 : 404;
        if (folder_id) {
          const folder = `/v1/filemanager/folders/${folder_id}`;
          answers.readFolder = [await call("GET", folder), isInside ? 200 : 404];
          answers.moveFolder = [await call("PUT", folder, stay, stale), changedPlace];
          answers.deleteFolder = [await call("DELETE", folder, undefined, stale), changedPlace];
        } else {
          const roots = await actor.call("GET", "/v1/filemanager");
          answers.roots = [roots.text.includes(id) ? 200 : 404, isInside ? 200 : 404];
        }
        answers.list = [await call("GET", files), isInside ? 200 : 404];
        answers.readThere = [
          await call("GET", `${files}/${id}`),
          isInside ? 200 : 404,
        ];
        answers.linkThere = [
          await call("GET", `${files}/${id}/download`),
          isInside ? 303 : 404,
        ];
        answers.put = [await call("POST", files, { file_ids: [own] }), written];
        answers.takeOut = [
          await call("DELETE", files, { file_ids: [own] }),
          written,
        ];
      }
      const toShared = `/v1/accounts/${shared}/files`;
      const isStranger = person.company !== company.id;
      answers.attach = [
        await call("POST", toShared, { file_ids: [id] }),
        isStranger ? 404 : isReader ? 204 : 422,
      ];
      answers.detach = [
        await call("DELETE", toShared, { file_ids: [id] }),
        isStranger ? 404 : 204,
      ];
      // The last call, because it changes in which ways the file is visible.
      answers.take = [
        await call("POST", `/v1/folders/user:${actor.id}/files`, {
          file_ids: [id],
        }),
        isEditor ? 204 : isReader ? 403 : 422,
      ];
      answers.delete = [await call("DELETE", at), expectChange(204)];
      for (const [verb, [actual, expected]] of Object.entries(answers)) {
        if (actual !== expected) {
          wrong.push(`${what}: ${name} ${verb} ${actual}, not ${expected}`);
        }
      }
    }
  }
  assert.deepEqual(wrong, []);
});
