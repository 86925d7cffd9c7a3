import assert from "node:assert/strict";
import { crm } from "../../src/cli/crm.ts";
import { noContent } from "../../src/core/answer.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { commit } from "../../src/db/commit.ts";
import { ensureBootstrapClient } from "../../src/identity/applications/bootstrap.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { inFolderOnDisk } from "../support/engines.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { commandArguments } from "../support/service.ts";

const company = [
  "company",
  "create",
  "--name",
  "Nordlicht",
  "--first-name",
  "Ada",
  "--last-name",
  "Lovelace",
];

/** Runs the command line. The word after `--password` answers the password prompt. */
async function run(app: TestApp | null, ...typed: string[]) {
  const at = typed.indexOf("--password");
  const args = typed.filter((_, index) => at < 0 || index !== at + 1);
  const [out, error]: [string[], string[]] = [[], []];
  const env = app ? { DATABASE_URL: `file:${app.file}`, LOG_LEVEL: "off" } : { DATABASE_URL: "nonsense" };
  const code = await crm(args, env, {
    out: (line) => out.push(line),
    error: (line) => error.push(line),
    ask: () => Promise.resolve(typed[at + 1]!),
  });
  return {
    code,
    out,
    error,
    value: (name: string) => out.find((line) => line.startsWith(name))?.split(/:\s+/)[1],
  };
}

async function signIn(app: TestApp, username: string, password: string) {
  const client = await newClient(app, true);
  return await askToken(app, { grant_type: "password", ...client, username, password });
}

Deno.test("company create makes a company and an admin, and prints a password that works", async () => {
  await using app = await startApp();
  const made = await run(app, ...company, "--email", "ada@example.org", "--timezone", "Europe/Berlin");
  assert.deepEqual([made.code, made.error], [0, []]);
  const { body } = await signIn(app, "ada@example.org", made.value("password")!);
  const me = await app.call(body.access_token, "GET", "/v1/me");
  assert.deepEqual(
    [me.body.company.id, me.body.company.name, me.body.company.timezone.name, me.body.user_type.name],
    [Number(made.value("company")), "Nordlicht", "Europe/Berlin", "admin"],
  );
});

Deno.test("company create accepts a password and does not print it", async () => {
  await using app = await startApp();
  const made = await run(app, ...company, "--email", "ada@example.org", "--password", "correct horse");
  assert.deepEqual([made.code, made.value("password")], [0, undefined]);
  assert.equal((await signIn(app, "ada@example.org", "correct horse")).status, 200);
});

Deno.test("client create makes a client that acts for a user, trusted only with --trusted", async () => {
  await using app = await startApp();
  const made = await run(app, ...company, "--email", "ada@example.org");
  const owner = ["--company", made.value("company")!, "--user", "ADA@example.org"];
  for (const [flags, expected] of [[[], 403], [["--trusted"], 422]] as const) {
    const client = await run(app, "client", "create", "--name", "Shop", ...owner, ...flags);
    assert.equal(client.code, 0);
    const { body } = await askToken(app, {
      grant_type: "client_credentials",
      client_id: client.value("client_id"),
      client_secret: client.value("client_secret"),
    });
    assert.equal((await app.call(body.access_token, "GET", "/v1/me")).body.email, "ada@example.org");
    assert.equal((await app.call(body.access_token, "POST", "/v1/companies", {})).status, expected);
  }
});

Deno.test("client create makes a trusted client without a company", async () => {
  await using app = await startApp();
  const client = await run(app, "client", "create", "--name", "Ops", "--trusted");
  assert.equal(client.code, 0);
  const [row] = await app.sql("select company_id, user_id, trusted from applications");
  assert.deepEqual(row, { company_id: null, user_id: null, trusted: 1 });
});

Deno.test("password reset gives a new password and ends the user's tokens", async () => {
  await using app = await startApp();
  await run(app, ...company, "--email", "ada@example.org", "--password", "correct horse");
  const { body } = await signIn(app, "ada@example.org", "correct horse");
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).status, 200);
  const reset = await run(app, "password", "reset", "--email", "Ada@example.org");
  assert.equal(reset.code, 0);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).status, 401);
  assert.equal((await signIn(app, "ada@example.org", "correct horse")).status, 400);
  assert.equal((await signIn(app, "ada@example.org", reset.value("password")!)).status, 200);
  const [left] = await app.sql("select count(*) as n from refresh_tokens");
  assert.deepEqual(left, { n: 1 });
  assert.equal(
    (await run(app, "password", "reset", "--email", "ada@example.org", "--password", "another horse")).code,
    0,
  );
  assert.equal((await signIn(app, "ada@example.org", "another horse")).status, 200);
});

Deno.test("company domain sets the sender's domain of campaigns, which comes before the slug; none takes it away", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const set = (domain: string, company = String(id)) =>
    run(app, "company", "domain", "--company", company, "--domain", domain);
  const domain = async () => (await admin.call("GET", "/v1/campaigns/settings")).body.domain;
  assert.equal((await set("Mail.Example.com")).code, 0);
  assert.equal(await domain(), "mail.example.com");
  const message = { subject: "x", content: "x", sender: "x" };
  const draft = { name: "Spring", type: "email", approved: false, message, filter: [] };
  assert.equal((await admin.call("POST", "/v1/campaigns", draft)).status, 201);
  for (const wrong of ["no domain", "example", "a@b.de", "a-.de", "a..de"]) {
    assert.deepEqual([(await set(wrong)).code, await domain()], [1, "mail.example.com"], wrong);
  }
  assert.equal((await set("example.com", "999999")).code, 1);
  assert.equal((await set("none")).code, 0);
  assert.equal(await domain(), null);
});

Deno.test("a refused command ends with 1 and names the options; wrong usage ends with 2", async () => {
  await using app = await startApp();
  await run(app, ...company, "--email", "ada@example.org");
  const cases: [string[], number, string[]][] = [
    [[...company, "--email", "ADA@example.org"], 1, ["--email: A user already has this e-mail address."]],
    [
      [...company, "--email", "x", "--password", "short", "--timezone", "Mars"],
      1,
      [
        "--timezone: Must be the name of an IANA time zone.",
        "--email: Must be an e-mail address.",
        "--password: At least 7 characters.",
      ],
    ],
    [["company", "create", "--name", "X"], 2, [
      "--email, --first-name, --last-name must be given; see --help.",
    ]],
    [["client", "create", "--name", "X"], 1, ["--trusted: A client of no company must be trusted."]],
    [["client", "create", "--name", "X", "--company", "1"], 1, ["--user: Must be given with --company."]],
    [["client", "create", "--name", "X", "--user", "x"], 1, ["--company: Must be given with --user."]],
    [
      ["client", "create", "--name", "X", "--company", "77", "--user", "ada@example.org"],
      1,
      ["Company 77 has no user with the e-mail ada@example.org."],
    ],
    [["password", "reset", "--email", "nobody@example.org"], 1, ["No user has this e-mail address."]],
    [["password", "reset", "--email", "ada@example.org", "--password", "nine char"], 1, [
      "--password: At least 10 characters.",
    ]],
    [["password", "reset"], 2, ["--email must be given; see --help."]],
    [["client", "rotate"], 2, ["--client must be given; see --help."]],
    [["client", "rotate", "--client", "x"], 1, ["There is no client x."]],
    [["client", "delete", "--client", "x"], 1, ["There is no client x."]],
    [["client", "list", "--company", "Acme"], 1, ["--company: Must be the id of a company."]],
    ...[
      ["company", "restore"],
      ["company", "domain", "--domain", "none", "--company"],
      ["client", "create", "--name", "X", "--user", "ada@example.org", "--company"],
    ].map((words): [string[], number, string[]] => [[...words, "1e3"], 1, [
      `${words[1] === "restore" ? "ID" : "--company"}: Must be the id of a company.`,
    ]]),
    [["company", "destroy"], 2, ['There is no command "company destroy"; see --help.']],
    [["password", "reset", "--mail", "x"], 2, ["Unknown option '--mail'; see --help."]],
  ];
  for (const [args, code, error] of cases) {
    const result = await run(app, ...args);
    assert.deepEqual([result.code, result.error, result.out], [code, error, []], args.join(" "));
  }
  const [rows] = await app.sql(
    "select (select count(*) from companies) c, (select count(*) from applications) a",
  );
  assert.deepEqual(rows, { c: 1, a: 0 });
});

Deno.test("--help lists the commands; without a command the same list ends with 2", async () => {
  const help = await run(null, "--help");
  assert.equal(help.code, 0);
  for (
    const name of [
      "company create",
      "company list",
      "client create",
      "client list",
      "client rotate",
      "client delete",
      "password reset",
      "mail list",
    ]
  ) {
    assert.ok(help.out.join("\n").includes(`\n  ${name}`), name);
  }
  assert.deepEqual([(await run(null)).code, (await run(null)).out], [2, help.out]);
});

Deno.test("--version prints the version of the API document", async () => {
  await using app = await startApp();
  const { version } = (await app.call(null, "GET", "/openapi.json")).body.info;
  assert.match(version, /^\d+\.\d+\.\d+$/);
  const { code, out, error } = await run(null, "--version");
  assert.deepEqual([code, out, error], [0, [`Wayline CRM ${version}`], []]);
});

Deno.test("a wrong setting ends with one line that names it", async () => {
  const { code, error } = await run(null, "password", "reset", "--email", "x@example.org");
  assert.equal(code, 1);
  assert.match(error.join(), /^DATABASE_URL must be/);
});

Deno.test("the task runs with its permissions and ends with the exit code", () =>
  inFolderOnDisk(async (folder) => {
    const task = (...args: string[]) =>
      new Deno.Command(Deno.execPath(), {
        args: ["task", "-q", "crm", ...args],
        cwd: new URL("../../", import.meta.url),
        env: { DATABASE_URL: `file:${folder}/crm.db` },
        stdin: "null",
      }).output();
    const made = await task("client", "create", "--name", "Ops", "--trusted");
    const text = new TextDecoder();
    assert.equal(made.code, 0, text.decode(made.stderr));
    assert.match(text.decode(made.stdout), /^client_id: {5}\S+\nclient_secret: \S{43}\n$/);
    const refused = await task("password", "reset", "--email", "nobody@example.org");
    assert.equal(refused.code, 1);
    assert.equal(text.decode(refused.stderr).trim(), "No user has this e-mail address.");
  }));

Deno.test("mail list shows unsent mails with their text, optionally of one recipient", async () => {
  await using app = await startApp();
  assert.deepEqual((await run(app, "mail", "list")).out, ["There is none."]);
  const now = app.clock.now();
  const mails = ["ann", "bob"].map((name) => ({
    to: `${name}@example.org`,
    subject: "Your link",
    text: `Hello ${name}\nhttps://crm.example/reset\n`,
  }));
  const author = { deps: { ...app.deps, wakeMails: () => {} }, now, at: formatTimestamp(now) };
  await commit(author, { statements: [], mails, answer: noContent });
  const { code, out } = await run(app, "mail", "list", "--to", "bob@example.org");
  assert.equal(code, 0);
  assert.deepEqual(out, [
    "2026-03-02 09:00:00  pending",
    "To: bob@example.org",
    "Subject: Your link",
    "",
    "    Hello bob",
    "    https://crm.example/reset",
    "",
  ]);
  assert.equal((await run(app, "mail", "list")).out.filter((line) => line.startsWith("To: ")).length, 2);
});

Deno.test("company list and client list print one line each and no terminal control characters", async () => {
  await using app = await startApp();
  assert.deepEqual((await run(app, "company", "list")).out, ["There is none."]);
  assert.deepEqual((await run(app, "client", "list")).out, ["There is none."]);
  await run(app, ...company, "--email", "ada@example.org");
  await app.deps.db.write([{ sql: "update companies set name = ?", args: ["Nord\u001b[2J\nlicht"] }]);
  const [{ id, created_at } = {}] = await app.sql("select id, created_at from companies");
  assert.deepEqual((await run(app, "company", "list")).out, [
    `${id}  Nord [2J licht  1 user  created ${created_at}`,
  ]);
  const shop = await run(
    app,
    "client",
    "create",
    "--name",
    "Shop",
    "--company",
    `${id}`,
    "--user",
    "ada@example.org",
  );
  const ops = await run(app, "client", "create", "--name", "Ops", "--trusted");
  const hint = (made: typeof shop) => made.value("client_secret")!.slice(-4);
  const lines = [
    `${shop.value("client_id")}  Shop  company ${id} (Nord [2J licht)` +
    `  user ada@example.org  secret …${hint(shop)}`,
    `${ops.value("client_id")}  Ops  no company  no user  secret …${hint(ops)}  trusted`,
  ];
  assert.deepEqual((await run(app, "client", "list")).out, lines);
  assert.deepEqual((await run(app, "client", "list", "--company", `${id}`)).out, lines.slice(0, 1));
  assert.deepEqual((await run(app, "client", "list", "--company", `${Number(id) + 1}`)).out, [
    "There is none.",
  ]);
});

Deno.test("client rotate keeps the old secret working; client delete ends both and the tokens", async () => {
  await using app = await startApp();
  // The command line goes by the system's clock.
  app.clock.move(Date.now() - app.clock.now());
  const made = await run(app, "client", "create", "--name", "Ops", "--trusted");
  const client_id = made.value("client_id")!;
  const ask = (client_secret: string) =>
    askToken(app, { grant_type: "client_credentials", client_id, client_secret });
  const rotated = await run(app, "client", "rotate", "--client", client_id);
  assert.deepEqual([rotated.code, rotated.out.length, rotated.error], [0, 1, []]);
  const secrets = [made.value("client_secret")!, rotated.value("client_secret")!];
  for (const secret of secrets) assert.equal((await ask(secret)).status, 200);
  const { body } = await ask(secrets[1]!);
  const call = () => app.call(body.access_token, "POST", "/v1/companies", {});
  assert.equal((await call()).status, 422);
  const deleted = await run(app, "client", "delete", "--client", client_id);
  assert.deepEqual([deleted.code, deleted.out], [0, ["The client and its tokens are deleted."]]);
  assert.equal((await call()).status, 401);
  for (const secret of secrets) assert.equal((await ask(secret)).status, 401);
  assert.deepEqual((await run(app, "client", "list")).out, ["There is none."]);
});

Deno.test("the client of BOOTSTRAP_CLIENT_ID cannot be rotated or deleted", async () => {
  await using app = await startApp({
    BOOTSTRAP_CLIENT_ID: "ops",
    BOOTSTRAP_CLIENT_SECRET: "a secret of sixteen",
  });
  await ensureBootstrapClient(app.deps);
  const { out } = await run(app, "client", "list");
  assert.match(out.join(), /^ops {2}Bootstrap {2}no company .* trusted {2}of BOOTSTRAP_CLIENT_ID$/);
  for (const verb of ["rotate", "delete"]) {
    const { code, error } = await run(app, "client", verb, "--client", "ops");
    assert.deepEqual([code, error], [
      1,
      ["BOOTSTRAP_CLIENT_ID names this client: change or unset the variable, then restart the service."],
    ]);
  }
});

Deno.test("a password is asked for without echo or read from standard input, never an argument", async () => {
  await using app = await startApp();
  await run(app, ...company, "--email", "ada@example.org");
  const reset = ["password", "reset", "--email", "ada@example.org", "--password"];
  const refused = await crm([...reset, "visible horse"], {}, {
    out: () => assert.fail(),
    error: (line) => assert.match(line, /^--password takes no value: /),
    ask: () => assert.fail(),
  });
  assert.equal(refused, 2);
  const command = [Deno.execPath(), ...commandArguments("crm", ...reset)].join(" ");
  const env = { DATABASE_URL: `file:${app.file}`, SECRETS_KEY: "", LOG_LEVEL: "off" };
  // `script` gives the command a terminal, whose echo would be part of what it shows.
  const waysIn = [["sh", "-c", command], ["script", "-qec", command, "/dev/null"]];
  for (const [index, [program, ...args]] of waysIn.entries()) {
    const password = `secret horse ${index}`;
    const child = new Deno.Command(program!, { args, env, stdin: "piped", stdout: "piped", stderr: "null" })
      .spawn();
    const writer = child.stdin.getWriter();
    let shown = "";
    const type = () => writer.write(new TextEncoder().encode(`${password}\n`));
    if (program === "sh") await type();
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      if (program === "script" && !shown.includes("Password: ") && (shown + part).includes("Password: ")) {
        await type();
      }
      shown += part;
    }
    await child.status;
    await writer.close().catch(() => {});
    assert.match(shown, /The password is changed\./, program);
    assert.doesNotMatch(shown, /horse/, program);
    assert.equal((await signIn(app, "ada@example.org", password)).status, 200, program);
  }
});

Deno.test("setup-code prints the code of the set-up, until there is a company", async () => {
  await using app = await startApp();
  const printed = await run(app, "setup-code");
  assert.deepEqual([printed.code, printed.error], [0, []]);
  assert.match(printed.out.join(), /^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{2}$/);
  await run(app, ...company, "--email", "ada@example.org");
  const after = await run(app, "setup-code");
  assert.deepEqual([after.code, after.out.length], [0, 1]);
  assert.doesNotMatch(after.out.join(), /[A-Z2-9]{4}-/);
});
