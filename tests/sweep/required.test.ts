import assert from "node:assert/strict";
import { documentPath } from "../../src/http/openapi_operation.ts";
import { type Body } from "../support/app.ts";
import { endpoints, prepare, type Prepared, sendPrepared, startFilled, sweep } from "./sweep.ts";
import { isWhole, takeSample } from "../support/sample.ts";

/**
 * Members that only some calls need, so that the document cannot require them: `operation member`. The call of
 * the sample needs them.
 */
const sometimes = new Set([
  // One or the other.
  "createUser password",
  "acceptInvitation password",
  "createActivity activity_type_ids",
  "createLead account",
  "createLead contact",
  "putFieldSort sort",
  // Both or neither.
  "createNote case_id",
  "createNote contact_id",
  "createNote account_id",
  // For a new record, not for one that exists.
  "putAccount fixed_fields",
  "putContact fixed_fields",
  // For a caller without a team of their own.
  "acceptLead user_id",
  "uploadGroupFile group_id",
  "uploadTeamFile team_id",
  // For an e-mail.
  "createCampaign message",
  "testNewCampaign message",
]);

const title =
  "the document requires a member of a body, or a parameter, exactly when the call without it is refused; " +
  "a body that may be empty is optional";

Deno.test(title, async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  const document = (await app.call(null, "GET", "/openapi.json")).body;
  const faults: string[] = [];
  let left = 0;
  await sweep(t, takeSample(endpoints), app, async (endpoint) => {
    const { declared } = endpoint;
    const operation = document.paths[documentPath(declared.path)][declared.method];
    const first = await prepare(place, endpoint);
    const compare = async (name: string, isRequired: boolean, without: (call: Prepared) => Prepared) => {
      const reply = await sendPrepared(app.url, without(await prepare(place, endpoint)));
      const isMissed = reply.status === 422 &&
        reply.body.errors.some(({ path }: { path: string }) => begins(path, name));
      left++;
      if (isMissed !== isRequired && !sometimes.has(`${declared.operation} ${name}`)) {
        const expected = isRequired ? "required" : "optional";
        faults.push(
          `${declared.operation} ${name}: ${expected}, but ${reply.status} ${reply.text}`,
        );
      }
    };
    const [path, query = ""] = first.path.split("?");
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in !== "query") continue;
      const has = new URLSearchParams(query).has(parameter.name);
      assert.ok(has || !parameter.required, `the sample of ${declared.operation} has no ${parameter.name}`);
      if (!has) continue;
      await compare(parameter.name, parameter.required === true, (call) => {
        const parameters = new URLSearchParams(call.path.split("?")[1]);
        parameters.delete(parameter.name);
        return { ...call, path: `${call.path.split("?")[0]}?${parameters}` };
      });
    }
    const { body } = first;
    if (!declared.body || declared.multipart || !isObject(body)) return;
    assert.ok(path);
    const { schema } = operation.requestBody.content["application/json"];
    const required: string[] = resolveName(document, schema).required ?? [];
    for (const name of required) {
      assert.ok(name in body, `the sample of ${declared.operation} has no ${name}`);
    }
    for (const name of Object.keys(body)) {
      await compare(name, required.includes(name), (call) => {
        const { [name]: _, ...others } = call.body as Body;
        return { ...call, body: others };
      });
    }
    if (operation.requestBody.required || required.length > 0) {
      assert.equal(operation.requestBody.required, true, declared.operation);
      const reply = await sendPrepared(app.url, { ...await prepare(place, endpoint), body: undefined });
      if (reply.status !== 422) faults.push(`${declared.operation}: takes no body, ${reply.status}`);
    }
  });
  assert.deepEqual(faults, []);
  assert.ok(left > (isWhole ? 250 : 0), `${left} calls`);
});

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether the path of an error names the member or something in it. */
function begins(path: string, name: string): boolean {
  const own = path.replace(/^query\./, "");
  return own === name || own.startsWith(`${name}.`) || own.startsWith(`${name}[`);
}

function resolveName(document: Body, schema: Body): Body {
  return schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema;
}
