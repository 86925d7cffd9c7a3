/** The picture of the console at the beginning of the README. `PICTURE=1` writes it anew. */
import assert from "node:assert/strict";
import { fillCompany } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import { browserTest } from "./chromium.ts";
import { bringSession, goTo, visit } from "./visitor.ts";

const picture = new URL("../../src/docs/console.png", import.meta.url);
const size = { width: 1280, height: 800 };

/** Returns the width and height of a PNG. */
function readSize(png: Uint8Array<ArrayBuffer>): typeof size {
  const view = new DataView(png.buffer, png.byteOffset);
  assert.equal(view.getUint32(0), 0x89504e47);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

browserTest("the README begins with a picture of the console that can be taken again", async (browser) => {
  await using app = await startApp();
  const admin = await fillCompany(app);
  await app.deps.db.write([{ sql: "update users set locale = 'en-GB' where id = ?", args: [admin.id] }]);
  const session = await signedIn(app, admin);
  await using visitor = await visit(browser, { viewport: size });
  const { page } = visitor;
  await bringSession(page, session);
  await goTo(page, `${app.url}/app/cases?view=board&show=all`);
  await page.locator("[data-entity=case]").first().waitFor();
  const taken = new Uint8Array(await page.screenshot());
  if (Deno.env.get("PICTURE")) await Deno.writeFile(picture, taken);
  assert.deepEqual(readSize(taken), size);
  assert.deepEqual(readSize(new Uint8Array(await Deno.readFile(picture))), size);
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  assert.match(readme, /^# Wayline CRM\n\n!\[[^\]]+\]\(src\/docs\/console\.png\)\n/);
});
