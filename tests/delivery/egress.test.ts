import assert from "node:assert/strict";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { insert } from "../../src/db/statements.ts";
import { webhooks } from "../../src/delivery/webhooks/record.ts";
import { makeNodeFetcher, type Resolver } from "../../src/platform/fetcher_node.ts";
import { makeWebFetcher } from "../../src/platform/fetcher_web.ts";
import { startApp } from "../support/app.ts";
import { startCanary } from "../support/canary.ts";
import { inFolderOnDisk } from "../support/engines.ts";
import { startTarget } from "../support/listener.ts";
import { nameFields } from "../sales/leads_world.ts";
import { type Company, minute, withCompany } from "./company.ts";
import { forbidden } from "./forbidden.ts";
import { migrateFile } from "../support/template.ts";

const post = { headers: {}, body: "{}", timeoutMs: 1_000 };
Deno.test("a private address is refused in sixty spellings, at subscribing and at sending", async () => {
  assert.ok(forbidden.length >= 60);
  const canary = startCanary();
  await using app = await startApp({ WEBHOOK_ALLOW_PRIVATE: "false" });
  const { admin } = await app.company();
  try {
    const targets = forbidden.map((host, n) => `http://${host}:${canary.port}/hook/${n}`);
    for (const target_url of targets) {
      const refused = await admin.call("POST", "/v1/webhooks", { target_url, webhook_event: "*" });
      assert.equal(refused.status, 422, target_url);
      const [{ path, code, message }, ...more] = refused.body.errors;
      assert.deepEqual([path, code, more], ["target_url", "format", []], target_url);
      assert.match(
        message,
        /^(The address (is not|is an|must not) .*|Must be an http or https URL)\.$/,
        target_url,
      );
    }
    // The state of targets that were subscribed before the rule existed.
    const stamps = { created_at: "2026-01-01 00:00:00", updated_at: "2026-01-01 00:00:00" };
    const whose = { company_id: admin.companyId, user_id: admin.id, event_name: "*", ...stamps };
    await app.deps.db.write(targets.map((target_url) => insert(webhooks, { ...whose, target_url })));
    await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Ada Ltd" }) });
    await app.idle();
    const sent = await app.sql(
      "select w.target_url, d.attempts, d.response_status, d.error from deliveries d " +
        "join webhooks w on w.id = d.webhook_id",
    );
    assert.equal(sent.length, targets.length);
    for (const { target_url, attempts, response_status, error } of sent) {
      assert.deepEqual([attempts, response_status], [1, null], String(target_url));
      assert.match(String(error), /^the address (is not|is an|must not) /, String(target_url));
    }
    const web = makeWebFetcher({ allowPrivate: false });
    for (const target of targets) await assert.rejects(web.post(target, post), { reason: "refused" }, target);
    assert.equal(canary.connections(), 0);
  } finally {
    canary.close();
  }
});

/** A resolver that gives its answers in turn, repeats the last one, and counts. */
function resolving(...answers: string[][]): { resolve: Resolver; asked: () => number } {
  let asked = 0;
  return {
    resolve: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)]!),
    asked: () => asked,
  };
}

/** Sends due deliveries to a name with these addresses. Returns the stored error. */
async function readError(company: Company, resolve: Resolver): Promise<string> {
  const fetcher = makeNodeFetcher({ allowPrivate: false, resolve });
  try {
    assert.equal(await deliverDue({ ...company.deps, fetcher }), 1);
    const [{ error } = {}] = await company.rows(
      "select error from delivery_attempts order by rowid desc limit 1",
    );
    return String(error);
  } finally {
    fetcher.close();
  }
}

const outside = "93.184.216.34";
const refused = /^the address of the host name is not a public address/;

Deno.test("a name with any private address is refused when sending", () =>
  withCompany(async (company) => {
    const canary = startCanary();
    try {
      await company.subscribe(`http://hooks.example.com:${canary.port}/`);
      await company.happens({});
      for (
        const addresses of [
          ["127.0.0.1"],
          ["::1"],
          [outside, "127.0.0.1"],
          [outside, "2606:2800:220:1::1", "10.0.0.8"],
          ["::ffff:7f00:1"],
          ["169.254.169.254"],
          ["64:ff9b::7f00:1"],
        ]
      ) {
        const { resolve, asked } = resolving(addresses);
        assert.match(await readError(company, resolve), refused, String(addresses));
        assert.equal(asked(), 1);
        company.clock.move(24 * 60 * minute);
      }
      assert.equal(canary.connections(), 0);
    } finally {
      canary.close();
    }
  }));

Deno.test({
  name: "the connection uses the checked address, even when the name changes afterwards",
  // Only loopback is allowed, so the runtime reports a connection to another address.
  permissions: { net: ["127.0.0.1", "[::1]"], read: true, write: true, env: true, sys: true, ffi: true },
  fn: () =>
    withCompany(
      async (company) => {
        const canary = startCanary();
        try {
          await company.subscribe(`http://hooks.example.com:${canary.port}/`);
          await company.happens({});
          const { resolve, asked } = resolving([outside], ["127.0.0.1"]);
          const error = await readError(company, resolve);
          assert.ok(error.includes(`net access to "${outside}:${canary.port}"`), error);
          assert.equal(asked(), 1);
          company.clock.move(minute);
          assert.match(await readError(company, resolve), refused);
          assert.equal(canary.connections(), 0);
        } finally {
          canary.close();
        }
      },
      "file",
      migrateFile,
      inFolderOnDisk,
    ),
});

Deno.test("a redirect into the service's own network is not followed", async () => {
  const canary = startCanary();
  const target = startTarget();
  const node = makeNodeFetcher({ allowPrivate: true });
  const fetchers = [node, makeWebFetcher({ allowPrivate: true })];
  try {
    for (const status of [300, 301, 302, 303, 307, 308]) {
      for (const host of ["127.0.0.1", "2130706433", "[::1]"]) {
        const location = `http://${host}:${canary.port}/`;
        target.answer({ status, headers: { location, refresh: `0; url=${location}` } });
        for (const fetcher of fetchers) assert.equal((await fetcher.post(target.url, post)).status, status);
      }
    }
    assert.equal(canary.connections(), 0);
  } finally {
    node.close();
    canary.close();
    await target.close();
  }
});
