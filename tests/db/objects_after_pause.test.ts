/** After a pause of the jobs, for example while the service was down, rows age by an hour with each run. */
import assert from "node:assert/strict";
import { dropObjects, holdObjects } from "../../src/db/objects.ts";
import { runJobs } from "../../src/jobs.ts";
import { nameFields } from "../sales/leads_world.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { makeFile, makeMultipart, makePng } from "../support/pictures.ts";
import { filesIn } from "../support/s3.ts";

const hour = 3_600_000;

/** An app whose jobs have not run for five hours, and a company of it. */
async function startAfterPause() {
  const app = await startApp();
  await runAllJobs(app);
  app.clock.move(5 * hour);
  return { app, company: await app.company() };
}

async function runAllJobs(app: TestApp): Promise<void> {
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
}

/** Runs the jobs after each object is stored, and before the record that shows it is written. Returns their keys. */
function runJobsWhileStored(app: TestApp): readonly string[] {
  const { storage } = app.deps;
  const { put, putStream } = storage;
  const keys: string[] = [];
  const noteStored = (key: string) => {
    keys.push(key);
    return runAllJobs(app);
  };
  Object.assign(
    storage,
    {
      put: async (key, bytes, type) => {
        await put(key, bytes, type);
        await noteStored(key);
      },
      putStream: async (key, bytes, type) => {
        await putStream(key, bytes, type);
        await noteStored(key);
      },
    } satisfies Partial<typeof storage>,
  );
  return keys;
}

const listStored = (app: TestApp) => filesIn(`${app.folder}/files`);

Deno.test("after a pause of the jobs, the first run leaves the object of an upload in progress", async () => {
  const { app, company: { admin } } = await startAfterPause();
  await using _app = app;
  const keys = runJobsWhileStored(app);
  const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(9, 9)) });
  const reply = await admin.call("POST", `/v1/users/${admin.id}/profile-picture`, body);
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual([keys.length, listStored(app)], [1, [...keys]]);
});

Deno.test("after a pause of the jobs, the first run leaves the file of an export in progress", async () => {
  const { app, company: { admin } } = await startAfterPause();
  await using _app = app;
  await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Ada Ltd" }) });
  const keys = runJobsWhileStored(app);
  const made = await admin.call("POST", "/v1/exports", { entity: "accounts" });
  assert.equal(made.status, 201, made.text);
  await app.idle();
  assert.deepEqual(await app.sql("select status, attempts from exports"), [{ status: "done", attempts: 1 }]);
  assert.deepEqual([keys.length, listStored(app)], [1, [...keys]]);
});

Deno.test("after a pause of the jobs, the first run removes no object while a backup runs", async () => {
  const { app, company: { admin } } = await startAfterPause();
  await using _app = app;
  const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(9, 9)) });
  await admin.call("POST", `/v1/users/${admin.id}/profile-picture`, body);
  const keys = listStored(app);
  // It was dropped before the pause, so that it is old enough.
  const [hold, release] = holdObjects("running", app.clock.now());
  await app.deps.db.write([dropObjects(app.clock.now() - 5 * hour, keys), hold]);
  await runAllJobs(app);
  assert.deepEqual([keys.length, listStored(app)], [1, keys]);
  await app.deps.db.write([release]);
  await runAllJobs(app);
  assert.deepEqual(listStored(app), []);
});
