/**
 * `deno run -A --config tests/deno.json tests/support/make_release.ts`: writes the database file of this
 * version and the answers of its API to tests/fixtures. Run it once for each released version.
 */
import assert from "node:assert/strict";
import { version } from "../../src/core/version.ts";
import { indexTexts } from "../../src/customers/texts/index_texts.ts";
import { fill, type Place } from "../sweep/place.ts";
import { endpoints, prepare } from "../sweep/sweep.ts";
import { startApp, type TestApp } from "./app.ts";
import {
  type Answer,
  findLosses,
  locateAnswers,
  locateDatabase,
  type Release,
  releaseKey,
  startRelease,
  tokenFor,
  writeZipped,
} from "./release.ts";
import { newFolder } from "./temporary.ts";

await make();

async function make(): Promise<void> {
  await using app = await startApp({ SECRETS_KEY: releaseKey });
  const place = await fill(app);
  // Indexes only some of the texts; the others wait.
  await indexTexts(app.deps, { rows: 1, until: performance.now() + 1 });
  const paths = await readable(place);
  await app.idle();
  const user_id = place.world.admin.id;
  const file = `${newFolder("wayline-release-")}/crm.db`;
  const now = app.clock.now();
  await app.deps.db.script(`vacuum into '${file}'`);
  Deno.mkdirSync(new URL(".", locateDatabase(version)), { recursive: true });
  await writeZipped(locateDatabase(version), Deno.readFileSync(file));
  await write({ now, user_id, answers: [] });
  const [first, again] = [await answers(paths, user_id), await answers(paths, user_id)];
  const lasting = first.filter((answer, n) => findLosses(answer.body, again[n]!.body).length === 0);
  assert.ok(lasting.length > 50, `only ${lasting.length} answers`);
  await write({ now, user_id, answers: lasting });
  console.log(`${locateDatabase(version).pathname}: ${lasting.length} answers`);
}

async function write(release: Release): Promise<void> {
  await writeZipped(locateAnswers(version), new TextEncoder().encode(JSON.stringify(release)));
}

/** Returns the path of every endpoint that the admin can read. */
async function readable(place: Place): Promise<string[]> {
  const paths: string[] = [];
  for (
    const endpoint of endpoints.filter(({ declared, access }) =>
      declared.method === "get" && access === "user"
    )
  ) {
    paths.push((await prepare(place, endpoint)).path);
  }
  return paths;
}

async function answers(paths: readonly string[], userId: number): Promise<Answer[]> {
  await using app: TestApp = await startRelease(version);
  const token = await tokenFor(app, userId);
  const found: Answer[] = [];
  for (const path of paths) {
    const { status, body } = await app.call(token, "GET", path);
    if (status === 200 && body !== undefined) found.push({ path, body });
  }
  return found;
}
