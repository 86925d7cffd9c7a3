import assert from "node:assert/strict";
import project from "../deno.json" with { type: "json" };
import { createApp, endpoints } from "../../src/app.ts";
import { eventNames, testEvent } from "../../src/core/events.ts";
import { meanings } from "../../src/http/problem_meanings.ts";
import { type Body, startApp } from "../support/app.ts";
import { grants } from "../../src/identity/auth/grants.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { projectRoot, runCommand, runOfTests } from "../support/process.ts";

Deno.test("the OpenAPI document passes the linter, and its examples fit their schemas", async () => {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(file, JSON.stringify(await documentOnce(), null, 1));
  const linter = project.imports["@redocly/cli"];
  const config = `${projectRoot}tests/http/redocly.yaml`;
  const args = [...runOfTests, linter, "lint", file, "--config", config, "--format=json"];
  const run = await runCommand(args, {
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    CI: "true",
  });
  await Deno.remove(file);
  assert.equal(run.code, 0, run.stdout + run.stderr);
  const { problems }: { problems: { ruleId: string }[] } = JSON.parse(run.stdout);
  const listed = [
    "no-ambiguous-paths",
    "no-path-trailing-slash",
    "operation-2xx-response",
    "operation-4xx-response",
  ];
  assert.deepEqual(problems.filter(({ ruleId }) => !listed.includes(ruleId)), []);
});

Deno.test("the document has one operation for every route, and no other", async () => {
  await using app = await startApp();
  const document = await documentOnce();
  // Preflight and the refusal of other methods are no operations, and the documentation and the console are for people.
  const routes = createApp(app.deps).routes.filter(({ method }) => method !== "OPTIONS" && method !== "ALL")
    .filter(({ path }) => path !== "/" && !/^\/(?:docs|app)(?:\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const operations = listOperations(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.equal(new Set(routes).size, routes.length, "a route is served twice");
  assert.deepEqual(operations.sort(), routes.sort());
});

Deno.test("every operation is named, and its bodies and answers are named schemas", async () => {
  const document = await documentOnce();
  const v1 = listOperations(document).filter(({ path }) => isConventional(path));
  assert.equal(v1.length, endpoints.length);
  for (const { operation, path } of v1) {
    const at = `${operation.operationId} ${path}`;
    assert.ok(operation.tags.length === 1 && operation.summary, at);
    assert.deepEqual(operation.security, [{ bearer: [] }, { oauth2: [] }], at);
    const bodies: Body[] = [
      operation.requestBody ?? {},
      ...Object.values(resolveResponses(document, operation)),
    ];
    for (const { content = {} } of bodies) {
      for (const { schema } of Object.values<Body>(content)) assert.ok(schema.$ref, at);
    }
    for (const parameter of operation.parameters ?? []) {
      const shown = parameter.example ?? parameter.schema.example ?? parameter.schema.enum;
      assert.ok(shown !== undefined, `${at}: ${parameter.name} has no example`);
    }
  }
});

Deno.test("descriptions are sentences with single spaces, and summaries are phrases", async () => {
  const texts: { kind: string; text: string }[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [kind, text] of Object.entries(value)) {
      if ((kind === "description" || kind === "summary") && typeof text === "string") {
        texts.push({ kind, text });
      } else collect(text);
    }
  };
  collect(await documentOnce());
  assert.ok(texts.length > 3_000, `${texts.length} texts`);
  const faulty = texts.filter(({ kind, text }) =>
    /\s{2}|^\s|\s$/.test(text) || (kind === "summary" ? text.endsWith(".") : !text.endsWith("."))
  );
  assert.deepEqual([...new Set(faulty.map(({ text }) => text))], []);
});

Deno.test("every operation declares its error codes", async () => {
  const document = await documentOnce();
  for (const { operation, method, path } of listOperations(document)) {
    if (!isConventional(path)) continue;
    const refusals = Object.entries<Body>(resolveResponses(document, operation)).filter(([status]) =>
      Number(status) >= 400
    );
    const wanted = ["401", "403", "404", "500", "503"];
    const writes = (operation.parameters ?? []).some(({ name }: Body) => name === "Idempotency-Key");
    if (method !== "get") wanted.push("422");
    if (writes) wanted.push("409");
    if (operation.requestBody) wanted.push("400", "408", "413", "415");
    const statuses = refusals.map(([status]) => status);
    for (const status of wanted) assert.ok(statuses.includes(status), `${method} ${path} lacks ${status}`);
    for (const [status, { description }] of refusals) {
      const codes = codesIn(description);
      assert.ok(codes.length > 0, `${method} ${path} ${status} names no code`);
      for (const [code, meaning] of codes) assert.ok(meaning.startsWith(status), `${code} is not ${status}`);
    }
  }
});

Deno.test("a GET of a record may answer 304 for an If-None-Match, and a list may not", async () => {
  const { paths } = await documentOnce();
  const offers = ({ get }: Body) => [
    "304" in get.responses,
    (get.parameters ?? []).some(({ name }: Body) => name === "If-None-Match"),
  ];
  assert.deepEqual(offers(paths["/v1/leads/{lead_id}"]), [true, true]);
  assert.deepEqual(offers(paths["/v1/me"]), [true, true]);
  assert.deepEqual(offers(paths["/v1/leads"]), [false, false]);
  assert.deepEqual(offers(paths["/v1/webhooks"]), [false, false]);
});

Deno.test("every endpoint accepts the example of its request body", async () => {
  const document = await documentOnce();
  const operations = listOperations(document);
  const taking = endpoints.filter(({ declared }) => declared.body && !declared.multipart);
  assert.ok(taking.length > 0);
  for (const { declared } of taking) {
    const { operation } = operations.find((one) => one.operation.operationId === declared.operation)!;
    const name = operation.requestBody.content["application/json"].schema.$ref.split("/").at(-1);
    const { example } = document.components.schemas[name];
    assert.ok(example !== undefined, `${name} has no example`);
    const parsed = declared.body!.safeParse(example);
    assert.ok(parsed.success, `${name}: ${parsed.error?.message}`);
  }
});

Deno.test("a reference that may be null is the schema or null, and no named schema is itself nullable", async () => {
  const { schemas } = (await documentOnce()).components;
  for (const [name, schema] of Object.entries<Body>(schemas)) {
    assert.ok(![schema.type].flat().includes("null"), `${name} is nullable`);
    for (const part of listSchemas(schema)) {
      const nullAndAll = (part.allOf ?? []).some(({ type }: Body) => [type].flat().includes("null"));
      assert.ok(!nullAndAll, `${name} holds what nothing satisfies: ${JSON.stringify(part)}`);
    }
  }
  const orNull = (name: string) => [{ $ref: `#/components/schemas/${name}` }, { type: "null" }];
  assert.deepEqual(schemas.Lead.properties.original_account.anyOf, orNull("Account"));
  assert.deepEqual(schemas.Lead.properties.original_contact.anyOf, orNull("Contact"));
  assert.deepEqual(schemas.Lead.properties.team.anyOf, orNull("EmbeddedTeam"));
  assert.deepEqual(schemas.Product.properties.category.anyOf, orNull("Category"));
});

Deno.test("every value has a type, and no default makes a field of a request required", async () => {
  const { schemas } = (await documentOnce()).components;
  for (const [name, schema] of Object.entries<Body>(schemas)) {
    for (const part of listSchemas(schema)) {
      for (const [key, value] of Object.entries<Body>(part.properties ?? {})) {
        // Files of forms are bytes, for which JSON has no type.
        const words = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "contentMediaType"];
        const typed = words.some((word) => word in value);
        assert.ok(typed, `${name}.${key} has no type`);
        assert.ok(!("default" in value), `${name}.${key} has a default`);
      }
    }
  }
  assert.ok(schemas.FieldValue.required.includes("value"));
  assert.deepEqual(schemas.UploadCompanyFile.required, ["file"]);
  assert.deepEqual(schemas.FieldValues.items.required, ["value"]);
  assert.match(schemas.AccountBody.properties.b2c.description, /Default: `false`/);
});

Deno.test("the document describes every event with the schema of its record and the headers of a delivery", async () => {
  const { webhooks, paths } = await documentOnce();
  assert.deepEqual(Object.keys(webhooks).sort(), [...eventNames, testEvent].sort());
  const getSchema = ({ content }: Body) => content["application/json"].schema.$ref;
  // A deletion by a merge names the record that it went to.
  const deleted: Readonly<Record<string, string>> = {
    account_deleted: "#/components/schemas/DeletedAccount",
    contact_deleted: "#/components/schemas/DeletedContact",
  };
  const read = (entity: string) =>
    entity === "timeline_event"
      ? "#/components/schemas/TimelineEvent"
      : getSchema(paths[records[entity]!].get.responses[200]);
  for (const [name, { post }] of Object.entries<Body>(webhooks)) {
    const entity = name === testEvent ? "webhook" : name.slice(0, name.lastIndexOf("_"));
    assert.equal(getSchema(post.requestBody), deleted[name] ?? read(entity), name);
    const headers = post.parameters.filter((one: Body) => one.in === "header");
    assert.deepEqual(headers.find((one: Body) => one.name === "X-Service-Event").schema.enum, [name]);
    const required = headers.filter((one: Body) => one.required).map((one: Body) => one.name);
    assert.deepEqual(required.sort(), [
      "X-Service-Delivery",
      "X-Service-Event",
      "X-Service-Sequence",
      "X-Timestamp",
    ]);
  }
});

/** Where the record of an event is read. */
const records: Readonly<Record<string, string>> = {
  account: "/v1/accounts/{account_id}",
  activity: "/v1/cases/{case_id}/activities/{activity_id}",
  case: "/v1/cases/{case_id}",
  contact: "/v1/contacts/{contact_id}",
  correspondence: "/v1/cases/{case_id}/correspondences/{correspondence_id}",
  lead: "/v1/leads/{lead_id}",
  note: "/v1/notes/{note_id}",
  product: "/v1/products/{product_id}",
  task: "/v1/tasks/{task_id}",
  team: "/v1/teams/{team_id}",
  user: "/v1/companies/{company_id}/users/{user_id}",
  webhook: "/v1/webhooks/{webhook_id}",
};

Deno.test("the document types requests of tokens by grant, and the answer as tokens", async () => {
  await using app = await startApp();
  const document = await documentOnce();
  const { schemas } = document.components;
  const { schema } = document.paths["/auth/token"].post.responses[200].content["application/json"];
  assert.equal(schema.$ref, "#/components/schemas/TokenAnswer");
  assert.ok(schemas.TokenAnswer.required.includes("access_token"));
  const { oneOf, discriminator } = schemas.TokenRequest;
  assert.equal(discriminator.propertyName, "grant_type");
  assert.deepEqual(Object.keys(discriminator.mapping).sort(), [...grants.keys()].sort());
  assert.deepEqual(oneOf.map(({ $ref }: Body) => $ref).sort(), Object.values(discriminator.mapping).sort());
  const client = await newClient(app, true);
  const { status, body } = await askToken(app, { grant_type: "device_code", ...client });
  assert.equal(status, 200);
  const { description } = document.paths["/auth/token"].post;
  for (const member of Object.keys(body)) assert.ok(description.includes(`\`${member}\``), member);
});

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: Body;
}

let asked: Promise<Body> | undefined;

/** Returns the document, which a service takes a third of a second to write. All tests share it, frozen. */
function documentOnce(): Promise<Body> {
  return asked ??= (async () => {
    await using app = await startApp();
    const { status, body } = await app.call(null, "GET", "/openapi.json");
    assert.equal(status, 200);
    assert.match(body.openapi, /^3\.1\./);
    return frozen(body);
  })();
}

function frozen(value: Body): Body {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

function listOperations(document: Body): Operation[] {
  return Object.entries<Body>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Body>(methods).map(([method, operation]) => ({ method, path, operation }))
  );
}

/** Returns the schema and all schemas inside it. */
function listSchemas(schema: Body): Body[] {
  const lists = [schema.allOf, schema.anyOf, schema.oneOf, Object.values(schema.properties ?? {})];
  const inner = [...lists.flatMap((list) => list ?? []), ...(schema.items ? [schema.items] : [])];
  return [schema, ...inner.flatMap(listSchemas)];
}

/** The answers of an operation by status, shared ones in full. */
function resolveResponses(document: Body, { responses }: Body): Body {
  const read = (response: Body) =>
    response.$ref ? document.components.responses[response.$ref.split("/").at(-1)] : response;
  return Object.fromEntries(Object.entries<Body>(responses).map(([status, one]) => [status, read(one)]));
}

/** The codes that a description names, with their meanings. */
function codesIn(description: string): [string, string][] {
  return Object.entries(meanings).filter(([code]) => description.includes(`\`${code}\``));
}

function isConventional(path: string): boolean {
  return (path.startsWith("/v1/") || path.startsWith("/upload/")) && !open.includes(path);
}

/**
 * Downloads, which browsers follow without a bearer token, and the path that mail servers call with their own
 * token.
 */
const open = ["/v1/files/{file_id}/public", "/v1/files/download/{download_token}", "/v1/mail/inbound"];
