import assert from "node:assert/strict";
import { newPath } from "../sales/parts.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeScene, path, scheduleReport } from "./scheduled_scene.ts";

Deno.test("the names of filters are shown to callers who see the record, at that moment", async () => {
  await using app = await startApp();
  const { company, admin, team } = await makeScene(app);
  const other = await company.team();
  const maker = await company.user({ teams: [team], rights: ["reports.view", "reports.schedule"] });
  const recipient = await company.user({ teams: [other] });
  const shared = await newPath(admin);
  const own = await newPath(admin, { name: "Ours", team_id: team });
  const type = await admin.call("POST", "/v1/lead-types", {
    name: "Fleet",
    team_id: team,
    relations_path_ids: [shared.id],
  });
  assert.equal(type.status, 201, type.text);
  const set = await maker.call("POST", "/v1/reports/indicator-sets", {
    name: "Own",
    indicators: ["users.total"],
  });
  const filters = { relation_path_ids: [shared.id, own.id], lead_type_ids: [type.body.id] };
  const made = await scheduleReport(maker, set.body.id, [recipient.id], { filters });
  const namesFor = async (by: Actor) => {
    const { filters } = (await by.call("GET", `${path}/${made.id}`)).body;
    const ids = [...filters.relations_paths, ...filters.lead_types].map(({ id }: Body) => id);
    assert.deepEqual(ids, [shared.id, own.id, type.body.id]);
    return [...filters.relations_paths, ...filters.lead_types].map(({ name }: Body) => name);
  };
  const names = ["New cars", "Ours", "Fleet"];
  assert.deepEqual([made.filters.relations_paths[1].name, made.filters.lead_types[0].name], names.slice(1));
  assert.deepEqual(await namesFor(maker), names);
  assert.deepEqual(await namesFor(recipient), ["New cars", null, null]);
  for (const at of [`/v1/relations-paths/${own.id}`, `/v1/lead-types/${type.body.id}`]) {
    const moved = await admin.call("PUT", at, { team_id: other });
    assert.equal(moved.status, 200, moved.text);
  }
  assert.deepEqual(await namesFor(maker), ["New cars", null, null]);
  assert.deepEqual(await namesFor(recipient), names);
  assert.deepEqual(await namesFor(admin), names);
  const renamed = await maker.call("PUT", `${path}/${made.id}`, { name: "Later" });
  assert.deepEqual(renamed.body.filters.lead_types, [{ id: type.body.id, name: null }]);
  // What the report has already may be sent back; the maker cannot choose more that the maker does not see.
  assert.equal((await maker.call("PUT", `${path}/${made.id}`, { filters })).status, 200);
  const theirs = await newPath(admin, { name: "Theirs", team_id: other });
  const refused = await maker.call("PUT", `${path}/${made.id}`, {
    filters: { ...filters, relation_path_ids: [...filters.relation_path_ids, theirs.id] },
  });
  assert.deepEqual(refused.body.errors?.map(({ path }: Body) => path), ["filters.relation_path_ids[2]"]);
});

Deno.test("the name of an indicator set is shown to callers who see the set", async () => {
  await using app = await startApp();
  const { company, admin, colleague, team } = await makeScene(app);
  const maker = await company.user({
    type: "team_admin",
    teams: [team],
    rights: ["reports.view", "reports.schedule"],
  });
  const stranger = await company.user({ teams: [await company.team()] });
  const set = await maker.call("POST", "/v1/reports/indicator-sets", {
    name: "Before I resign",
    indicators: ["users.total"],
  });
  const made = await scheduleReport(maker, set.body.id, [colleague.id, stranger.id]);
  assert.equal(made.indicator_set.name, "Before I resign");
  const readShown = async (by: Actor) => {
    const one = await by.call("GET", `${path}/${made.id}`);
    const list = await by.call("GET", path);
    const sets = [one.body.indicator_set, list.body.data[0].indicator_set];
    assert.deepEqual(sets.map(({ id }) => id), [set.body.id, set.body.id]);
    return sets.map(({ name }) => name);
  };
  const names = async () => await Promise.all([maker, colleague, stranger, admin].map(readShown));
  const [seen, hidden] = [["Before I resign", "Before I resign"], [null, null]];
  assert.deepEqual(await names(), [seen, hidden, hidden, hidden]);
  const renamed = await admin.call("PUT", `${path}/${made.id}`, { name: "Mine" });
  assert.equal(renamed.body.indicator_set.name, null);

  const change = { scope: "team", team_id: team };
  const shared = await maker.call("PUT", `/v1/reports/indicator-sets/${set.body.id}`, change);
  assert.equal(shared.status, 200, shared.text);
  assert.deepEqual(await names(), [seen, seen, hidden, seen]);
});
