import assert from "node:assert/strict";
import { send, startApp } from "../support/app.ts";
import type { Actor, Body, Reply, TestApp } from "../support/app.ts";
import {
  joinBytes,
  makeFile,
  makeGif,
  makeJpeg,
  makeMultipart,
  makePng,
  makePngOfSize,
  makeSvg,
} from "../support/pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const limit = 2 * 1024 * 1024;

/** Uploads a picture of these bytes, under any name. */
async function picture(actor: Actor, bytes: Bytes, name = "me.png", type = "image/png"): Promise<Reply> {
  const body = await makeMultipart({ profile_picture: makeFile(name, bytes, type) });
  return await actor.call("POST", `/v1/users/${actor.id}/profile-picture`, body);
}

async function logos(actor: Actor, parts: Parameters<typeof makeMultipart>[0]): Promise<Reply> {
  return await actor.call("POST", "/upload/company-logo", await makeMultipart(parts));
}

const wide = () => makeFile("wide.png", makePng(480, 140));
const square = () => makeFile("square.png", makePng(80, 80));

function assertRefused(reply: Reply, path: string, code: string): void {
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(
    reply.body.errors.map((error: Body) => [error.path, error.code]),
    [[path, code]],
    reply.text,
  );
}

async function fetchShown(app: TestApp, address: string): Promise<{ headers: Headers; bytes: Bytes }> {
  assert.ok(address.startsWith(`${app.url}/pictures/`), address);
  const response = await fetch(address);
  assert.equal(response.status, 200);
  return { headers: response.headers, bytes: await response.bytes() };
}

Deno.test("an admin sets both logos; record and answer show them with other details of the company", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  await admin.call("PUT", `/v1/companies/${id}`, {
    phone_number: "040 1",
    website: "https://x.example",
    vat: "DE1",
  });
  const reply = await logos(admin, { logo_1: wide(), logo_2: square() });
  assert.equal(reply.status, 200, reply.text);
  const { body: company } = await admin.call("GET", `/v1/companies/${id}`);
  const { phone_number, website, vat, logo_1, logo_2, timezone } = company;
  assert.deepEqual(reply.body, { phone_number, website, vat, logo_1, logo_2, timezone });
  assert.deepEqual([phone_number, website, vat], ["040 1", "https://x.example", "DE1"]);
  assert.deepEqual((await fetchShown(app, logo_1)).bytes, makePng(480, 140));
  assert.deepEqual((await fetchShown(app, logo_2)).bytes, makePng(80, 80));
  assert.equal((await admin.call("GET", "/v1/me")).body.company.logo_1, logo_1);
});

Deno.test("a user's picture shows in every record of the user, and the change emits an event", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const before = (await admin.call("GET", `/v1/companies/${id}/users/${admin.id}`)).headers.get("etag");
  await app.sql("select 1");
  app.clock.move(1000);
  const reply = await picture(admin, makePng(30, 20));
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(Object.keys(reply.body), ["profile_picture"]);
  const { body: user, headers } = await admin.call("GET", `/v1/companies/${id}/users/${admin.id}`);
  assert.notEqual(headers.get("etag"), before);
  assert.equal(user.profile_picture, reply.body.profile_picture);
  assert.equal((await admin.call("GET", "/v1/me")).body.profile_picture, user.profile_picture);
  const { body: page } = await admin.call("GET", `/v1/companies/${id}/users`);
  assert.equal(page.data[0].profile_picture, user.profile_picture);
  const [event] = await app.sql("select event_name, body from outbox");
  assert.equal(event!.event_name, "user_updated");
  assert.deepEqual(JSON.parse(String(event!.body)), user);
  assert.deepEqual((await fetchShown(app, user.profile_picture)).bytes, makePng(30, 20));
});

Deno.test("PUBLIC_URL is the origin of a picture's address", async () => {
  await using app = await startApp({ PUBLIC_URL: "https://crm.example.org" });
  const { admin } = await app.company();
  const { body } = await picture(admin, makePng(30, 20));
  assert.match(body.profile_picture, /^https:\/\/crm\.example\.org\/pictures\/[\w-]{43}$/);
});

Deno.test("each of the four types is detected by its content and served with its own type", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const types: [Bytes, string][] = [
    [makePng(8, 5), "image/png"],
    [makeGif(8, 5), "image/gif"],
    [makeJpeg(8, 5), "image/jpeg"],
    [makeSvg('width="8" height="5"'), "image/svg+xml"],
  ];
  for (const [bytes, type] of types) {
    for (
      const [name, said] of [["me.html", "text/html"], ["me.jpg", "image/jpeg"], ["x.exe", "image/webp"]]
    ) {
      const reply = await picture(admin, bytes, name, said);
      assert.equal(reply.status, 200, reply.text);
      const { headers } = await fetchShown(app, reply.body.profile_picture);
      assert.equal(headers.get("content-type"), type);
    }
  }
});

Deno.test("other content is refused, under any name: text, HTML, WebP, PDF, ZIP, nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const others: (Bytes | string)[] = [
    "hello",
    "<!doctype html><html><script>alert(1)</script></html>",
    "<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
    "GIF89a=1;alert(1)//",
    "GIF89a<script>alert(1)</script>",
    "RIFF\0\0\0\0WEBPVP8 ",
    "%PDF-1.7",
    "PK\x03\x04",
    "",
    "<",
    joinBytes([0xff, 0xd8, 0xff]),
    joinBytes([0xff, 0xfe, 0x3c, 0]),
  ];
  for (const bytes of others) {
    assertRefused(
      await picture(admin, typeof bytes === "string" ? joinBytes(bytes) : bytes),
      "profile_picture",
      "format",
    );
  }
  assert.equal((await admin.call("GET", "/v1/me")).body.profile_picture, null);
});

Deno.test("a truncated picture is refused, and so is one with a wrong checksum", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const whole of [makePng(9, 9), makeGif(9, 9), makeJpeg(9, 9, 6), makeSvg('viewBox="0 0 9 9"')]) {
    for (let length = 1; length < whole.length; length += 7) {
      assertRefused(await picture(admin, whole.slice(0, length)), "profile_picture", "format");
    }
    assertRefused(await picture(admin, whole.slice(0, -1)), "profile_picture", "format");
  }
  const damaged = makePng(9, 9);
  damaged[45]! ^= 1; // The checksum no longer fits.
  assertRefused(await picture(admin, damaged), "profile_picture", "format");
  assertRefused(await picture(admin, makePng(0, 9)), "profile_picture", "format");
});

Deno.test("a picture of too many pixels is refused: 64 million are accepted, one row more is not", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const make of [makePng, makeGif, makeJpeg]) {
    assert.equal((await picture(admin, make(8000, 8000))).status, 200);
    assertRefused(await picture(admin, make(8000, 8001)), "profile_picture", "format");
  }
});

Deno.test("bytes behind a picture are not stored", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const whole of [makePng(9, 9), makeGif(9, 9), makeJpeg(9, 9)]) {
    const reply = await picture(admin, joinBytes(whole, "<script>alert(1)</script>PK\x03\x04"));
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual((await fetchShown(app, reply.body.profile_picture)).bytes, whole);
  }
});

Deno.test("logos are accepted if their sides are within 1 % of 480 by 140 and of a square, of any size", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const fits = async (logo_1: Bytes, logo_2: Bytes) =>
    await logos(admin, { logo_1: makeFile("1", logo_1), logo_2: makeFile("2", logo_2) });
  // 1 % of 2400 by 700 is from 2376 to 2424 wide; of 1000 by 1000 from 990 to 1010.
  for (const [width, side] of [[2400, 1000], [2376, 990], [2424, 1010]] as const) {
    assert.equal((await fits(makePng(width, 700), makePng(side, 1000))).status, 200, `${width} ${side}`);
  }
  for (const width of [2375, 2425]) {
    assertRefused(await fits(makePng(width, 700), makePng(80, 80)), "logo_1", "format");
  }
  for (const side of [989, 1011]) {
    assertRefused(await fits(makePng(480, 140), makePng(side, 1000)), "logo_2", "format");
  }
  assertRefused(await fits(makePng(140, 480), makePng(80, 80)), "logo_1", "format");
  // A camera on its side.
  assert.equal((await fits(makeJpeg(140, 480, 6), makeJpeg(80, 80, 1))).status, 200);
  assertRefused(await fits(makeJpeg(480, 140, 6), makePng(80, 80)), "logo_1", "format");
});

Deno.test("an SVG logo has the ratio of its width and height, else of its viewBox; without a size it is refused", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const square = async (attributes: string) =>
    await logos(admin, { logo_1: wide(), logo_2: makeFile("x.svg", makeSvg(attributes)) });
  for (
    const attributes of [
      'width="80" height="80"',
      'width="2cm" height="2cm" viewBox="0 0 3 7"',
      'viewBox="-5 -5 24 24"',
      'viewBox="0,0,24,24" width="100%"',
      'width="1e2px" height="100px"',
    ]
  ) assert.equal((await square(attributes)).status, 200, attributes);
  for (
    const attributes of [
      "",
      'width="80"',
      'width="80" height="79"',
      'width="2cm" height="2in"',
      'viewBox="0 0 24 0"',
      'viewBox="0 0 24"',
      'viewBox="0 0 24 25"',
      'width="-1" height="-1"',
      'width="0" height="0"',
    ]
  ) assertRefused(await square(attributes), "logo_2", "format");
  // A profile picture needs no size.
  assert.equal((await picture(admin, makeSvg(""))).status, 200);
});

Deno.test("a file of 2 MiB is accepted, one byte more is 422 max", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  assert.equal((await picture(admin, makePngOfSize(limit))).status, 200);
  assertRefused(await picture(admin, makePngOfSize(limit + 1)), "profile_picture", "max");
  const whole = {
    logo_1: makeFile("1", makePngOfSize(limit, 480, 140)),
    logo_2: makeFile("2", makePngOfSize(limit, 80, 80)),
  };
  assert.equal((await logos(admin, whole)).status, 200);
  assertRefused(
    await logos(admin, { ...whole, logo_1: makeFile("1", makePngOfSize(limit + 1, 480, 140)) }),
    "logo_1",
    "max",
  );
});

Deno.test("a body may be 64 KiB larger than its files, and is 413 above that", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = `/v1/users/${admin.id}/profile-picture`;
  const makeSized = async (size: number) => {
    const one = makeFile("me.png", makePngOfSize(limit));
    const bare = await makeMultipart({ profile_picture: one, note: "" });
    return await makeMultipart({ profile_picture: one, note: "x".repeat(size - bare.bytes.length) });
  };
  const most = limit + 65_536;
  assert.equal((await admin.call("POST", path, await makeSized(most))).status, 200);
  const over = await admin.call("POST", path, await makeSized(most + 1));
  assert.deepEqual([over.status, over.body.code], [413, "payload_too_large"]);
});

Deno.test("both logos are required; missing, empty, text and repeated parts name the field", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  assertRefused(await logos(admin, { logo_1: wide() }), "logo_2", "required");
  assertRefused(await logos(admin, { logo_2: square() }), "logo_1", "required");
  assertRefused(await logos(admin, { logo_1: wide(), logo_2: "square.png" }), "logo_2", "type");
  assertRefused(await logos(admin, { logo_1: wide(), logo_2: [square(), square()] }), "logo_2", "type");
  assertRefused(
    await logos(admin, { logo_1: wide(), logo_2: makeFile("", new Uint8Array()) }),
    "logo_2",
    "required",
  );
  const both = [["logo_1", "required"], ["logo_2", "required"]];
  for (const body of [await makeMultipart({}), await makeMultipart({ other: wide() }), undefined]) {
    const reply = await admin.call("POST", "/upload/company-logo", body);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(reply.body.errors.map((error: Body) => [error.path, error.code]), both);
  }
  const wrong = await logos(admin, {
    logo_1: makeFile("1", joinBytes("x")),
    logo_2: makeFile("2", joinBytes("y")),
  });
  assert.deepEqual(wrong.body.errors.map((error: Body) => error.path), ["logo_1", "logo_2"]);
});

Deno.test("another content type is 415, a form without valid parts 400", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = "/upload/company-logo";
  const types = [
    "application/json",
    "image/png",
    "application/x-www-form-urlencoded",
    "multipart/mixed; boundary=x",
  ];
  for (const type of types) {
    const reply = await admin.call("POST", path, "{}", { "Content-Type": type });
    assert.deepEqual([reply.status, reply.body.code], [415, "unsupported_media_type"], type);
  }
  const broken: [string, string][] = [
    ["multipart/form-data", "--x--"],
    ["multipart/form-data; boundary=", "--x--"],
    ["multipart/form-data; boundary=x", "hello"],
    ["multipart/form-data; boundary=x", "--y\r\n\r\n--y--"],
  ];
  for (const [type, body] of broken) {
    const reply = await admin.call("POST", path, body, { "Content-Type": type });
    assert.deepEqual([reply.status, reply.body.code], [400, "malformed_multipart"], `${type} ${body}`);
  }
});

Deno.test("a form of 100 parts is read, one more is 400 before it takes time", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const parts = async (count: number) => {
    const more = Array.from({ length: count - 1 }, (_, index) => [`note_${index}`, "x"]);
    return await makeMultipart({
      profile_picture: makeFile("me.png", makePng(9, 9)),
      ...Object.fromEntries(more),
    });
  };
  const path = `/v1/users/${admin.id}/profile-picture`;
  assert.equal((await admin.call("POST", path, await parts(100))).status, 200);
  assert.equal((await admin.call("POST", path, await parts(101))).status, 400);
});

Deno.test("/upload follows the conventions of /v1: CORS, preflight, 401, 404 and 405 as problems", async () => {
  await using app = await startApp();
  const url = `${app.url}/upload/company-logo`;
  const preflight = await fetch(url, { method: "OPTIONS" });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
  assert.equal(preflight.headers.get("allow"), "POST");
  for (
    const [method, at, status] of [["POST", url, 401], ["GET", url, 405], ["GET", `${app.url}/upload/x`, 404]]
  ) {
    const reply = await send(String(at), String(method), null);
    assert.equal(reply.status, status);
    assert.equal(reply.headers.get("content-type"), "application/problem+json; charset=utf-8");
    assert.equal(reply.headers.get("access-control-allow-origin"), "*");
  }
});

Deno.test("repeating the same form under its key gives the same answer, also with other boundaries", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = `/v1/users/${admin.id}/profile-picture`;
  const key = { "Idempotency-Key": "one" };
  const one = { profile_picture: makeFile("me.png", makePng(3, 4)) };
  const first = await admin.call("POST", path, await makeMultipart(one), key);
  for (const boundary of ["-----------a-boundary", "other"]) {
    const again = await admin.call("POST", path, await makeMultipart(one, boundary), key);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
  }
  const two = { profile_picture: makeFile("me.png", makePng(4, 3)) };
  assert.equal(
    (await admin.call("POST", path, await makeMultipart(two), key)).body.code,
    "idempotency_mismatch",
  );
});
