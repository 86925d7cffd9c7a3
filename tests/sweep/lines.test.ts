import assert from "node:assert/strict";
import { z } from "zod";
import { endpoints } from "../../src/app.ts";
import { startApp } from "../support/app.ts";

/**
 * Members that may have several lines, white space at their ends, or any character, by the last name of their
 * path: texts of several lines, and secrets, which are taken as they are.
 */
const others = new Set([
  // HTML and other texts of several lines.
  "content",
  "content_suggestions[]",
  "description",
  "email",
  "interest",
  "message",
  "note",
  "comment",
  "reason",
  "rejection_reason",
  // Of lead data, whose values are texts of any kind.
  "value",
  "value[]",
  "value[][]",
  // Trimmed after the choice of its type, which this walk does not follow.
  "provider_user_id",
  // Its line breaks become blanks when it is used.
  "subject",
  // Secrets.
  "password",
  "old_password",
  "new_password",
  "client_secret",
  "verification_token",
  // Base64.
  "data",
  // Compared with what exists, not stored.
  "updated_at",
  "columns[]",
  "lead_sources[]",
  "rights[]",
]);

function isListed(path: string): boolean {
  // The id of a call in a batch comes back as it was sent.
  return others.has(path.split(".").at(-1)!) || /(fixed|custom)_fields\[\]\.name$/.test(path) ||
    path === "requests[].id";
}

interface Leaf {
  readonly path: string;
  readonly schema: z.ZodType;
}

/** Returns the members of a body that are not objects or lists, each once by its path. */
function listLeaves(schema: z.core.$ZodType, path: string): Leaf[] {
  const { _zod: { def } } = schema as z.core.$ZodTypes;
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).flatMap(([name, one]) =>
        listLeaves(one, path ? `${path}.${name}` : name)
      );
    case "array":
      return listLeaves(def.element, `${path}[]`);
    case "optional":
    case "nullable":
    case "default":
      return listLeaves(def.innerType, path);
    case "union":
      return def.options.flatMap((one) => listLeaves(one, path));
    case "pipe": {
      const first = def.in as z.core.$ZodTypes;
      return isWrapper(first) ? listLeaves(first, path) : [{ path, schema: schema as z.ZodType }];
    }
    default:
      return [{ path, schema: schema as z.ZodType }];
  }
}

function isWrapper({ _zod: { def } }: z.core.$ZodTypes): boolean {
  return ["object", "array", "optional", "nullable", "default", "union"].includes(def.type) ||
    def.type === "pipe" && isWrapper(def.in as z.core.$ZodTypes);
}

const parseText = (schema: z.ZodType, value: string) => {
  const result = schema.safeParse(value);
  return result.success ? result.data : undefined;
};

Deno.test("every text of a body is one line without white space at its ends, unless it is listed", () => {
  const faults: string[] = [];
  let lines = 0;
  for (const { declared } of endpoints) {
    if (!declared.body) continue;
    for (const { path, schema } of listLeaves(declared.body, "")) {
      if (schema instanceof z.ZodUnknown || isListed(path) || parseText(schema, "Abc") === undefined) {
        continue;
      }
      lines++;
      const at = `${declared.operation} ${path}`;
      if (parseText(schema, "\ufeff \u200bAbc\u00a0\n") !== "Abc") faults.push(`${at} keeps its ends`);
      for (const inside of ["\n", "\u0007", "\u202e", "\u2028"]) {
        if (parseText(schema, `A${inside}c`) !== undefined) {
          faults.push(`${at} takes ${JSON.stringify(inside)}`);
        }
      }
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(lines > 100, `${lines} lines`);
});

Deno.test("names, addresses and senders are trimmed when stored, and refused with control characters", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const group = await admin.call("POST", "/v1/groups", { name: "\ufeff North\u200b\n" });
  assert.deepEqual([group.status, group.body.name], [201, "North"]);
  const path = `/v1/companies/${(await admin.call("GET", "/v1/me")).body.company.id}/users`;
  const person = {
    email: " ada@köln.example\t",
    first_name: " Ada ",
    last_name: "Lovelace",
    password: "correct horse",
  };
  const user = await admin.call("POST", path, person);
  assert.equal(user.status, 201, user.text);
  assert.deepEqual([user.body.email, user.body.first_name], ["ada@köln.example", "Ada"]);
  const same = await admin.call("POST", path, { ...person, email: "ADA@xn--kln-sna.example" });
  assert.deepEqual([same.status, same.body.errors?.[0].code], [422, "unique"]);
  const codes = async (method: string, at: string, body: object) =>
    (await admin.call(method, at, body)).body.errors?.map((error: Record<string, string>) =>
      `${error.path} ${error.code}`
    );
  const me = `${path}/${admin.id}`;
  assert.deepEqual(await codes("PUT", me, { first_name: "A\nB", last_name: "C\u202eD" }), [
    "first_name format",
    "last_name format",
  ]);
  assert.deepEqual(await codes("PUT", me, { phone_number: "call me" }), ["phone_number format"]);
  assert.deepEqual(await codes("PUT", me, { email: `${"é".repeat(33)}@example.org` }), ["email format"]);
  const campaign = {
    name: "C",
    type: "email",
    message: { subject: "s", content: "<p>c</p>", sender: "me\nBcc: x" },
  };
  assert.deepEqual(await codes("POST", "/v1/campaigns", campaign), ["message.sender format"]);
});
