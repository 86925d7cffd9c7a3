import assert from "node:assert/strict";
import { guides } from "../../src/docs/guides.ts";
import { startApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { type Received, startTarget } from "../support/listener.ts";
import { runCommand } from "../support/process.ts";
import { findBlocks } from "./blocks.ts";

const token = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** A delivery as it arrives, signed now. */
async function delivery(): Promise<Received> {
  await using app = await startApp();
  app.clock.move(Date.now() - app.clock.now());
  const { admin } = await app.company();
  const target = startTarget();
  try {
    await admin.call("POST", "/v1/webhooks", {
      target_url: target.url,
      webhook_event: "*",
      verification_token: token,
    });
    await admin.call("POST", "/v1/accounts", {
      fixed_fields: [{ name: "name", value: "Müller & Söhne" }],
    });
    return await target.waitFor(() => true);
  } finally {
    await target.close();
  }
}

Deno.test("the snippets that verify a webhook accept a genuine delivery and reject a changed body or time", () =>
  inFolder(async (folder) => {
    const guide = guides.find(({ slug }) => slug === "webhooks")!;
    const blocks = findBlocks((await guide.load()).default);
    const snippet = (mark: string) => blocks.find((block) => block.mark === `run: ${mark}`)!.text;
    const { headers, body } = await delivery();
    const sent = Object.fromEntries(headers);
    const old = String(Number(sent["webhook-timestamp"]) - 3600);
    const cases = [
      { body, headers: sent, genuine: true },
      { body: new TextEncoder().encode("{}"), headers: sent, genuine: false },
      { body, headers: { ...sent, "webhook-timestamp": old }, genuine: false },
    ];

    const file = new URL(`../snippet_${Deno.pid}_webhook.ts`, import.meta.url);
    await Deno.writeTextFile(
      file,
      `${snippet("verify-typescript")}
      for (const { body, headers } of JSON.parse(Deno.args[0]!)) {
        const request = new Request("http://localhost", { method: "POST", body: new Uint8Array(body), headers });
        console.error((await receive(request)).status);
      }`,
    );
    const given = JSON.stringify(
      cases.map(({ body, headers }) => ({ body: [...body], headers })),
    );
    try {
      const args = ["run", "-q", "--no-check", "-A", file.pathname, given];
      const ran = await runCommand(args, { WEBHOOK_TOKEN: token });
      assert.equal(ran.code, 0, ran.stderr);
      assert.deepEqual(ran.stderr.trim().split("\n"), ["200", "401", "401"]);
      assert.match(ran.stdout, /^account_created /);
    } finally {
      await Deno.remove(file);
    }

    await Deno.writeTextFile(
      `${folder}/check.py`,
      `${snippet("verify-python")}
import json, sys
for case in json.loads(sys.argv[1]):
    print(verify("${token}", case["headers"], bytes(case["body"])))
`,
    );
    const python = await runCommand([`${folder}/check.py`, given], {}, {
      command: "python3",
    });
    assert.equal(python.code, 0, python.stderr);
    assert.deepEqual(python.stdout.trim().split("\n"), [
      "True",
      "False",
      "False",
    ]);

    for (const { body, headers, genuine } of cases) {
      await Deno.writeFile(`${folder}/body.json`, body);
      const ran = await runCommand(["-c", snippet("verify-shell")], {
        secret: token,
        id: headers["webhook-id"]!,
        timestamp: headers["webhook-timestamp"]!,
        signature: headers["webhook-signature"]!,
      }, { command: "bash", cwd: folder });
      assert.equal(
        ran.stdout.trim(),
        genuine ? "genuine" : "forged",
        ran.stderr,
      );
    }
  }));
