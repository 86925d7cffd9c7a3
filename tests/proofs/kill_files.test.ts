import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { killWhileStoring } from "./kill_files.ts";

const kills = Number(Deno.env.get("FILE_KILLS") ?? 2);

Deno.test(`every file survives ${kills} kills with its bytes, and no object is left without a row`, () =>
  inFolder(async (folder) => {
    const { answered, files } = await killWhileStoring(kills, folder);
    const outcome = `${JSON.stringify(Object.fromEntries(answered))} answered, ${files} files`;
    console.log(outcome);
    // Otherwise the test proves nothing.
    assert.ok(answered.size > 1 && files > 0, outcome);
  }));
