import assert from "node:assert/strict";
import { setDrivers, signedInAs, thereAndBack } from "../identity/sso_world.ts";
import { send, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { startProvider } from "../support/openid.ts";
import type { InWorkerd } from "./in_workerd.ts";

/** The whole service is bundled: texts, recorded bodies and the viewer. */
export async function checkDocumentation({ worker }: InWorkerd): Promise<void> {
  for (
    const [path, words] of [
      ["/docs/leads", "escalated after acceptance"],
      ["/docs/webhooks", "lead_escalated"],
      ["/docs/reference/leads", "acceptLead"],
      ["/docs/assets/swagger-ui.js", "SwaggerUIBundle"],
    ] as const
  ) {
    const { status, text } = await send(worker.url + path, "GET", null);
    assert.equal(status, 200, path);
    assert.ok(text.includes(words), path);
  }
}

export interface SignOn {
  readonly provider: ReturnType<typeof startProvider>;
  readonly companyId: number;
  readonly email: string;
}

/** A company whose admin signs in through the provider. */
export async function signOnThrough(provider: SignOn["provider"], app: TestApp): Promise<SignOn> {
  const company = await app.company();
  await setDrivers(company, [{ provider_name: "Acme ID", issuer: provider.issuer, ...provider.client }]);
  await app.deps.db.write([{
    sql: "update users set sso_provider = 'Acme ID', sso_user_id = '4711' where id = ?",
    args: [company.admin.id],
  }]);
  const [row] = await app.sql("select email from users where id = ?", company.admin.id);
  return { provider, companyId: company.id, email: String(row!.email) };
}

/** In workerd users sign in through a provider, with tokens signed by its keys only. */
export async function checkSignOn(
  { worker }: InWorkerd,
  { provider, companyId, email }: SignOn,
): Promise<void> {
  const browser = new Browser(worker.url);
  const path = `/auth/sso/${companyId}/Acme%20ID`;
  provider.lies = { signed: "by a key that it does not publish" };
  assert.equal((await thereAndBack(browser, path)).status, 502);
  provider.lies = {};
  const back = await thereAndBack(browser, path);
  assert.equal(back.status, 303, back.text);
  assert.equal(await signedInAs(browser), email);
}
