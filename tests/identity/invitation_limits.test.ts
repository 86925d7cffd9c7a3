/** How often a company may mail one person an invitation. */
import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";

const hour = 3_600_000;

async function world(app: TestApp) {
  const company = await app.company();
  const { admin } = company;
  const path = `/v1/companies/${company.id}/invitations`;
  const create = (email = "charles@example.org") => admin.call("POST", path, { email });
  const resend = (id: number) => admin.call("POST", `${path}/${id}/resend`);
  const mails = async () => {
    await app.idle();
    return app.mailer.sent.filter(({ to }) => to.toLowerCase() === "charles@example.org").length;
  };
  return { company, admin, path, create, resend, mails };
}

Deno.test("an invitation is mailed five times an hour; beyond that 429 names the wait, and the link stays", async () => {
  await using app = await startApp();
  const { create, resend, mails } = await world(app);
  const { body } = await create();
  for (let n = 2; n <= 5; n++) assert.equal((await resend(body.id)).status, 202);
  const [before] = await app.sql("select token_hash, version from invitations");
  app.clock.move(60_000);
  const refused = await resend(body.id);
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"]);
  assert.equal(refused.headers.get("retry-after"), "3540");
  const policies = refused.headers.get("ratelimit-policy")!.split(", ");
  assert.deepEqual(policies, [
    '"invitation-mail";q=5;w=3600',
    '"user-mail";q=300;w=3600',
    '"company-mail";q=3000;w=3600',
  ]);
  assert.equal(await mails(), 5);
  assert.deepEqual(await app.sql("select token_hash, version from invitations"), [before]);
  app.clock.move(hour - 60_000);
  assert.equal((await resend(body.id)).status, 202);
});

Deno.test("inviting again counts alike, in any case of the address; others are not limited", async () => {
  await using app = await startApp();
  const { admin, path, create, mails } = await world(app);
  for (let n = 1; n <= 5; n++) {
    const { body } = await create(n % 2 ? "charles@example.org" : "Charles@Example.ORG");
    assert.equal((await admin.call("DELETE", `${path}/${body.id}`)).status, 204);
  }
  assert.equal((await create()).status, 429);
  assert.equal(await mails(), 5);
  assert.equal((await create("ada@example.org")).status, 201);
  const other = await app.company("Other");
  const theirs = `/v1/companies/${other.id}/invitations`;
  assert.equal((await other.admin.call("POST", theirs, { email: "charles@example.org" })).status, 201);
});

Deno.test("refused calls count nothing, and a repeated call gets the same answer", async () => {
  await using app = await startApp();
  const { admin, path, create, resend, mails } = await world(app);
  const first = await admin.call("POST", path, { email: "charles@example.org" }, { "Idempotency-Key": "a" });
  for (let n = 0; n < 6; n++) assert.equal((await create()).status, 422, "it is open already");
  for (let n = 2; n <= 5; n++) assert.equal((await resend(first.body.id)).status, 202);
  const again = await admin.call("POST", path, { email: "charles@example.org" }, { "Idempotency-Key": "a" });
  assert.equal(again.text, first.text);
  assert.equal(await mails(), 5);
});

Deno.test("ten concurrent calls send at most five mails", async () => {
  await using app = await startApp();
  const { create, resend, mails } = await world(app);
  const { body } = await create();
  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await resend(body.id)).status));
  assert.deepEqual(statuses.sort(), [202, 202, 202, 202, 429, 429, 429, 429, 429, 429]);
  assert.equal(await mails(), 5);
});
