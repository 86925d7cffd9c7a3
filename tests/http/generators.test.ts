/**
 * Clients that others generate from the OpenAPI document: a natural program compiles with each. `GENERATORS=all`
 * runs all generators, as `deno task test:long` does; else one.
 */
import assert from "node:assert/strict";
import tests from "../deno.json" with { type: "json" };
import long from "../long/deno.json" with { type: "json" };
import { startApp } from "../support/app.ts";
import { ofTests, runCommand, runOfLongTests, runOfTests } from "../support/process.ts";

/**
 * By generator: its arguments in a folder with `openapi.json`, and a program that uses the generated client.
 */
const generators: Readonly<
  Record<string, { readonly args: readonly string[]; readonly program: string }>
> = {
  "openapi-typescript": {
    args: [tests.imports["openapi-typescript"], "openapi.json", "-o", "schema.ts"],
    program: `
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

const api = createClient<paths>({ baseUrl: "http://127.0.0.1", headers: { Authorization: "Bearer token" } });
const client = { client_id: "my-client", client_secret: "my-secret" };
const granted = await api.POST("/auth/token", { body: { grant_type: "client_credentials", ...client } });
const token: string | undefined = granted.data?.access_token;
console.log(token);
const made = await api.POST("/v1/accounts", {
  params: { header: { "Idempotency-Key": "order-17" } },
  body: { fixed_fields: [{ name: "name", value: "Ada Ltd" }] },
});
if (made.error) throw new Error(made.error.detail);
const name: string = made.data.fixed_fields.map(({ value }) => typeof value === "string" ? value : "").join();
type Given = components["schemas"]["FieldValues"][number];
const valueIsRequired: { name: string } extends Given ? never : true = true;
const figures = { indicators: ["cases.closed" as const], group_by: ["team" as const] };
await api.GET("/v1/reports/metrics", { params: { query: figures } });
await api.POST("/v1/filemanager/files/company", {
  body: { file: new File(["Hello"], "hello.txt") },
  bodySerializer({ file }) {
    const form = new FormData();
    form.append("file", file as File);
    return form;
  },
});
await api.PUT("/v1/leads/{lead_id}/accept", { params: { path: { lead_id: "a" } } });
const filterIsRequired: {} extends components["schemas"]["FilterBody"] ? never : true = true;
console.log(filterIsRequired);
const leads = await api.GET("/v1/leads", { params: { query: { page: 1, per_page: 50 } } });
for (const lead of leads.data?.data ?? []) {
  const original: components["schemas"]["Account"] | null = lead.original_account;
  const mayBeNull: null extends typeof lead.original_account ? true : never = true;
  console.log(original?.id, lead.team?.name, name, mayBeNull, valueIsRequired);
}
`,
  },
  "@hey-api/openapi-ts": {
    args: [
      long.imports["@hey-api/openapi-ts"],
      "-i",
      "openapi.json",
      "-o",
      "client",
      "--no-log-file",
    ],
    program: `
import { createAccount, getLead, listLeads, uploadCompanyFile } from "./client/index.ts";
import { client } from "./client/client.gen.ts";

client.setConfig({ baseUrl: "http://127.0.0.1", auth: () => "token" });
const made = await createAccount({
  headers: { "Idempotency-Key": "order-17" },
  body: { fixed_fields: [{ name: "name", value: "Ada Ltd" }] },
});
if (made.error) throw new Error(made.error.detail);
console.log(made.data?.id);
await uploadCompanyFile({ body: { file: new File(["Hello"], "hello.txt") } });
const leads = await listLeads({ query: { page: 1, per_page: 50 } });
for (const lead of leads.data?.data ?? []) {
  const one = await getLead({ path: { lead_id: lead.id } });
  const original: string | undefined = one.data?.original_account?.id;
  const mayBeNull: null extends typeof lead.original_account ? true : never = true;
  console.log(original, lead.team?.name, mayBeNull);
}
`,
  },
  orval: {
    args: [
      long.imports.orval,
      "--input",
      "./openapi.json",
      "--output",
      "./crm.ts",
      "--client",
      "fetch",
    ],
    program: `
import { createAccount, getLead, listLeads, uploadCompanyFile } from "./crm.ts";

const call = { headers: { Authorization: "Bearer token" } };
const made = await createAccount({ fixed_fields: [{ name: "name", value: "Ada Ltd" }] }, call);
if (made.status !== 201) throw new Error(made.status === 422 ? made.data.detail : "refused");
console.log(made.data.id, made.headers.get("etag"));
await uploadCompanyFile({ file: new File(["Hello"], "hello.txt") }, {}, call);
const leads = await listLeads({ page: 1, per_page: 50 }, call);
if (leads.status === 200) {
  for (const lead of leads.data.data) {
    const one = await getLead(lead.id, call);
    if (one.status === 200) console.log(one.data.original_account?.id, lead.team?.name);
    const mayBeNull: null extends typeof lead.original_account ? true : never = true;
    console.log(mayBeNull);
  }
}
`,
  },
};

/** The generator of every run. The others are fetched when they are needed. */
const usual = "openapi-typescript";
const names = Deno.env.get("GENERATORS") === "all" ? Object.keys(generators) : [usual];

Deno.test("generators of clients read the document, and a natural program compiles with each", async (t) => {
  await using app = await startApp();
  const { text } = await app.call(null, "GET", "/openapi.json");
  for (const name of names) {
    const { args, program } = generators[name]!;
    await t.step(name, async () => {
      const folder = `${app.folder}/${name.replaceAll(/\W/g, "_")}`;
      await Deno.mkdir(folder);
      await Deno.writeTextFile(`${folder}/openapi.json`, text);
      await Deno.writeTextFile(`${folder}/program.ts`, program);
      const made = await runCommand([...(name === usual ? runOfTests : runOfLongTests), ...args], {
        CI: "true",
      }, {
        cwd: folder,
      });
      assert.equal(made.code, 0, made.stdout + made.stderr);
      // Some generators leave out the extensions of the files that they import.
      const check = [
        "check",
        "-q",
        "--unstable-sloppy-imports",
        ...ofTests,
        "program.ts",
      ];
      const checked = await runCommand(check, {}, { cwd: folder });
      assert.equal(checked.code, 0, checked.stderr);
    });
  }
});
