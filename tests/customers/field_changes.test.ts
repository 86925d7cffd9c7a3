/** Who may change the definitions of fields, and what remains after a change, also a concurrent one. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { listFaults, nameValues, newAccount, newField, readCustom } from "./fields_world.ts";

const at = (id: string) => `/v1/fields/account/${id}`;
const label = { label: "Remark", type: "text" };

Deno.test("admins, group admins of its group and team admins of its team change a field; others who see it get 403", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const group = await company.group();
  const team = await company.team({ group_id: group });
  const by: Record<string, Actor> = {
    admin,
    group_admin: await company.user({ type: "group_admin", teams: [team] }),
    team_admin: await company.user({ type: "team_admin", teams: [team] }),
    user: await company.user({ teams: [team] }),
  };
  const allowed: [object, string[]][] = [
    [{}, ["admin"]],
    [{ group_id: group }, ["admin", "group_admin"]],
    [{ team_id: team }, ["admin", "group_admin", "team_admin"]],
  ];
  for (const [owner, may] of allowed) {
    const field = await newField(admin, { label: "Choice", type: "single_choice", ...owner });
    for (const [name, actor] of Object.entries(by)) {
      const replies = [
        await actor.call("PUT", at(field.id), { label: name }),
        await actor.call("POST", `${at(field.id)}/options`, { value: name }),
        await actor.call("PUT", `${at(field.id)}/links`, { links: [] }),
      ];
      const expected = may.includes(name) ? [200, 201, 200] : [403, 403, 403];
      assert.deepEqual(replies.map(({ status }) => status), expected, `${name} ${JSON.stringify(owner)}`);
    }
    const refused = Object.entries(by).filter(([name]) => !may.includes(name));
    for (const [, actor] of refused) assert.equal((await actor.call("DELETE", at(field.id))).status, 403);
  }
});

Deno.test("a caller with no or several teams or groups must name an own one for a field or an order of fields", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const groups = [await company.group(), await company.group()];
  const teams = [await company.team({ group_id: groups[0] }), await company.team({ group_id: groups[1] })];
  const beside = await company.team({ group_id: groups[0] });
  const createFields = async (type: "team_admin" | "group_admin", teams: number[], more: object = {}) => {
    const by = await company.user({ type, teams, active: null });
    const replies = [
      await by.call("POST", "/v1/fields/account", { ...label, ...more }),
      await by.call("PUT", "/v1/fields/account/sort", { sort: [], ...more }),
    ];
    return replies.map((reply) => reply.status === 422 ? listFaults(reply).flat().join(" ") : reply.status);
  };
  const both = (what: string | number) => [what, what];
  assert.deepEqual(await createFields("team_admin", teams), both("team_id required"));
  assert.deepEqual(await createFields("group_admin", teams), both("group_id required"));
  assert.deepEqual(await createFields("team_admin", []), both(403));
  assert.deepEqual(await createFields("group_admin", []), both(403));
  assert.deepEqual(await createFields("team_admin", teams, { team_id: teams[1] }), [201, 200]);
  assert.deepEqual(await createFields("group_admin", teams, { group_id: groups[1] }), [201, 200]);
  assert.deepEqual(await createFields("team_admin", teams, { team_id: beside }), both("team_id exists"));
  assert.deepEqual(
    await createFields("group_admin", [teams[0]!], { team_id: beside }),
    both("team_id exists"),
  );
  assert.equal(
    (await admin.call("PUT", "/v1/fields/account/sort", { sort: [], team_id: beside })).status,
    200,
  );
});

Deno.test("a field or order of fields is refused for a team that is deleted meanwhile", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  for (
    const [method, path, body] of [
      ["POST", "/v1/fields/account", label],
      ["PUT", "/v1/fields/account/sort", { sort: [] }],
    ] as const
  ) {
    const team_id = await company.team();
    const reply = await callMeanwhile(app, admin, method, path, async () => {
      assert.equal((await admin.call("DELETE", `/v1/teams/${team_id}`)).status, 204);
    }, { ...body, team_id });
    assert.deepEqual(listFaults({ body: await reply.json() }), [["team_id", "exists"]], method);
  }
});

Deno.test("a field's name is unique also among fields that the caller does not see", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const [one, other] = [await company.team(), await company.team()];
  await newField(admin, { label: "Remark", team_id: other });
  const maker = await company.user({ type: "team_admin", teams: [one] });
  assert.equal((await newField(maker, { label: "Remark" })).name, "remark_2");
});

Deno.test("a changed type keeps only a fitting validation; types without choices have no options and links", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = await newField(admin, { label: "Mail", validation: "email" });
  const put = (id: string, body: object) => admin.call("PUT", at(id), body);
  assert.deepEqual(listFaults(await put(text.id, { type: "numeric" })), [["validation", "enum"]]);
  assert.equal((await put(text.id, { type: "numeric", validation: null })).status, 200);
  const make = await newField(admin, { label: "Make", type: "single_choice" }, ["vw"]);
  const model = await newField(admin, { label: "Model", type: "single_choice" }, ["golf"]);
  const link = {
    field_id: make.id,
    option_id: make.options.vw,
    options_shown: [model.options.golf],
    default_option: null,
  };
  const linked = await admin.call("PUT", `${at(model.id)}/links`, { links: [link] });
  assert.equal(linked.status, 200, linked.text);
  for (const type of ["text", "single_choice"]) {
    const { body } = await put(model.id, { type });
    assert.deepEqual([body.type, body.options, body.links], [type, [], []]);
    assert.deepEqual((await admin.call("GET", at(model.id))).body, body);
  }
});

Deno.test("a change of type is refused when the field gets its first value meanwhile", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Size" });
  const fill = () => newAccount(admin, { size: "XL" });
  const reply = await callMeanwhile(app, admin, "PUT", at(field.id), fill, { type: "numeric" });
  assert.deepEqual(listFaults({ body: await reply.json() }), [["type", "not_editable"]]);
});

Deno.test("simultaneous changes of options and labels lose none", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Fuel", type: "single_choice" });
  const path = `${at(field.id)}/options`;
  const make = async () => {
    assert.equal((await admin.call("POST", path, { value: "Diesel" })).status, 201);
  };
  const second = await callMeanwhile(app, admin, "POST", path, make, { value: "Petrol" });
  assert.equal(second.status, 201);
  await second.body?.cancel();
  const rename = async () => {
    assert.equal((await admin.call("PUT", at(field.id), { is_hidden: true })).status, 200);
  };
  const renamed = await callMeanwhile(app, admin, "PUT", at(field.id), rename, { label: "Energy" });
  assert.equal((await renamed.json()).is_hidden, true);
  const { body } = await admin.call("GET", at(field.id));
  assert.deepEqual(body.options.map(({ value }: Body) => value), ["Diesel", "Petrol"]);
  assert.deepEqual([body.label, body.is_hidden], ["Energy", true]);
});

Deno.test("a deleted option disappears from the field's links; a link without options is deleted", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const make = await newField(admin, { label: "Make", type: "single_choice" }, ["vw", "kia"]);
  const model = await newField(admin, { label: "Model", type: "multiple_choice" }, ["golf", "polo"]);
  const { golf, polo } = model.options;
  const link = (option_id: string | undefined, options_shown: unknown[], default_option: unknown) => ({
    field_id: make.id,
    option_id,
    options_shown,
    default_option,
  });
  const links = [link(make.options.vw, [golf, polo], golf), link(make.options.kia, [golf], null)];
  assert.equal((await admin.call("PUT", `${at(model.id)}/links`, { links })).status, 200);
  assert.equal((await admin.call("DELETE", `${at(model.id)}/options/${golf}`)).status, 204);
  const { body } = await admin.call("GET", at(model.id));
  assert.deepEqual(body.links, [link(make.options.vw, [polo], null)]);
});

Deno.test("a link to an option that is deleted meanwhile is refused", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const make = await newField(admin, { label: "Make", type: "single_choice" }, ["vw"]);
  const model = await newField(admin, { label: "Model", type: "single_choice" }, ["golf"]);
  const links = [{ field_id: make.id, option_id: make.options.vw, options_shown: [model.options.golf] }];
  const reply = await callMeanwhile(app, admin, "PUT", `${at(model.id)}/links`, async () => {
    const gone = await admin.call("DELETE", `${at(make.id)}/options/${make.options.vw}`);
    assert.equal(gone.status, 204);
  }, { links });
  assert.deepEqual(listFaults({ body: await reply.json() }), [["links[0].option_id", "exists"]]);
});

Deno.test("null clears the sort of an option, and If-Match limits its changes", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Fuel", type: "single_choice" });
  const made = await admin.call("POST", `${at(field.id)}/options`, { value: "Diesel", sort: 4 });
  const path = `${at(field.id)}/options/${made.body.id}`;
  assert.equal((await admin.call("PUT", path, { value: "Petrol" })).body.sort, 4);
  assert.equal((await admin.call("PUT", path, { sort: null })).body.sort, null);
  const stale = { "If-Match": made.headers.get("etag")! };
  assert.equal((await admin.call("PUT", path, { value: "Gas" }, stale)).status, 412);
});

Deno.test("writes during the removal of a deleted field stay, and the field's value is removed", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const gone = await newField(admin, { label: "Gone" });
  const kept = await newField(admin, { label: "Kept" });
  const accounts: Body[] = [];
  for (const value of ["one", "two"]) accounts.push(await newAccount(admin, { gone: value, kept: value }));
  assert.equal((await admin.call("DELETE", at(gone.id))).status, 204);
  const [first, second] = accounts.map(({ id }) => `/v1/accounts/${id}`) as [string, string];
  const change = { custom_fields: nameValues({ kept: "new" }) };
  const db = overtakenAt(app.deps.db, "select seq as owner", async () => {
    assert.equal((await admin.call("PUT", first, change)).status, 200);
  });
  const clean = async () => assert.deepEqual(await runJobs({ ...app.deps, db }, app.clock.now()), []);
  const late = await callMeanwhile(app, admin, "PUT", second, clean, change);
  assert.equal(late.status, 200);
  await late.body?.cancel();
  for (const path of [first, second]) {
    assert.deepEqual(readCustom((await admin.call("GET", path)).body), { kept: "new" });
  }
  const stored = await app.sql("select distinct custom from accounts");
  assert.deepEqual(stored, [{ custom: JSON.stringify({ [kept.id]: "new" }) }]);
});

Deno.test("two simultaneous jobs never skip an option that still has values", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Likes", type: "multiple_choice" }, ["Art", "Golf", "Tea"]);
  const { Art, Golf, Tea } = field.options;
  await newAccount(admin, { likes: [Golf, Tea] });
  const remove = async (option: string | undefined) => {
    assert.equal((await admin.call("DELETE", `${at(field.id)}/options/${option}`)).status, 204);
  };
  await remove(Art);
  await remove(Golf);
  const db = overtakenAt(
    app.deps.db,
    "select id from (select distinct owner as id from custom_values",
    async () => {
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
      await remove(Tea);
    },
  );
  assert.deepEqual(await runJobs({ ...app.deps, db }, app.clock.now()), []);
  assert.deepEqual(await app.sql("select text from custom_values"), []);
  assert.deepEqual(await app.sql("select custom from accounts"), [{ custom: "{}" }]);
});

Deno.test("a value is refused when its field is deleted, changes its type or loses the option meanwhile", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = await newAccount(admin);
  const overtaking: [string, (id: string, option: string) => Promise<{ status: number }>][] = [
    ["exists", (id) => admin.call("DELETE", at(id))],
    ["type", (id) => admin.call("PUT", at(id), { type: "numeric" })],
    ["enum", (id, option) => admin.call("DELETE", `${at(id)}/options/${option}`)],
  ];
  for (const [code, overtake] of overtaking) {
    const { id, options } = await newField(admin, { label: "Fuel", type: "single_choice" }, ["Gas"]);
    const body = { custom_fields: [{ id, value: options.Gas }] };
    const reply = await callMeanwhile(app, admin, "PUT", `/v1/accounts/${account.id}`, async () => {
      assert.ok((await overtake(id, options.Gas!)).status < 300);
    }, body);
    const [[, reported]] = listFaults({ body: await reply.json() }) as [[string, string]];
    assert.deepEqual([reply.status, reported], [422, code]);
  }
  assert.deepEqual(await app.sql("select * from custom_values"), []);
});

/**
 * Returns a database in which something else happens once, right after a read whose SQL has this beginning.
 */
function overtakenAt(db: Database, beginning: string, overtake: () => Promise<void>): Database {
  let once = true;
  return {
    ...db,
    async read(statements) {
      const results = await db.read(statements);
      if (once && statements.some(({ sql }) => sql.startsWith(beginning))) {
        once = false;
        await overtake();
      }
      return results;
    },
  };
}
