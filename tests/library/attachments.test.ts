/** Files of accounts, contacts, cases and leads. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { sql } from "../../src/db/statements.ts";
import { type Actor, type Reply, send, startApp } from "../support/app.ts";
import { ways } from "../sales/leads_states.ts";
import { fill, type Place } from "../sweep/place.ts";
import { makeSales } from "../sales/leads_world.ts";
import { attachRow, fileRow } from "./library_world.ts";

const listErrors = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

/** The records of a place that have files, by the type of their rows. */
function listRecords({ ids }: Place): [type: string, path: string, id: string][] {
  return [
    ["account", `/v1/accounts/${ids.account_id}`, ids.account_id],
    [
      "contact",
      `/v1/accounts/${ids.account_id}/contacts/${ids.contact_id}`,
      ids.contact_id,
    ],
    ["case", `/v1/cases/${ids.case_id}`, ids.case_id],
    ["lead", `/v1/leads/${ids.lead_id}`, ids.lead_id],
  ];
}

async function listIds(actor: Actor, path: string): Promise<string[]> {
  const reply = await actor.call("GET", path);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data.map(({ id }: { id: string }) => id);
}

Deno.test("files are attached once, listed the newest first, read, downloaded and detached, at each record", async () => {
  await using app = await startApp();
  const place = await fill(app);
  const { admin, member, company } = place.world;
  const of = { company_id: company.id, user_id: admin.id };
  for (const [type, path] of listRecords(place)) {
    const first = (await place.make("/v1/files", { name: "first.txt", data: "Zmlyc3Q=" }))
      .id;
    const second = await fileRow(app, of);
    assert.equal(
      (await member.call("GET", `/v1/files/${first}`)).status,
      404,
      type,
    );
    const attached = await admin.call("POST", `${path}/files`, {
      file_ids: [first, first.toUpperCase()],
    });
    assert.equal(attached.status, 204, `${type}: ${attached.text}`);
    const at = app.clock.now();
    app.clock.move(1_000);
    // The first file stays as it was attached.
    assert.equal(
      (await admin.call("POST", `${path}/files`, { file_ids: [first, second] }))
        .status,
      204,
    );
    assert.deepEqual(
      await listIds(admin, `${path}/files`),
      [second, first],
      type,
    );

    const page = await admin.call("GET", `${path}/files?per_page=1`);
    assert.equal(page.body.pagination.total, 2);
    assert.equal(page.body.data[0].id, second);
    assert.deepEqual(
      await listIds(admin, page.body.pagination.urls.next.slice(app.url.length)),
      [first],
    );
    assert.equal(
      (await admin.call("GET", `${path}/files`)).body.pagination.per_page,
      50,
    );

    const shown = await admin.call("GET", `${path}/files/${first}`);
    const { attached_by, attached_at, download_token, ...file } = shown.body;
    assert.equal(attached_by, admin.id);
    assert.equal(
      attached_at,
      new Date(at).toISOString().slice(0, 19).replace("T", " "),
    );
    const { download_token: _other, ...same } = (await admin.call("GET", `/v1/files/${first}`)).body;
    assert.deepEqual(file, same, type);
    const again = await admin.call("GET", `${path}/files/${first}`);
    assert.equal(
      again.headers.get("etag"),
      shown.headers.get("etag"),
      "the token is no part of the ETag",
    );
    const link = await admin.call("GET", `${path}/files/${first}/download`);
    assert.equal(link.status, 303, link.text);
    assert.equal(
      (await send(link.headers.get("location")!, "GET", null)).text,
      "first",
    );
    const redirect = await send(
      `${app.url}/v1/files/download/${download_token}`,
      "GET",
      null,
    );
    assert.equal(redirect.status, 303);

    const unknown = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";
    const body = { file_ids: [first, unknown] };
    for (let time = 0; time < 2; time++) {
      assert.equal(
        (await admin.call("DELETE", `${path}/files`, body)).status,
        204,
      );
      assert.deepEqual(await listIds(admin, `${path}/files`), [second], type);
    }
    assert.equal(
      (await admin.call("GET", `${path}/files/${first}`)).status,
      404,
    );
    assert.equal(
      (await admin.call("GET", `${path}/files/${first}/download`)).status,
      404,
    );
    assert.equal(
      (await admin.call("GET", `/v1/files/${first}`)).status,
      200,
      "the file itself stays",
    );
  }
});

Deno.test("only files that the caller may read are attached, all or none, and each record shows its own", async () => {
  await using app = await startApp();
  const place = await fill(app);
  const { admin, company } = place.world;
  const member = await company.user({ teams: [place.ids.team_id] });
  const own = await fileRow(app, {
    company_id: company.id,
    user_id: member.id,
  });
  const hidden = await fileRow(app, {
    company_id: company.id,
    user_id: admin.id,
  });
  const stranger = await app.company("Other");
  const foreign = await fileRow(app, {
    company_id: stranger.id,
    user_id: stranger.admin.id,
  });
  const path = `/v1/accounts/${place.ids.account_id}`;
  const reply = await member.call("POST", `${path}/files`, {
    file_ids: [own, hidden, foreign],
  });
  assert.deepEqual(listErrors(reply), [
    422,
    "file_ids[1] exists",
    "file_ids[2] exists",
  ]);
  assert.deepEqual(await listIds(member, `${path}/files`), []);
  const many = { file_ids: Array.from({ length: 101 }, () => own) };
  assert.deepEqual(listErrors(await member.call("POST", `${path}/files`, many)), [
    422,
    "file_ids max",
  ]);
  assert.deepEqual(listErrors(await member.call("POST", `${path}/files`, {})), [
    422,
    "file_ids required",
  ]);
  assert.deepEqual(
    listErrors(await member.call("POST", `${path}/files`, { file_ids: ["x"] })),
    [
      422,
      "file_ids[0] type",
    ],
  );
  assert.equal(
    (await member.call("POST", `${path}/files`, { file_ids: [own] })).status,
    204,
  );
  for (const [type, other] of listRecords(place).slice(1)) {
    assert.deepEqual(await listIds(admin, `${other}/files`), [], type);
    assert.equal(
      (await admin.call("GET", `${other}/files/${own}`)).status,
      404,
      type,
    );
  }
});

Deno.test("a change of a case's files changes the case and sends case_updated, and none is sent without a change", async () => {
  await using app = await startApp();
  const place = await fill(app);
  const { admin, company } = place.world;
  const file = await fileRow(app, {
    company_id: company.id,
    user_id: admin.id,
  });
  const path = `/v1/cases/${place.ids.case_id}`;
  const countSent = async () => {
    const [found] = await app.deps.db.read([
      sql`select count(*) as n from outbox where event_name = 'case_updated'`,
    ]);
    return Number(found!.rows[0]!.n);
  };
  const counts = [await countSent()];
  for (const method of ["POST", "POST", "DELETE", "DELETE"]) {
    assert.equal(
      (await admin.call(method, `${path}/files`, { file_ids: [file] })).status,
      204,
    );
    counts.push(await countSent());
  }
  const tag = (await admin.call("GET", path)).headers.get("etag");
  const body = { file_ids: [file] };
  assert.equal((await admin.call("POST", `${path}/files`, body)).status, 204);
  const read = await admin.call("GET", path);
  assert.deepEqual(read.body.attachments.map(({ id }: { id: string }) => id), [file]);
  assert.notEqual(read.headers.get("etag"), tag);
  const [last] = (await app.deps.db.read([
    sql`select body from outbox where event_name = 'case_updated' order by rowid desc limit 1`,
  ]))[0]!.rows;
  assert.ok((last!.body as string).includes(`"attachments":[{"id":"${file}"`), "the event shows them too");
  const before = counts[0]!;
  assert.deepEqual(counts, [
    before,
    before + 1,
    before + 1,
    before + 2,
    before + 2,
  ]);
});

Deno.test("an accepted lead attaches its files to the case too; deleting a record detaches its files", async () => {
  await using app = await startApp();
  const place = await fill(app);
  const { admin, member, company } = place.world;
  const lead = await ways.assigned!(place.world);
  const file = await fileRow(app, {
    company_id: company.id,
    user_id: admin.id,
  });
  const body = { file_ids: [file] };
  assert.equal(
    (await admin.call("POST", `/v1/leads/${lead}/files`, body)).status,
    204,
  );
  const accepted = await member.call("PUT", `/v1/leads/${lead}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  const sale = (await member.call("GET", "/v1/cases?sort=-created_at")).body.data
    .find((each: { lead: { id: string } | null }) => each.lead?.id === lead)
    .id;
  assert.deepEqual(await listIds(member, `/v1/cases/${sale}/files`), [file]);
  const shown = (await member.call("GET", `/v1/cases/${sale}/files/${file}`)).body;
  assert.equal(shown.attached_by, member.id);
  const { download_token: _token, ...attached } = shown;
  assert.deepEqual((await member.call("GET", `/v1/cases/${sale}`)).body.attachments, [attached]);
  assert.deepEqual(await listIds(member, `/v1/leads/${lead}/files`), [file]);

  const listLeft = async () => {
    const [found] = await app.deps.db.read([
      sql`select entity_type as type from attachments where file_id = ${file} order by entity_type`,
    ]);
    return found!.rows.map(({ type }) => type);
  };
  for (const [, path] of listRecords(place)) {
    assert.equal(
      (await admin.call("POST", `${path}/files`, body)).status,
      204,
      path,
    );
  }
  assert.deepEqual(await listLeft(), [
    "account",
    "case",
    "case",
    "contact",
    "lead",
    "lead",
  ]);
  const remove = async (path: string) => {
    const reply = await admin.call("DELETE", path);
    assert.equal(reply.status, 204, `${path}: ${reply.text}`);
  };
  await remove(`/v1/leads/${lead}`);
  assert.deepEqual(await listLeft(), [
    "account",
    "case",
    "case",
    "contact",
    "lead",
  ]);
  await remove(`/v1/cases/${sale}`);
  assert.deepEqual(await listLeft(), ["account", "case", "contact", "lead"]);
  await remove(`/v1/accounts/${place.ids.account_id}`);
  assert.deepEqual((await listLeft()).filter((type) => type !== "lead"), []);
  assert.equal(
    (await admin.call("GET", `/v1/files/${file}`)).status,
    200,
    "the file itself stays",
  );
});

Deno.test("files of a lead follow it: to the next team after it is revoked, and to nobody once it is deleted or expired", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, agent, company, member } = place;
  const next = await company.team({ name: "Next", team_type: "dealer" });
  const successor = await company.user({ teams: [next] });
  const withFile = async (lead: string) => {
    const file = await fileRow(app, { company_id: company.id, user_id: admin.id });
    await attachRow(app, { entity_type: "lead", entity_id: lead, file_id: file, company_id: company.id });
    return file;
  };
  const statuses = async (file: string) => {
    const all = [];
    for (const { call } of [member, successor, agent]) {
      all.push((await call("GET", `/v1/files/${file}`)).status);
    }
    return all;
  };
  const revoked = await ways.revoked!(place);
  const file = await withFile(revoked);
  assert.deepEqual(await statuses(file), [200, 404, 200], "its former team still sees a revoked lead");
  const assigned = await agent.call("PUT", `/v1/leads/${revoked}/assign`, { team_id: next });
  assert.equal(assigned.status, 201, assigned.text);
  assert.deepEqual(await statuses(file), [404, 200, 200]);
  assert.equal((await admin.call("DELETE", `/v1/leads/${revoked}`)).status, 204);
  assert.deepEqual(await statuses(file), [404, 404, 404]);

  const expiring = await place.lead({ expires_at: "2026-03-03 00:00:00" });
  const other = await withFile(expiring.id);
  assert.deepEqual(await statuses(other), [200, 404, 200]);
  app.clock.move(2 * 86_400_000);
  assert.deepEqual(await statuses(other), [404, 404, 404]);
});

Deno.test("a record with very many files is deleted in one commit of bounded size; jobs detach the rest", async () => {
  await using app = await startApp();
  const place = await fill(app);
  const { admin, company } = place.world;
  const member = await company.user({ teams: [place.ids.team_id] });
  const file = await fileRow(app, { company_id: company.id, user_id: admin.id });
  const account = place.ids.account_id;
  await app.deps.db.write([
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
      insert into files (id, company_id, user_id, name, name_key, type, size, digest, media, object_key, created_at,
        updated_at) select 'file-' || i, company_id, user_id, name, name_key, type, size, digest, media,
        'files/' || i, created_at, updated_at from n cross join files where files.id = ${file}`,
    sql`insert into attachments (entity_type, entity_id, file_id, company_id, attached_by, attached_at)
      select 'account', ${account}, id, company_id, user_id, created_at from files
      where id = ${file} or id glob 'file-*'`,
  ]);
  assert.equal((await member.call("GET", `/v1/files/${file}`)).status, 200);
  const countLeft = async () => Number((await app.sql("select count(*) as n from attachments"))[0]!.n);
  assert.equal(await countLeft(), 2_501);
  assert.equal((await admin.call("DELETE", `/v1/accounts/${account}`)).status, 204);
  await app.idle();
  assert.equal(await countLeft(), 1_501);
  assert.equal((await member.call("GET", `/v1/files/${file}`)).status, 404);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.equal(await countLeft(), 0);
  assert.deepEqual(await app.sql("select * from staged_work"), []);
});
