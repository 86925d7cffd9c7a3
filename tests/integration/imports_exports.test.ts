/** What an export writes, an import reads: exported again, the bytes are the same. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { imported } from "./imports_world.ts";

async function exported(app: TestApp, admin: Actor, entity: string, format: string): Promise<string> {
  const made = await admin.call("POST", "/v1/exports", { entity, format });
  assert.equal(made.status, 201, made.text);
  for (let run = 0; run < 20; run++) {
    await app.idle();
    const { body } = await admin.call("GET", `/v1/exports/${made.body.id}`);
    if (body.status === "done") {
      const file = await admin.call("GET", `/v1/files/${body.file_id}/download`);
      const link = file.headers.get("location")!;
      return await (await fetch(new URL(link, app.url))).text();
    }
    await runJobs(app.deps, app.clock.now());
  }
  throw new Error("the export is never done");
}

for (const format of ["csv", "ndjson"]) {
  Deno.test(`accounts and contacts go out and come into another company the same, as ${format}`, async () => {
    await using app = await startApp();
    const one = (await app.company()).admin;
    const two = (await app.company("Other")).admin;
    const fixed = (values: Record<string, string>) =>
      Object.entries(values).map(([name, value]) => ({ name, value }));
    for (const [n, name] of ["Works", "=1+1", "'#N/A", "#N/A", "+31 6", "'=x", 'a|b, "c"'].entries()) {
      const made = await one.call("POST", "/v1/accounts", {
        external_id: `A${n}`,
        fixed_fields: fixed({ name, city: name, country: "DE" }),
        created_at: `2026-01-0${n + 1} 10:00:00`,
      });
      assert.equal(made.status, 201, made.text);
      const person = await one.call("POST", `/v1/accounts/${made.body.id}/contacts`, {
        external_id: `C${n}`,
        fixed_fields: fixed({
          last_name: name,
          email: `p${n}@example.org`,
          phone_number: "+44 20 7946 0000",
        }),
        consent: { email: { consent_given: n % 2 === 0 } },
        created_at: `2026-01-0${n + 1} 11:00:00`,
      });
      assert.equal(person.status, 201, person.text);
    }
    for (const entity of ["accounts", "contacts"]) {
      const text = await exported(app, one, entity, format);
      const done = await imported(app, two, text, { entity, format });
      assert.deepEqual([done.counts.created, done.counts.failed], [7, 0], JSON.stringify(done));
      assert.equal(await exported(app, two, entity, format), text);
    }
  });
}
