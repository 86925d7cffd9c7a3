import assert from "node:assert/strict";
import { pathText } from "../../src/core/errors.ts";
import { documentPath } from "../../src/http/openapi_operation.ts";
import { type Body } from "../support/app.ts";
import { endpoints, prepare, sendPrepared, startFilled, sweep } from "./sweep.ts";
import { isWhole, takeSample } from "../support/sample.ts";

/** Members inside of a body that only some calls need: `operation path`. */
const sometimes = new Set([
  // For a provider that is new; else the secret stays.
  "updateSso [0].client_secret",
  // For a new record, not with the id of one that exists.
  "createLead account.fixed_fields",
  "createLead contact.fixed_fields",
  // For an e-mail.
  "createCampaign message.subject",
  "createCampaign message.content",
  "createCampaign message.sender",
  "testNewCampaign message.subject",
  "testNewCampaign message.content",
  "testNewCampaign message.sender",
  // For the strategy `distribute` alone.
  "createCampaign task.distribute_users",
]);

const title = "the document requires a member inside of a body exactly when the call without it is refused";

Deno.test(title, async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  const document = (await app.call(null, "GET", "/openapi.json")).body;
  const faults: string[] = [];
  let left = 0;
  await sweep(t, takeSample(endpoints), app, async (endpoint) => {
    const { declared } = endpoint;
    if (!declared.body || declared.multipart) return;
    const { body } = await prepare(place, endpoint);
    const operation = document.paths[documentPath(declared.path)][declared.method];
    const { schema } = operation.requestBody.content["application/json"];
    for (const path of membersIn(body)) {
      const requires = requiredAt(document, [schema], path);
      if (requires === null) continue;
      const call = await prepare(place, endpoint);
      const reply = await sendPrepared(app.url, { ...call, body: without(call.body, path) });
      const text = pathText(path);
      const isMissed = reply.status === 422 &&
        reply.body.errors.some((error: { path: string }) => error.path === text);
      left++;
      const name = `${declared.operation} ${text}`;
      if (isMissed !== requires && !sometimes.has(name)) {
        faults.push(`${name}: ${requires ? "required" : "optional"}, but ${reply.status} ${reply.text}`);
      }
    }
  });
  assert.deepEqual(faults, []);
  assert.ok(left > (isWhole ? 100 : 0), `${left} calls`);
});

/** Returns the paths of members inside of a body, of lists those of the first item. */
function membersIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== "object") return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((item) => [0, item])
    : Object.entries(value);
  return entries.flatMap(([key, item]) => {
    const own = [...path, key];
    const isMember = typeof key === "string" && path.length > 0;
    return [...(isMember ? [own] : []), ...membersIn(item, own)];
  });
}

function without(value: Body, [key, ...rest]: readonly (string | number)[]): Body {
  if (rest.length > 0) {
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copy[key!] = without(value[key!], rest);
    return copy;
  }
  const { [key!]: _, ...others } = value;
  return others;
}

/** Whether the schemas require the member; null where they differ or say nothing about it. */
function requiredAt(
  document: Body,
  schemas: readonly Body[],
  [key, ...rest]: readonly (string | number)[],
): boolean | null {
  const forms = schemas.flatMap((schema) => listForms(document, schema));
  if (typeof key === "number") {
    return requiredAt(document, forms.flatMap(({ items }) => items ? [items] : []), rest);
  }
  const objects = forms.filter(({ properties }) => properties && Object.hasOwn(properties, key!));
  if (objects.length === 0) return null;
  if (rest.length > 0) return requiredAt(document, objects.map(({ properties }) => properties[key!]), rest);
  const found = new Set(objects.map(({ required = [] }) => required.includes(key)));
  return found.size === 1 ? [...found][0]! : null;
}

/** Returns the schemas of a union, without references. */
function listForms(document: Body, schema: Body): Body[] {
  const own = schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema;
  const parts = own.anyOf ?? own.oneOf ?? own.allOf;
  return parts ? parts.flatMap((part: Body) => listForms(document, part)) : [own];
}
