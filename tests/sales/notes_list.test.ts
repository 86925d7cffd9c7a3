import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { createRecord, notesWorld, readCodes } from "./notes_world.ts";

/** The texts of the notes that the caller finds, and the total. */
async function listFound(who: Actor, query = ""): Promise<string[]> {
  const reply = await who.call("GET", `/v1/notes?${query}`);
  assert.equal(reply.status, 200, reply.text);
  const { data, pagination } = reply.body;
  assert.equal(pagination.total, data.length);
  return data.map(({ note }: Body) => note);
}

Deno.test("users who see its case, or its contact without a case, see a note: in list, total, search and GET", async () => {
  await using app = await startApp();
  const { admin, member, friend, stranger, outside, customer } = await notesWorld(app);
  const [north, shared, apart] = [await customer(), await customer(null), await customer(outside)];
  const on = async (note: string, ids: object) => await createRecord(admin, "/v1/notes", { note, ...ids });
  const notes = [
    await on("case note", { case_id: north.case_id }),
    await on("contact note", { contact_id: north.contact_id, account_id: north.account_id }),
    await on("shared note", { case_id: shared.case_id }),
    // A note on a contact of the team apart and on a case of the team north.
    await on("both note", { ...apart, case_id: north.case_id, activity_id: null }),
  ];
  const all = notes.map(({ note }) => note).toReversed();
  for (
    const [who, seen] of [[admin, all], [member, all], [friend, all], [stranger, ["shared note"]]] as const
  ) {
    assert.deepEqual(await listFound(who), seen);
    assert.deepEqual(await listFound(who, "search=note"), seen);
    for (const { id, note } of notes) {
      assert.equal((await who.call("GET", `/v1/notes/${id}`)).status, seen.includes(note) ? 200 : 404, note);
    }
  }
  assert.deepEqual(await listFound(stranger, `case_ids=${north.case_id}`), []);
  assert.deepEqual(await listFound((await app.company()).admin), []);
});

Deno.test("a note follows its contact to another team and to another account", async () => {
  await using app = await startApp();
  const { admin, member, stranger, outside, customer } = await notesWorld(app);
  const [one, two] = [await customer(), await customer()];
  const { contact_id, account_id } = one;
  const note = await createRecord(admin, "/v1/notes", { note: "Follows", contact_id, account_id });
  await createRecord(admin, "/v1/notes", { note: "Stays", contact_id, account_id, case_id: one.case_id });
  assert.deepEqual(await listFound(stranger), []);
  const moved = await admin.call("PUT", `/v1/accounts/${account_id}`, {
    team_id: outside,
    user_id: stranger.id,
  });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(await listFound(stranger), ["Follows"]);
  assert.deepEqual(await listFound(member), ["Stays"]);
  assert.equal((await member.call("GET", `/v1/notes/${note.id}`)).status, 404);
  const path = `/v1/accounts/${account_id}/contacts/${contact_id}`;
  assert.equal((await admin.call("PUT", path, { account_id: two.account_id })).status, 200);
  assert.deepEqual(await listFound(stranger), []);
  assert.deepEqual(await listFound(member, `account_ids=${two.account_id}`), ["Stays", "Follows"]);
  assert.deepEqual(await listFound(admin, `account_ids=${account_id}`), []);
  assert.equal((await member.call("GET", `/v1/notes/${note.id}`)).body.account_id, two.account_id);
});

Deno.test("the notes on cases of a deleted team move to its successor", async () => {
  await using app = await startApp();
  const { admin, member, stranger, north, outside, customer } = await notesWorld(app);
  const { case_id, contact_id, account_id } = await customer();
  await createRecord(member, "/v1/notes", { note: "On the case", case_id });
  await createRecord(member, "/v1/notes", { note: "On the contact", contact_id, account_id });
  assert.equal((await admin.call("DELETE", `/v1/teams/${north}?assign_to=${outside}`)).status, 204);
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual(await listFound(stranger), ["On the contact", "On the case"]);
});

Deno.test("filters match any of their ids and combine; unknown ids match nothing", async () => {
  await using app = await startApp();
  const { member, customer } = await notesWorld(app);
  const [one, two] = [await customer(), await customer()];
  const pickContact = ({ contact_id, account_id }: typeof one) => ({ contact_id, account_id });
  await createRecord(member, "/v1/notes", { note: "one case", case_id: one.case_id });
  await createRecord(member, "/v1/notes", {
    note: "one activity",
    case_id: one.case_id,
    activity_id: one.activity_id,
  });
  await createRecord(member, "/v1/notes", { note: "two contact", ...pickContact(two) });
  await createRecord(member, "/v1/notes", { note: "two all", ...two });
  const expected: [string, string[]][] = [
    [`case_ids=${one.case_id}`, ["one activity", "one case"]],
    [`case_ids=${one.case_id},${two.case_id}`, ["two all", "one activity", "one case"]],
    [`case_ids=${one.case_id}&case_ids[]=${two.case_id}`, ["two all", "one activity", "one case"]],
    [`activity_ids=${one.activity_id}`, ["one activity"]],
    [`contact_ids=${two.contact_id}`, ["two all", "two contact"]],
    [`account_ids=${two.account_id.toUpperCase()}`, ["two all", "two contact"]],
    [`account_ids=${two.account_id}&case_ids=${two.case_id}`, ["two all"]],
    [`account_ids=${two.account_id}&case_ids=${one.case_id}`, []],
    [`case_ids=${one.case_id}&search=activity`, ["one activity"]],
    [`case_ids=${one.account_id}`, []],
    ["case_ids=", []],
  ];
  for (const [query, notes] of expected) assert.deepEqual(await listFound(member, query), notes, query);
  for (const filter of ["activity_ids", "account_ids", "case_ids", "contact_ids"]) {
    assert.deepEqual(readCodes(await member.call("GET", `/v1/notes?${filter}=7`)), [
      `query.${filter}[0] type`,
    ]);
  }
});

Deno.test("search finds the present words of a note by prefix, and no tags", async () => {
  await using app = await startApp();
  const { member, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const note = '<p>Möchte <strong title="walrus">Frei</strong>tag</p><p>R&amp;D</p>';
  const { id } = await createRecord(member, "/v1/notes", { note, case_id });
  const finds = async (search: string) =>
    (await listFound(member, `search=${encodeURIComponent(search)}`)).length;
  for (
    const [search, n] of [
      ["mocht", 1],
      ["frei tag", 1],
      ["D r", 1],
      ["strong", 0],
      ["walrus", 0],
      ["amp", 0],
      ["mocht x", 0],
    ] as const
  ) {
    assert.equal(await finds(search), n, search);
  }
  await member.call("PUT", `/v1/notes/${id}`, { note: "Monday" });
  assert.deepEqual([await finds("mon"), await finds("mocht")], [1, 0]);
  await member.call("DELETE", `/v1/notes/${id}`);
  assert.equal(await finds("mon"), 0);
});

Deno.test("notes are listed newest first or by created_at, also backdated ones, page by page without a gap", async () => {
  await using app = await startApp();
  const { member, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const ids: number[] = [];
  for (let n = 0; n < 7; n++) {
    if (n % 2 === 0) app.clock.move(1_000);
    ids.push((await createRecord(member, "/v1/notes", { note: `N${n}`, case_id })).id);
  }
  ids.unshift(
    (await createRecord(member, "/v1/notes", { note: "Old", case_id, created_at: "2020-01-01 00:00:00" })).id,
  );
  for (
    const [query, expected] of [["", ids.toReversed()], ["sort=created_at&", ids], [
      `case_ids=${case_id}&`,
      ids.toReversed(),
    ]] as const
  ) {
    const shown: number[] = [];
    let next: string | null = `/v1/notes?${query}per_page=3`;
    while (next !== null) {
      const { body: { data, pagination } }: Body = await member.call("GET", next);
      assert.equal(pagination.total, 8);
      shown.push(...data.map(({ id }: Body) => id));
      next = pagination.urls.next?.slice(app.url.length) ?? null;
    }
    assert.deepEqual(shown, expected, query);
  }
  assert.deepEqual(readCodes(await member.call("GET", "/v1/notes?sort=note")), ["query.sort enum"]);
});
