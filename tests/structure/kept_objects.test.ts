/** Every place that stores an object is on the list, with the time that the object lives and what bounds it. */
import assert from "node:assert/strict";
import { readSources } from "./imports.ts";

const sources = readSources(new URL("../../", import.meta.url));

interface Kept {
  readonly path: string;
  readonly lives: string;
  readonly bounded: string;
}

const quota = "counts against FILE_QUOTA";

const kept: readonly Kept[] = [
  {
    path: "src/identity/companies/logos.ts",
    lives: "as its company",
    bounded: "two of a company, 2 MiB each",
  },
  { path: "src/identity/users/picture.ts", lives: "as its user", bounded: "one of a user, 2 MiB" },
  { path: "src/insight/exports/make.ts", lives: "30 days (lifetimes.reportExport)", bounded: quota },
  { path: "src/insight/scheduled/keep.ts", lives: "as its file", bounded: quota },
  { path: "src/integration/exports/make.ts", lives: "30 days (lifetimes.recordExport)", bounded: quota },
  {
    path: "src/integration/imports/create.ts",
    lives: "30 days from the end of its import (lifetimes.importUndo)",
    bounded: quota,
  },
  { path: "src/library/files/create.ts", lives: "as its file", bounded: quota },
  { path: "src/library/files/replace.ts", lives: "as its file", bounded: quota },
  { path: "src/library/pictures/publish.ts", lives: "as its file", bounded: "one of a file, 2 MiB" },
  { path: "src/library/upload.ts", lives: "as its file", bounded: quota },
  {
    path: "src/messages/campaigns/make_letters.ts",
    lives: "as its campaign",
    bounded: "one of a recipient, 50 pages",
  },
  { path: "src/messages/inbound/receive.ts", lives: "as its file", bounded: quota },
  {
    path: "src/messages/previews/keep.ts",
    lives: "5 minutes (lifetimes.fileLink)",
    bounded: "makingPolicies.preview, and keptForMoment.bytes of a company",
  },
];

Deno.test("every place that stores an object says how long it lives and what bounds it", () => {
  const storing = /\b(?:announceObjects|announceStreamed|announceForMoment)\(|\.storage\.put(?:Stream)?\(/;
  const found = sources.filter(({ path, text }) => path !== "src/db/objects.ts" && storing.test(text))
    .map(({ path }) => path).sort();
  assert.deepEqual(found, kept.map(({ path }) => path));
  assert.deepEqual(kept.filter(({ lives, bounded }) => lives === "" || bounded === ""), []);
});
