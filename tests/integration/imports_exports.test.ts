/** Products and leads that an export writes, an import reads: exported again, the bytes are the same. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { importFile } from "./imports_world.ts";

async function exportText(app: TestApp, admin: Actor, entity: string, format: string): Promise<string> {
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
  Deno.test(`products and leads go out and come into another company the same, as ${format}`, async () => {
    await using app = await startApp();
    const place = await makeSales(app);
    const one = place.admin;
    const other = await makeSales(app);
    const two = other.admin;
    for (const [n, name] of ["Works", "=1+1", "'#N/A", "#N/A", "+31 6", "'=x", 'a|b, "c"'].entries()) {
      const category = await one.call("POST", "/v1/products/categories", { name: `${name} ${n}` });
      assert.equal(category.status, 201, category.text);
      const product = await one.call("POST", "/v1/products", {
        fixed_fields: nameFields({
          name,
          list_price: n + 0.25,
          type: n % 2 ? "product" : "service",
          tax: 19,
        }),
        category: { id: n === 3 ? [] : [category.body.id] },
      });
      assert.equal(product.status, 201, product.text);
      await place.lead({
        b2c: n % 2 === 0,
        lead_source: name,
        interest: n === 2 ? null : `${name}\nmore`,
        external_weight: n === 0 ? null : n,
        lead_data: n === 4 ? [] : [{ key: "Model", value: name }, { key: `Key ${n}`, value: "x" }],
        account: { fixed_fields: nameFields({ name, country: "DE" }) },
        contact: {
          fixed_fields: nameFields({
            first_name: name,
            last_name: "Byron",
            phone_number: "+44 20 7946 0000",
          }),
          consent: { email: { consent_given: n % 2 === 0 } },
        },
        created_at: `2026-01-0${n + 1} 11:00:00`,
      });
    }
    for (const entity of ["products", "leads"]) {
      const text = await exportText(app, one, entity, format);
      const form: Record<string, string> = entity === "leads" ? { team_id: String(other.dealer) } : {};
      const done = await importFile(app, two, text, { entity, format, ...form });
      assert.deepEqual([done.counts.created, done.counts.failed], [7, 0], JSON.stringify(done));
      assert.deepEqual(done.unmapped, []);
      assert.equal(await exportText(app, two, entity, format), text);
    }
  });
}
