/** Runs every example of the guides that is marked to run, against a running service. */
import assert from "node:assert/strict";
import { fill } from "../../src/cli/seed/fill.ts";
import { guides } from "../../src/docs/guides.ts";
import { createClient } from "../../src/identity/applications/create.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { hashPassword } from "../../src/platform/crypto.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { runCommand } from "../support/process.ts";
import { blocksOf, fits } from "./blocks.ts";

const separator = "----- end of an example -----";

/** Variables of the guides: the origin, clients, users and ids of a demo company. */
async function demo(app: TestApp): Promise<Record<string, string>> {
  // The guides name ids of a new database.
  await app.deps.db.script("delete from sqlite_sequence");
  const { deps } = app;
  const now = deps.clock.now();
  const password = "correct horse battery";
  const { companyId, adminId, signIns } = await fill(deps.db, {
    seed: 1,
    now,
    contacts: 80,
    accounts: 60,
    cases: 10,
    leads: 10,
    teams: 5,
    users: 10,
    passwordHash: await hashPassword(password),
  });
  const client = await createClient({ deps, now, at: formatTimestamp(now) }, {
    name: "Demo",
    owner: { company_id: companyId, user_id: adminId },
    trusted: true,
  });
  const [dealer] = await app.sql(
    "select active_team_id as id from users where email = ?",
    signIns.dealer!,
  );
  const [other] = await app.sql(
    "select id from teams where company_id = ? and id <> ? and (group_id is null or group_id not in (select group_id from teams where id = ? and group_id is not null)) order by id limit 1",
    companyId,
    dealer!.id!,
    dealer!.id!,
  );
  const answer = await app.call(null, "POST", "/auth/token", {
    grant_type: "client_credentials",
    ...client,
  });
  return {
    crm: app.url,
    client_id: client.client_id,
    client_secret: client.client_secret,
    username: signIns.dealer!,
    password,
    token: answer.body.access_token,
    company: String(companyId),
    user: String(adminId),
    team: String(dealer!.id),
    other_team: String(other!.id),
    target: "http://127.0.0.1:9/crm",
  };
}

Deno.test("every example of the guides runs and prints the output below it", async (t) => {
  await using app = await startApp();
  const values = await demo(app);
  const counted: Record<string, number> = {};
  for (const { slug, load } of guides) {
    const examples = blocksOf((await load()).default).filter(({ mark }) => mark === "run");
    counted[slug] = examples.length;
    if (examples.length === 0) continue;
    await t.step(slug, async () => {
      const names = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
      const value = `value() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }`;
      const script = [
        ...names,
        value,
        ...examples.flatMap(({ text }) => [text, `echo '${separator}'`]),
      ];
      const ran = await runCommand(["-c", script.join("\n")], {}, {
        command: "bash",
        timeoutMs: 30_000,
      });
      assert.equal(ran.code, 0, ran.stderr);
      const outputs = ran.stdout.split(`${separator}\n`);
      for (const [index, { text, prints }] of examples.entries()) {
        if (prints === null) continue;
        const output = outputs[index]!.trim();
        if (prints.language === "json") {
          const got: Body = JSON.parse(output);
          assert.equal(
            fits(got, JSON.parse(prints.text)),
            null,
            `${text}\nprints ${output}`,
          );
        } else assert.equal(output, prints.text.trim(), text);
      }
    });
  }
  for (
    const slug of [
      "authentication",
      "errors",
      "lists",
      "idempotency",
      "visibility",
      "fields",
      "filters",
      "leads",
      "files",
    ]
  ) {
    assert.ok(counted[slug]! > 0, `${slug} has examples`);
  }
});

Deno.test("the snippets for OAuth libraries get a token and use it", async () => {
  await using app = await startApp();
  const { crm, client_id, client_secret } = await demo(app);
  const guide = guides.find(({ slug }) => slug === "authentication")!;
  const snippets = blocksOf((await guide.load()).default).filter(({ mark }) => mark?.startsWith("run: "));
  assert.deepEqual(snippets.map(({ mark }) => mark), [
    "run: oauth4webapi",
    "run: @badgateway/oauth2-client",
    "run: openid-client",
  ]);
  await Promise.all(snippets.map(async ({ mark, text }, index) => {
    const file = new URL(`../snippet_${Deno.pid}_${index}.ts`, import.meta.url);
    try {
      await Deno.writeTextFile(file, text);
      const ran = await runCommand([
        "run",
        "-q",
        "--no-check",
        "-A",
        file.pathname,
        crm!,
        client_id!,
        client_secret!,
      ], {});
      assert.equal(ran.code, 0, `${mark}: ${ran.stderr}`);
      assert.equal(ran.stdout.trim(), "admin@demo.example", mark!);
    } finally {
      await Deno.remove(file);
    }
  }));
});
