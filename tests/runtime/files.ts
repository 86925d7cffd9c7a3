import assert from "node:assert/strict";
import { type Actor, send } from "../support/app.ts";
import { makeFile, makeMultipart, makePng, makeSvg } from "../support/pictures.ts";
import type { InWorkerd } from "./in_workerd.ts";

/** In workerd files are uploaded, listed, served, exported, drawn, put, published and deleted. */
export async function checkFiles({ s3, worker }: InWorkerd, admin: Actor): Promise<void> {
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    send(
      path.startsWith("http") ? path : worker.url + path,
      method,
      path.startsWith("http") ? null : admin.token,
      body,
      headers,
    );
  const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251);
  const created = await call("POST", "/v1/files", { name: "Größe.bin", data: bytes.toBase64() });
  assert.deepEqual([created.status, created.body.size], [201, bytes.length], created.text);
  const { id, download_token } = created.body;
  assert.equal((await call("GET", "/v1/files?search=gros")).body.pagination.total, 1);
  const redirects = [
    await call("GET", `/v1/files/${id}/download`),
    await send(`${worker.url}/v1/files/download/${download_token}`, "GET", null),
  ];
  for (const { status, headers } of redirects) {
    assert.equal(status, 303);
    const link = headers.get("location")!;
    const whole = await fetch(link);
    assert.deepEqual(await whole.bytes(), bytes);
    assert.match(whole.headers.get("content-disposition")!, /filename\*=UTF-8''Gr%C3%B6%C3%9Fe\.bin$/);
    const part = await fetch(link, { headers: { Range: "bytes=500000-500009" } });
    assert.deepEqual([part.status, await part.bytes()], [206, bytes.slice(500_000, 500_010)]);
    const same = await call("GET", link, undefined, { "If-None-Match": whole.headers.get("etag")! });
    assert.equal(same.status, 304);
  }
  const form = await makeMultipart({ profile_picture: makeFile("me.png", makePng(9, 9)) });
  const picture = await call("POST", `/v1/users/${admin.id}/profile-picture`, form);
  assert.equal(picture.status, 200, picture.text);
  const broken = await call("POST", `/v1/users/${admin.id}/profile-picture`, "--x", {
    "Content-Type": "multipart/form-data; boundary=x",
  });
  assert.deepEqual([broken.status, broken.body.code], [400, "malformed_multipart"]);
  const logo = { name: "logo.svg", data: makeSvg('viewBox="0 0 9 9"', "<script/>").toBase64() };
  const { body: { id: file_id } } = await call("POST", "/v1/files", logo);
  const root = `/v1/folders/company:${admin.companyId}/files`;
  assert.equal((await call("POST", root, { file_ids: [file_id] })).status, 204);
  assert.equal((await call("GET", root)).body.data[0].id, file_id);
  const letter = await call("POST", "/v1/templates/preview/letter", { content: "<p>Ωμέγα Привет</p>" });
  assert.equal(letter.status, 200, letter.text);
  const pdf = await fetch(letter.body.download_url);
  assert.deepEqual([pdf.status, pdf.headers.get("content-type")], [200, "application/pdf"]);
  assert.match(await pdf.text(), /^%PDF-/);
  const heads: readonly (readonly [string, string])[] = [["csv", '\ufeff"indicator","value"'], [
    "xlsx",
    "PK",
  ]];
  for (const [format, head] of heads) {
    const asked = await call("POST", "/v1/reports/export", { indicators: ["users.total"], format });
    assert.equal(asked.status, 200, asked.text);
    await worker.runScheduled(Date.now());
    const done = await call("GET", `/v1/reports/export/${asked.body.export_id}`);
    assert.equal(done.body.status, "done", done.text);
    const { headers } = await call("GET", `/v1/files/${done.body.file_id}/download`);
    const written = await (await fetch(headers.get("location")!)).bytes();
    assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(written).slice(0, head.length), head);
    assert.equal((await call("DELETE", `/v1/files/${done.body.file_id}`)).status, 204);
  }
  for (const kind of ["metrics", "time-series"]) {
    const drawn = await call("GET", `/v1/reports/charts/${kind}.svg?indicators=users.total&group_by=`);
    assert.deepEqual([drawn.status, drawn.headers.get("content-type")], [
      200,
      "image/svg+xml; charset=utf-8",
    ]);
    assert.match(drawn.text, /^<svg [^]*Users total: /);
    const kept = await call("POST", "/v1/reports/charts", { kind, indicators: ["users.total"] });
    assert.equal(kept.status, 200, kept.text);
    assert.match(await (await fetch(kept.body.url)).text(), /^<svg [^]*<\/svg>$/);
  }
  const published = await call("POST", "/v1/filemanager/pictures", { file_id });
  assert.equal(published.status, 201, published.text);
  const copy = await fetch(published.body.url);
  assert.deepEqual([copy.status, await copy.bytes()], [200, makeSvg('viewBox="0 0 9 9"', "")]);
  assert.equal((await call("DELETE", `/v1/filemanager/files/${file_id}`)).status, 204);
  assert.equal((await call("GET", published.body.url)).status, 404);
  assert.equal((await call("DELETE", `/v1/files/${id}`)).status, 204);
  assert.equal((await fetch(redirects[0]!.headers.get("location")!)).status, 404);
  await worker.runScheduled(Date.now());
  assert.equal(s3.keys().filter((key) => !key.startsWith("previews/")).length, 1);

  const set = await call("PUT", "/v1/campaigns/settings", { domain_slug: "north-cars" });
  assert.equal(set.status, 200, set.text);
  for (const last_name of ["Hopper", "Lovelace", "Привет"]) {
    const fields = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value }));
    const account = await call("POST", "/v1/accounts", {
      b2c: true,
      fixed_fields: fields({ address: "Street 1", city: "Graz" }),
    });
    const contacts = `/v1/accounts/${account.body.id}/contacts`;
    assert.equal((await call("POST", contacts, { fixed_fields: fields({ last_name }) })).status, 201);
  }
  const campaign = await call("POST", "/v1/campaigns", {
    name: "Letters",
    type: "letter",
    filter: [],
    execute_now: true,
    message: { content: "<p>Dear {{contact.full_name}}</p>" },
  });
  assert.equal(campaign.status, 201, campaign.text);
  const letters = `/v1/campaigns/${campaign.body.id}/letters`;
  for (let run = 0; run < 3; run++) await worker.runScheduled(Date.now());
  const { status, body: { url, progress } } = await call("GET", letters);
  assert.deepEqual([status, progress], [200, { done: 3, total: 3 }]);
  const archive = await fetch(url);
  const etag = archive.headers.get("etag")!;
  const zip = await archive.bytes();
  assert.equal(Number(archive.headers.get("content-length")), zip.length);
  const part = await fetch(url, { headers: { Range: `bytes=${zip.length - 5_000}-`, "If-Range": etag } });
  assert.deepEqual([part.status, await part.bytes()], [206, zip.slice(-5_000)]);
}
