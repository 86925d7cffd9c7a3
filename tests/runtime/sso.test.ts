import assert from "node:assert/strict";
import { setDrivers, signedInAs, thereAndBack } from "../identity/sso_world.ts";
import { send, startApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { startHrana } from "../support/hrana.ts";
import { startProvider } from "../support/openid.ts";
import { startWorker } from "../support/worker.ts";

/** The whole service is bundled: texts, recorded bodies and the viewer. */
async function checkDocumentation(origin: string): Promise<void> {
  for (
    const [path, words] of [
      ["/docs/leads", "escalated after acceptance"],
      ["/docs/webhooks", "lead_escalated"],
      ["/docs/reference/leads", "acceptLead"],
      ["/docs/assets/swagger-ui.js", "SwaggerUIBundle"],
    ] as const
  ) {
    const { status, text } = await send(origin + path, "GET", null);
    assert.equal(status, 200, path);
    assert.ok(text.includes(words), path);
  }
}

Deno.test("in workerd users sign in through a provider, with tokens signed by its keys only", async () => {
  const SECRETS_KEY = btoa("k".repeat(32));
  await using app = await startApp({ SECRETS_KEY });
  await using provider = startProvider(Date.now);
  const company = await app.company();
  await setDrivers(company, [{ provider_name: "Acme ID", issuer: provider.issuer, ...provider.client }]);
  await app.deps.db.write([{
    sql: "update users set sso_provider = 'Acme ID', sso_user_id = '4711' where id = ?",
    args: [company.admin.id],
  }]);
  const hrana = await startHrana({ path: app.file, token: "t" });
  const worker = await startWorker({
    vars: {
      DATABASE_URL: hrana.url,
      DATABASE_AUTH_TOKEN: "t",
      SECRETS_KEY,
      WEBHOOK_ALLOW_PRIVATE: "true",
      // Never used: sign-in shows no pictures.
      STORAGE_URL: "s3://crm?endpoint=http://127.0.0.1:9&region=eu-central-1",
      AWS_ACCESS_KEY_ID: "nobody",
      AWS_SECRET_ACCESS_KEY: "nothing",
    },
  });
  try {
    await checkDocumentation(worker.url);
    const browser = new Browser(worker.url);
    const path = `/auth/sso/${company.id}/Acme%20ID`;
    provider.lies = { signed: "by a key that it does not publish" };
    assert.equal((await thereAndBack(browser, path)).status, 502);
    provider.lies = {};
    const back = await thereAndBack(browser, path);
    assert.equal(back.status, 303, back.text);
    const [row] = await app.sql("select email from users where id = ?", company.admin.id);
    assert.equal(await signedInAs(browser), row!.email);
  } finally {
    await worker.close();
    await hrana.close();
  }
});
