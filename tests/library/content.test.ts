/** The content of files behind links: parts, versions, names, and the ends of links, on a folder and in a bucket. */
import assert from "node:assert/strict";
import { type Actor, send, startApp, type TestApp } from "../support/app.ts";
import { makeGif, makeJpeg, makePng } from "../support/pictures.ts";
import { startS3 } from "../support/s3.ts";

const text = "0123456789";
const encodeText = (value: string) => new TextEncoder().encode(value);

interface Uploaded {
  readonly id: string;
  readonly download_token: string;
}

async function upload(actor: Actor, name: string, bytes: Uint8Array): Promise<Uploaded> {
  const reply = await actor.call("POST", "/v1/files", { name, data: bytes.toBase64() });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function readLink(actor: Actor, { id }: Uploaded): Promise<string> {
  const reply = await actor.call("GET", `/v1/files/${id}/download`);
  assert.deepEqual([reply.status, reply.headers.get("cache-control")], [303, "no-store"]);
  return reply.headers.get("location")!;
}

/** Runs a test over a folder and over a bucket. */
function onEachStorage(name: string, test: (app: TestApp) => Promise<void>): void {
  Deno.test(`on a folder, ${name}`, async () => {
    await using app = await startApp();
    await test(app);
  });
  Deno.test(`in a bucket, ${name}`, async () => {
    const s3 = await startS3();
    try {
      await using app = await startApp(s3.env);
      await test(app);
    } finally {
      await s3.close();
    }
  });
}

onEachStorage("a link serves the whole content, one part of it, or its headers alone", async (app) => {
  const { admin } = await app.company();
  const link = await readLink(admin, await upload(admin, "digits.txt", encodeText(text)));
  const whole = await send(link, "GET", null);
  assert.deepEqual([whole.status, whole.text], [200, text]);
  const etag = whole.headers.get("etag")!;
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": "10",
    "content-disposition": "attachment; filename=digits.txt",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  };
  for (const [name, value] of Object.entries(headers)) assert.equal(whole.headers.get(name), value, name);
  const head = await send(link, "HEAD", null);
  assert.deepEqual([head.status, head.text], [200, ""]);
  for (const [name, value] of Object.entries(headers)) assert.equal(head.headers.get(name), value, name);

  const parts: [Record<string, string>, number, string, string | null][] = [
    [{ Range: "bytes=2-4" }, 206, "234", "bytes 2-4/10"],
    [{ Range: "bytes=7-" }, 206, "789", "bytes 7-9/10"],
    [{ Range: "bytes=-3" }, 206, "789", "bytes 7-9/10"],
    [{ Range: "bytes=-5000" }, 206, text, "bytes 0-9/10"],
    [{ Range: "bytes=-99999999999999999999" }, 206, text, "bytes 0-9/10"],
    [{ Range: "bytes=8-100" }, 206, "89", "bytes 8-9/10"],
    [{ Range: "bytes=10-" }, 416, "", "bytes */10"],
    [{ Range: "bytes=-0" }, 416, "", "bytes */10"],
    [{ Range: "bytes=0-1,4-5" }, 200, text, null],
    // The first is the whole file: several, so the answer is the whole.
    [{ Range: "bytes=-5000,0-1" }, 200, text, null],
    [{ Range: "bytes=0-1, -5000" }, 200, text, null],
    [{ Range: "bytes=0-0,-1" }, 200, text, null],
    [{ Range: "bytes=0-1,50-60" }, 206, "01", "bytes 0-1/10"],
    [{ Range: "bytes=20-30,40-" }, 416, "", "bytes */10"],
    [{ Range: "items=0-1" }, 200, text, null],
    [{ Range: "bytes=4-2" }, 416, "", "bytes */10"],
    [{ Range: "bytes=0-1", "If-Range": etag }, 206, "01", "bytes 0-1/10"],
    [{ Range: "bytes=0-1", "If-Range": '"other"' }, 200, text, null],
    [{ Range: "bytes=0-1", "If-Range": "Mon, 02 Mar 2026 09:00:00 GMT" }, 200, text, null],
    [{ "If-None-Match": etag }, 304, "", null],
    [{ "If-None-Match": `W/${etag}, "x"`, Range: "bytes=0-1" }, 304, "", null],
    [{ Authorization: "Bearer nobody" }, 200, text, null],
  ];
  for (const [sent, status, body, range] of parts) {
    const reply = await send(link, "GET", null, undefined, sent);
    const found = [reply.status, reply.text, reply.headers.get("content-range"), reply.headers.get("etag")];
    assert.deepEqual(found, [status, body, range, etag], JSON.stringify(sent));
  }
  const empty = await readLink(admin, await upload(admin, "empty.txt", new Uint8Array()));
  const none = await send(empty, "GET", null);
  assert.deepEqual([none.status, none.text, none.headers.get("content-length")], [200, "", "0"]);
  assert.equal((await send(empty, "GET", null, undefined, { Range: "bytes=0-" })).status, 416);
});

Deno.test("pages of any origin follow a download: the link answers a preflight", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const link = await readLink(admin, await upload(admin, "a.txt", encodeText(text)));
  const reply = await send(link, "OPTIONS", null, undefined, { Origin: "https://elsewhere.example" });
  assert.equal(reply.status, 204);
  assert.match(reply.headers.get("access-control-allow-headers")!, /Authorization.*Range/);
  assert.equal(reply.headers.get("access-control-allow-origin"), "*");
  const refused = await send(`${app.url}/files/nothing`, "GET", null);
  assert.deepEqual([refused.status, refused.headers.get("access-control-allow-origin")], [404, "*"]);
});

Deno.test("every name arrives as it is, by RFC 6266", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const names = [
    'a "b".txt',
    "%2e%2e%2f.txt",
    "Ångström €.pdf",
    "a;b=c,d.txt",
    "😀.png",
    "عرض.pdf",
    "x".repeat(255),
  ];
  for (const name of names) {
    const { headers } = await send(
      await readLink(admin, await upload(admin, name, encodeText("x"))),
      "GET",
      null,
    );
    const found = headers.get("content-disposition")!;
    assert.match(found, /^attachment; filename=/);
    const encoded = /filename\*=UTF-8''(\S+)$/.exec(found)?.[1];
    const plain = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/.exec(found)!;
    const written = (plain[1]?.replace(/\\(.)/g, "$1") ?? plain[2])!;
    assert.equal(encoded === undefined ? written : decodeURIComponent(encoded), name, found);
    assert.doesNotMatch(found, /[^ -~]/);
  }
});

Deno.test("pictures and PDF are shown in place, judged by their content; everything else is saved", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const html = "<html><script>document.title = 'ran'</script></html>";
  const cases: [string, Uint8Array, string, "inline" | "attachment"][] = [
    ["a.html", makePng(3, 3), "image/png", "inline"],
    ["a.png", makeGif(3, 3), "image/gif", "inline"],
    ["a", makeJpeg(3, 3), "image/jpeg", "inline"],
    ["a.exe", encodeText("RIFF\x04\0\0\0WEBPVP8 "), "image/webp", "inline"],
    ["a.txt", encodeText("%PDF-1.7\n"), "application/pdf", "inline"],
    [
      "a.svg",
      encodeText(`<?xml version="1.0"?><!-- x --><svg onload="alert(1)"/>`),
      "image/svg+xml",
      "attachment",
    ],
    ["a.jpg", encodeText(html), "application/octet-stream", "attachment"],
    ["a.html", encodeText(html), "application/octet-stream", "attachment"],
    ["a.js", encodeText("alert(1)"), "application/octet-stream", "attachment"],
  ];
  for (const [name, bytes, type, disposition] of cases) {
    const { headers } = await send(await readLink(admin, await upload(admin, name, bytes)), "GET", null);
    const found = [headers.get("content-type"), headers.get("content-disposition")!.split(";")[0]];
    assert.deepEqual(found, [type, disposition], name);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    const policy = headers.get("content-security-policy")!;
    assert.equal(policy.includes("sandbox"), type !== "application/pdf", name);
    assert.ok(policy.includes("default-src 'none'"), name);
  }
});

Deno.test("a link ends after five minutes, a token after a day, and both with any change of a character", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const file = await upload(admin, "a.txt", encodeText(text));
  const token = `${app.url}/v1/files/download/${file.download_token}`;
  const link = await readLink(admin, file);
  const statuses =
    async () => [(await send(link, "GET", null)).status, (await send(token, "GET", null)).status];
  assert.deepEqual(await statuses(), [200, 303]);
  const name = link.split("/").at(-1)!;
  for (let at = 0; at < name.length; at++) {
    // Changes used bits too: the last character has two unused ones.
    const other = name[at] === "A" ? "Q" : "A";
    const changed = name.slice(0, at) + other + name.slice(at + 1);
    assert.equal((await send(`${app.url}/files/${changed}`, "GET", null)).status, 404, `character ${at}`);
  }
  // Links and download tokens do not work in place of each other.
  assert.equal((await send(`${app.url}/files/${file.download_token}`, "GET", null)).status, 404);
  assert.equal((await send(`${app.url}/v1/files/download/${name}`, "GET", null)).status, 404);
  for (const bad of ["", "x", `${name}x`, "%00", `${name.slice(1)}%2e`, "é"]) {
    assert.ok([404, 400].includes((await send(`${app.url}/files/${bad}`, "GET", null)).status), bad);
  }
  app.clock.move(299_999);
  assert.deepEqual(await statuses(), [200, 303]);
  app.clock.move(1);
  assert.deepEqual(await statuses(), [404, 303]);
  app.clock.move(86_400_000 - 300_001);
  assert.deepEqual(await statuses(), [404, 303]);
  // A download token does not work as a link, even when it ends as soon as a link does.
  assert.equal((await send(`${app.url}/files/${file.download_token}`, "GET", null)).status, 404);
  app.clock.move(1);
  assert.deepEqual(await statuses(), [404, 404]);
  // A token from a clock that was ahead is not valid for longer.
  app.clock.set(app.clock.now() - 7 * 86_400_000);
  assert.deepEqual(await statuses(), [404, 404]);
});

Deno.test("a token ends with its user, with what the user may read, with the file, and with the company", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const [owner, member] = [await company.user(), await company.user({ teams: [team] })];
  const file = await upload(owner, "a.txt", encodeText(text));
  const readStatus = async (token: string) =>
    (await send(`${app.url}/v1/files/download/${token}`, "GET", null)).status;
  const tokenFor = async (actor: Actor) =>
    (await actor.call("GET", `/v1/files/${file.id}`)).body.download_token as string;
  const permit = (permissions: unknown[]) => owner.call("PUT", `/v1/files/${file.id}`, { permissions });
  await permit([{ type: "team", value: team }]);
  const [ofMember, ofAdmin] = [await tokenFor(member), await tokenFor(company.admin)];
  assert.equal(await readStatus(ofMember), 303);
  await permit([]);
  assert.deepEqual([await readStatus(ofMember), await readStatus(ofAdmin)], [404, 303]);
  await permit([{ type: "team", value: team }]);
  assert.equal(await readStatus(ofMember), 303);
  const deleted = await company.admin.call("DELETE", `/v1/companies/${company.id}/users/${member.id}`);
  assert.equal(deleted.status, 204, deleted.text);
  assert.deepEqual([await readStatus(ofMember), await readStatus(ofAdmin)], [404, 303]);
  const link = await readLink(owner, file);
  const gone = await upload(owner, "gone.txt", encodeText(text));
  await owner.call("DELETE", `/v1/files/${gone.id}`);
  assert.equal(await readStatus(gone.download_token), 404);
  await company.admin.call("DELETE", `/v1/companies/${company.id}`);
  assert.deepEqual([await readStatus(ofAdmin), (await send(link, "GET", null)).status], [404, 404]);
});

Deno.test("a file whose object is missing is 404, and the log says so without its key", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const link = await readLink(admin, await upload(admin, "a.txt", encodeText(text)));
  const [{ key }] = await app.sql("select key from objects") as [{ key: string }];
  await app.deps.storage.remove(key);
  assert.equal((await send(link, "GET", null)).status, 404);
  const errors = JSON.stringify(app.log.entries.filter(({ level }) => level === "error"));
  assert.match(errors, /object_missing/);
  assert.ok(!errors.includes(key));
});
