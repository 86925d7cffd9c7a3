import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { killWhileStoring } from "./kill_files.ts";

const kills = Number(Deno.env.get("FILE_KILLS") ?? 2);

Deno.test(`every file survives ${kills} kills with its bytes, and no object is left without a row`, () =>
  inFolder(async (folder) => {
    const { answered, cut, files } = await killWhileStoring(kills, folder);
    console.log(
      `${JSON.stringify(Object.fromEntries(answered))} answered, ${cut} interrupted, ${files} files`,
    );
    // Otherwise the test proves nothing.
    assert.ok(cut >= kills * 2 && files > 0, `${cut} interrupted, ${files} files`);
  }));
