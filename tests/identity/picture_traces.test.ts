/** Stored pictures contain no place, time or camera. */
import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import { file, gif, joined, jpeg, multipart, png } from "../support/pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 0xff);

/** The stored bytes of a picture. */
async function storePicture(actor: Actor, bytes: Bytes): Promise<Bytes> {
  const body = await multipart({ profile_picture: file("me", bytes) });
  const reply = await actor.call("POST", `/v1/users/${actor.id}/profile-picture`, body);
  assert.equal(reply.status, 200, reply.text);
  return await (await fetch(reply.body.profile_picture)).bytes();
}

const text = (bytes: Bytes) => new TextDecoder("latin1").decode(bytes);

function segment(marker: number, content: string): Bytes {
  return joined([0xff, marker, ...big(content.length + 2, 2)], content);
}

/** Like a camera's EXIF: an orientation, then the place. */
const exif = (orientation: number) =>
  `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}` +
  "\0\0\0\0\0\0 SECRET 52.5 north";

Deno.test("a JPEG is stored without place, camera, comments and previews; its colours stay", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const bare = jpeg(20, 30);
  const bytes = joined(
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
  assert.deepEqual(kept, joined(bare.subarray(0, 2), ...colours, bare.subarray(2)));
});

Deno.test("a JPEG on its side keeps its orientation, and a logo its ratio, without other metadata", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  for (const orientation of [2, 3, 6, 8]) {
    const bare = jpeg(20, 30);
    const bytes = joined(bare.subarray(0, 2), segment(0xe1, exif(orientation)), bare.subarray(2));
    const kept = await storePicture(admin, bytes);
    assert.doesNotMatch(text(kept), /SECRET/);
    assert.deepEqual(
      kept,
      joined(bare.subarray(0, 2), segment(0xe1, exif(orientation).slice(0, 32)), bare.subarray(2)),
    );
  }
  const side = jpeg(140, 480);
  const logo_1 = file("a", joined(side.subarray(0, 2), segment(0xe1, exif(6)), side.subarray(2)));
  const logos = await multipart({ logo_1, logo_2: file("b", png(80, 80)) });
  assert.equal((await admin.call("POST", "/upload/company-logo", logos)).status, 200, String(id));
});

Deno.test("a PNG is stored without texts, times and Exif; what draws it stays", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const bare = png(20, 30);
  const traces = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "prVt"].map((name) => chunk(name, "SECRET"));
  const drawing = ["gAMA", "iCCP", "tRNS", "acTL"].map((name) => chunk(name, "drawn"));
  const head = bare.subarray(0, 33);
  const kept = await storePicture(admin, joined(head, ...traces, ...drawing, bare.subarray(33)));
  assert.deepEqual(kept, joined(head, ...drawing, bare.subarray(33)));
});

function chunk(name: string, content: string): Bytes {
  const body = joined(name, content);
  let crc = ~0;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return joined(big(content.length, 4), body, big(~crc >>> 0, 4));
}

Deno.test("a GIF is stored without comments and data of programs; it plays as often as before", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const bare = gif(20, 30);
  const head = bare.subarray(0, 19);
  const plays = joined([0x21, 0xff, 11], "NETSCAPE2.0", [3, 1, 0, 0, 0]);
  const traces = joined(
    joined([0x21, 0xfe, 6], "SECRET", [0]),
    joined([0x21, 0xff, 11], "XMP DataXMP", [6], "SECRET", [0]),
  );
  const kept = await storePicture(admin, joined(head, traces, plays, bare.subarray(19)));
  assert.deepEqual(kept, joined(head, plays, bare.subarray(19)));
});
