import assert from "node:assert/strict";
import { endpoints } from "../../src/app.ts";
import { type Body, startApp } from "../support/app.ts";
import { absent, type Documented, type Rule, unseen } from "./fields/rules.ts";
import { ofCompanies } from "./fields/companies.ts";
import { ofGuests } from "./fields/guests.ts";
import { ofOthers } from "./fields/others.ts";
import { ofUsers } from "./fields/users.ts";

/** The document, which every app builds alike. */
let built: Promise<Body> | undefined;

const tables = [...ofCompanies, ...ofUsers, ...ofGuests, ...ofOthers];

for (const { operation, of, success, elsewhere = [], open } of tables) {
  Deno.test(`the fields of ${of} keep these limits, and the OpenAPI document states them`, async (t) => {
    await using app = await startApp();
    const { rules, least, send } = await open(app);
    await t.step("the document has exactly these fields and limits", async () => {
      built ??= app.call(null, "GET", "/openapi.json").then(({ body }) => body);
      assert.deepEqual(readDocumented(await built, operation, elsewhere), tabulate(rules));
    });
    for (const { path, shown, checks } of rules) {
      for (const { says, taken = [], refused = [] } of checks) {
        await t.step(`${path} of ${of}: ${says}`, async () => {
          for (const [value, answered] of taken) {
            const reply = await send(withValue(least(), path, value));
            assert.equal(reply.status, success, reply.text.slice(0, 300));
            if (answered !== unseen && shown !== unseen) {
              assert.deepEqual(valueAt(reply.body, shown), answered);
            }
          }
          for (const [value, code, at = path] of refused) {
            const reply = await send(withValue(least(), path, value));
            assert.equal(reply.status, 422, `${JSON.stringify(value)?.slice(0, 100)}: ${reply.text}`);
            const errors = reply.body.errors.map((each: Body) => [each.path, each.code]);
            assert.deepEqual(errors, [[at, code]], JSON.stringify(value)?.slice(0, 100));
          }
        });
      }
    }
  });
}

Deno.test("every request body of administration has a table of its fields", () => {
  const administration =
    /^\/v1\/(?:companies|users|teams|groups|roles|applications|switch-team|reset-password|device-activation)\b/;
  const taken = endpoints.map(({ declared }) => declared)
    // The body of `/sso` has tests of its own.
    .filter(({ path, body }) => body !== undefined && administration.test(path) && !path.endsWith("/sso"));
  assert.deepEqual(
    taken.map(({ operation }) => operation).sort(),
    tables.map(({ operation }) => operation).sort(),
  );
});

/** Returns the body with a value at a path such as `billing.city`. */
function withValue(body: Body, path: string, value: unknown): object {
  const parts = path.split(".");
  const last = parts.pop()!;
  let here = body;
  for (const part of parts) here = here[part] ??= {};
  if (value === absent) delete here[last];
  else here[last] = value;
  return body;
}

/** Returns the value of an answer at a path; `*` stands for each item of a list. */
function valueAt(body: Body, path: string): unknown {
  const [first, ...rest] = path.split(".");
  if (body === null) return null;
  if (first === "*") return body.map((each: Body) => valueAt(each, rest.join(".")));
  return rest.length === 0 ? body[first!] : valueAt(body[first!], rest.join("."));
}

type Limits = Record<string, Documented>;

function tabulate(rules: readonly Rule[]): Limits {
  return Object.fromEntries(rules.map(({ path, documented }) => [path, documented]));
}

/** The document's schema of each field of an operation's body. */
function readDocumented(document: Body, operation: string, elsewhere: readonly string[]): Limits {
  const operations = Object.values<Body>(document.paths).flatMap((item) => Object.values<Body>(item));
  const { requestBody } = operations.find((each) => each.operationId === operation);
  const limits: Limits = {};
  const visit = (schema: Body, prefix: string) => {
    for (const [name, referred] of Object.entries<Body>(schema.properties)) {
      const field = resolveSchema(document, referred);
      const path = prefix + name;
      if (elsewhere.includes(path)) continue;
      limits[path] = readLimits(field, schema.required?.includes(name) ?? false);
      if (limits[path].type === "object") visit(field, `${path}.`);
    }
  };
  visit(resolveSchema(document, requestBody.content["application/json"].schema), "");
  return limits;
}

function resolveSchema(document: Body, schema: Body): Body {
  return schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema;
}

function readLimits(field: Body, required: boolean): Documented {
  // A value that may also be the object of an answer: the limits are those of the value.
  if (field.anyOf) {
    const value = field.anyOf.find(({ type }: Body) => type !== "object" && type !== "null");
    const isNullable = field.anyOf.some(({ type }: Body) => [type].flat().includes("null"));
    const limits = readLimits(value, required);
    return { ...limits, nullable: limits.nullable || isNullable };
  }
  const { type, minLength, maxLength, maxItems, enum: values } = field;
  const types: string[] = [type].flat();
  const given = { minLength, maxLength, maxItems, enum: values };
  return {
    type: types.filter((each) => each !== "null").join(),
    nullable: types.includes("null"),
    required,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
