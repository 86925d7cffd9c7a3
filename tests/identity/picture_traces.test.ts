/** Stored pictures contain no place, time or camera. */
import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import { joinBytes, makeFile, makeGif, makeJpeg, makeMultipart, makePng } from "../support/pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 0xff);

/** The stored bytes of a picture. */
async function storePicture(actor: Actor, bytes: Bytes): Promise<Bytes> {
  const body = await makeMultipart({ profile_picture: makeFile("me", bytes) });
  const reply = await actor.call("POST", `/v1/users/${actor.id}/profile-picture`, body);
  assert.equal(reply.status, 200, reply.text);
  return await (await fetch(reply.body.profile_picture)).bytes();
}

const text = (bytes: Bytes) => new TextDecoder("latin1").decode(bytes);

function segment(marker: number, content: string): Bytes {
  return joinBytes([0xff, marker, ...big(content.length + 2, 2)], content);
}

/** Like a camera's EXIF: an orientation, then the place. */
const exif = (orientation: number) =>
  `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}` +
  "\0\0\0\0\0\0 SECRET 52.5 north";

Deno.test("a JPEG is stored without place, camera, comments and previews; its colours stay", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const bare = makeJpeg(20, 30);
  const bytes = joinBytes(
    bare.subarray(0, 2),
    segment(0xe1, exif(1)),
    segment(0xe1, "http://ns.adobe.com/xap/1.0/\0 SECRET"),
    segment(0xed, "Photoshop 3.0\0 SECRET"),
    segment(0xe2, "MPF\0 SECRET"),
    segment(0xe2, "ICC_PROFILE\0 colours"),
    segment(0xee, "Adobe colours"),
    segment(0xfe, "SECRET"),
    bare.subarray(2),
  );
  const kept = await storePicture(admin, bytes);
  assert.doesNotMatch(text(kept), /SECRET|Exif/);
  const colours = [segment(0xe2, "ICC_PROFILE\0 colours"), segment(0xee, "Adobe colours")];
  assert.deepEqual(kept, joinBytes(bare.subarray(0, 2), ...colours, bare.subarray(2)));
});

Deno.test("a JPEG on its side keeps its orientation, and a logo its ratio, without other metadata", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  for (const orientation of [2, 3, 6, 8]) {
    const bare = makeJpeg(20, 30);
    const bytes = joinBytes(bare.subarray(0, 2), segment(0xe1, exif(orientation)), bare.subarray(2));
    const kept = await storePicture(admin, bytes);
    assert.doesNotMatch(text(kept), /SECRET/);
    assert.deepEqual(
      kept,
      joinBytes(bare.subarray(0, 2), segment(0xe1, exif(orientation).slice(0, 32)), bare.subarray(2)),
    );
  }
  const side = makeJpeg(140, 480);
  const logo_1 = makeFile("a", joinBytes(side.subarray(0, 2), segment(0xe1, exif(6)), side.subarray(2)));
  const logos = await makeMultipart({ logo_1, logo_2: makeFile("b", makePng(80, 80)) });
  assert.equal((await admin.call("POST", "/upload/company-logo", logos)).status, 200, String(id));
});

Deno.test("a PNG is stored without texts, times and Exif; what draws it stays", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const bare = makePng(20, 30);
  const traces = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "prVt"].map((name) => chunk(name, "SECRET"));
  const drawing = ["gAMA", "iCCP", "tRNS", "acTL"].map((name) => chunk(name, "drawn"));
  const head = bare.subarray(0, 33);
  const kept = await storePicture(admin, joinBytes(head, ...traces, ...drawing, bare.subarray(33)));
  assert.deepEqual(kept, joinBytes(head, ...drawing, bare.subarray(33)));
});

function chunk(name: string, content: string): Bytes {
  const body = joinBytes(name, content);
  let crc = ~0;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return joinBytes(big(content.length, 4), body, big(~crc >>> 0, 4));
}

Deno.test("a GIF is stored without comments and data of programs; it plays as often as before", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const bare = makeGif(20, 30);
  const head = bare.subarray(0, 19);
  const plays = joinBytes([0x21, 0xff, 11], "NETSCAPE2.0", [3, 1, 0, 0, 0]);
  const traces = joinBytes(
    joinBytes([0x21, 0xfe, 6], "SECRET", [0]),
    joinBytes([0x21, 0xff, 11], "XMP DataXMP", [6], "SECRET", [0]),
  );
  const kept = await storePicture(admin, joinBytes(head, traces, plays, bare.subarray(19)));
  assert.deepEqual(kept, joinBytes(head, plays, bare.subarray(19)));
});
