import assert from "node:assert/strict";
import { callMeanwhile } from "../support/race.ts";
import { startApp, type TestApp, type TestCompany } from "../support/app.ts";

const okta = {
  provider_name: "Okta",
  issuer: "https://acme.example.org",
  client_id: "crm",
  client_secret: "a-very-long-secret-h7sQ",
};
const azure = { ...okta, provider_name: "Entra ID", issuer: "https://login.example.org/acme/v2.0" };

const at = ({ id }: { id: number }) => `/v1/companies/${id}/sso`;

async function readStored(app: TestApp, company: TestCompany): Promise<string[]> {
  const rows = await app.sql(
    "select client_secret from sso_drivers where company_id = ? order by position",
    company.id,
  );
  return rows.map(({ client_secret }) => client_secret as string);
}

/** The errors as `path code`. */
async function readFaults(company: TestCompany, body: unknown): Promise<string[]> {
  const reply = await company.admin.call("PUT", at(company), body);
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors.map(({ path, code }: Record<string, string>) => `${path} ${code}`);
}

Deno.test("a company begins without drivers, and a PUT sets the whole list in its order", async () => {
  await using app = await startApp();
  const company = await app.company();
  assert.deepEqual((await company.admin.call("GET", at(company))).body, []);
  const set = await company.admin.call("PUT", at(company), [okta, azure]);
  assert.equal(set.status, 200, set.text);
  const shown = [okta, azure].map((driver) => ({ ...driver, client_secret: "••••h7sQ" }));
  assert.deepEqual(set.body, shown);
  assert.deepEqual((await company.admin.call("GET", at(company))).body, shown);
  await company.admin.call("PUT", at(company), [azure]);
  assert.deepEqual((await company.admin.call("GET", at(company))).body, shown.slice(1));
  await company.admin.call("PUT", at(company), []);
  assert.deepEqual((await company.admin.call("GET", at(company))).body, []);
});

Deno.test("secrets are stored encrypted, and shorter ones than twelve characters are masked whole", async () => {
  await using app = await startApp();
  const company = await app.company();
  const short = { ...azure, client_secret: "elevenchars" };
  const reply = await company.admin.call("PUT", at(company), [okta, short]);
  assert.deepEqual(reply.body.map((one: typeof okta) => one.client_secret), ["••••h7sQ", "••••"]);
  for (const secret of await readStored(app, company)) {
    assert.doesNotMatch(secret, /secret|eleven/);
    assert.ok(secret.length > 40);
  }
  assert.ok(!JSON.stringify(app.log.entries).includes("a-very-long-secret"));
});

Deno.test("the list can be written back, renamed and in another order, without losing secrets", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = { ...okta, provider_name: "Okta test", client_secret: "another-very-long-h7sQ" };
  await company.admin.call("PUT", at(company), [okta, azure, other]);
  const readSecrets = async () => {
    const { open } = await import("../../src/platform/crypto.ts");
    return (await readStored(app, company)).map((sealed) => open(app.deps.secretsKey, sealed));
  };
  const before = await readSecrets();
  const { body } = await company.admin.call("GET", at(company));
  await company.admin.call("PUT", at(company), body);
  assert.deepEqual(await readSecrets(), before);
  const renamed = body.map((one: typeof okta, index: number) => ({
    ...one,
    provider_name: index === 1 ? "Microsoft" : one.provider_name,
  })).reverse();
  assert.equal((await company.admin.call("PUT", at(company), renamed)).status, 200);
  assert.deepEqual(await readSecrets(), before.toReversed());
  const bare = renamed.map(({ client_secret: _, ...rest }: typeof okta) => rest);
  assert.equal((await company.admin.call("PUT", at(company), bare)).status, 200);
  assert.deepEqual(await readSecrets(), before.toReversed());
});

Deno.test("a stored secret does not move to another issuer or client", async () => {
  await using app = await startApp();
  const company = await app.company();
  await company.admin.call("PUT", at(company), [okta]);
  const masked = { ...okta, client_secret: "••••h7sQ" };
  const before = await readStored(app, company);
  assert.deepEqual(await readFaults(company, [{ ...masked, issuer: "https://evil.example.org" }]), [
    "[0].client_secret format",
  ]);
  assert.deepEqual(await readFaults(company, [{ ...masked, client_id: "other" }]), [
    "[0].client_secret format",
  ]);
  assert.deepEqual(await readFaults(company, [{ ...masked, client_secret: "••••none" }]), [
    "[0].client_secret format",
  ]);
  const { client_secret: _, ...bare } = azure;
  assert.deepEqual(await readFaults(company, [okta, bare]), ["[1].client_secret required"]);
  assert.deepEqual(await readStored(app, company), before);
});

Deno.test("only admins of the company read and set its drivers", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  await company.admin.call("PUT", at(company), [okta]);
  for (const type of ["user", "team_admin", "group_admin"] as const) {
    const user = await company.user({ type, teams: [team] });
    assert.equal((await user.call("GET", at(company))).status, 403, type);
    assert.equal((await user.call("PUT", at(company), [])).status, 403, type);
  }
  const stranger = (await app.company()).admin;
  assert.equal((await stranger.call("GET", at(company))).status, 404);
  assert.equal((await stranger.call("PUT", at(company), [])).status, 404);
  assert.equal((await readStored(app, company)).length, 1);
});

Deno.test("names are 1 to 60 letters, digits, spaces, dots, hyphens and underscores, and unique", async () => {
  await using app = await startApp();
  const company = await app.company();
  const makeDrivers = (...names: unknown[]) => names.map((provider_name) => ({ ...okta, provider_name }));
  assert.deepEqual(await readFaults(company, makeDrivers("")), [
    "[0].provider_name min",
    "[0].provider_name format",
  ]);
  assert.deepEqual(await readFaults(company, makeDrivers("x".repeat(61))), ["[0].provider_name max"]);
  for (const name of ["..", "a/b", "a?b", "-a", "a%2e", "a\\b", "a\nb"]) {
    assert.deepEqual(await readFaults(company, makeDrivers(name)), ["[0].provider_name format"], name);
  }
  assert.deepEqual(await readFaults(company, makeDrivers("a", "b", "a")), ["[2].provider_name unique"]);
  assert.deepEqual(await readFaults(company, makeDrivers(null)), ["[0].provider_name required"]);
  const fine = makeDrivers("a", "x".repeat(60), "Ünïon Co", "v2.0_a-b");
  assert.equal((await company.admin.call("PUT", at(company), fine)).status, 200);
});

Deno.test("issuer and client_id have at most 255 characters, secrets 1,024, and a company 20 drivers", async () => {
  await using app = await startApp();
  const company = await app.company();
  const issuer = (length: number) => "https://acme.example.org/".padEnd(length, "x");
  const fine = {
    ...okta,
    issuer: issuer(255),
    client_id: "x".repeat(255),
    client_secret: "x".repeat(1024),
  };
  assert.equal((await company.admin.call("PUT", at(company), [fine])).status, 200);
  assert.deepEqual(await readFaults(company, [{ ...fine, issuer: issuer(256) }]), ["[0].issuer max"]);
  assert.deepEqual(await readFaults(company, [{ ...fine, client_id: "x".repeat(256) }]), [
    "[0].client_id max",
  ]);
  assert.deepEqual(await readFaults(company, [{ ...fine, client_secret: "x".repeat(1025) }]), [
    "[0].client_secret max",
  ]);
  assert.deepEqual(await readFaults(company, [{ ...okta, client_id: "" }, { ...azure, client_secret: "" }]), [
    "[0].client_id min",
    "[1].client_secret min",
  ]);
  const many = Array.from({ length: 21 }, (_, index) => ({ ...okta, provider_name: `p${index}` }));
  assert.equal((await company.admin.call("PUT", at(company), many.slice(1))).status, 200);
  assert.deepEqual(await readFaults(company, many), [" max"]);
  assert.deepEqual(await readFaults(company, { 0: okta }), [" type"]);
});

Deno.test("an issuer is a public https address without query and fragment", async () => {
  await using app = await startApp({ WEBHOOK_ALLOW_PRIVATE: "false" });
  const company = await app.company();
  for (
    const issuer of [
      "acme",
      "http://acme.example.org",
      "ftp://acme.example.org",
      "https://127.0.0.1",
      "https://2130706433",
      "https://[::1]",
      "https://10.0.0.1/login",
      "https://169.254.169.254",
      "https://localhost",
      "https://user:word@acme.example.org",
      "https://acme.example.org?tenant=1",
      "https://acme.example.org#x",
      "https://acme.example.org/?",
    ]
  ) {
    assert.deepEqual(await readFaults(company, [azure, { ...okta, issuer }]), ["[1].issuer format"], issuer);
  }
  assert.equal((await company.admin.call("PUT", at(company), [okta])).status, 200);
});

Deno.test("where private targets are allowed an issuer may be a private address, and use http", async () => {
  await using app = await startApp();
  const company = await app.company();
  const reply = await company.admin.call("PUT", at(company), [{ ...okta, issuer: "http://127.0.0.1:9000" }]);
  assert.equal(reply.status, 200, reply.text);
});

Deno.test("the list has an ETag: unchanged it is 304, and a PUT with an old one is refused", async () => {
  await using app = await startApp();
  const company = await app.company();
  const first = await company.admin.call("PUT", at(company), [okta]);
  const etag = first.headers.get("etag")!;
  const same = await company.admin.call("GET", at(company), undefined, { "If-None-Match": etag });
  assert.equal(same.status, 304);
  await company.admin.call("PUT", at(company), [okta, azure]);
  const late = await company.admin.call("PUT", at(company), [], { "If-Match": etag });
  assert.equal(late.status, 412);
  assert.equal((await readStored(app, company)).length, 2);
});

Deno.test("a stored secret that is replaced while the list is written does not come back", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { body } = await admin.call("PUT", at(company), [okta]);
  const other = { ...okta, client_secret: "another-long-secret-x3Pz" };
  const reply = await callMeanwhile(
    app,
    admin,
    "PUT",
    at(company),
    () => admin.call("PUT", at(company), [other]),
    [{ ...body[0], provider_name: "Another" }],
  );
  assert.equal(reply.status, 422, await reply.text());
  assert.equal((await admin.call("GET", at(company))).body[0].client_secret, "••••x3Pz");
});

Deno.test("two concurrent PUTs leave one of both lists, whole", async () => {
  await using app = await startApp();
  const company = await app.company();
  const lists = [[okta], [azure], [azure, okta], [okta, azure]];
  const replies = await Promise.all(lists.map((list) => company.admin.call("PUT", at(company), list)));
  assert.deepEqual(replies.map(({ status }) => status), [200, 200, 200, 200]);
  const { body } = await company.admin.call("GET", at(company));
  const names = (list: { provider_name: string }[]) => list.map(({ provider_name }) => provider_name).join();
  assert.ok(lists.map(names).includes(names(body)));
});
