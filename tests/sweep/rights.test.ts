import assert from "node:assert/strict";
import { isRight } from "../../src/core/rights.ts";
import type { Actor, Body, TestCompany } from "../support/app.ts";
import { columns, matrix, readMatrix } from "./matrix.ts";
import { readRights, type RightLine, rightsTable } from "./rights.ts";
import { endpoints, startApp } from "./sweep.ts";

const table = readRights(rightsTable);
const types = ["user", "team_admin", "group_admin", "admin"] as const;

Deno.test("the rights, in their groups, are those of the table", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body } = await admin.call("GET", "/v1/rights-groups");
  const shown = body.data.flatMap(({ name, rights }: Body) =>
    rights.map((right: Body) => {
      assert.equal(right.group, name);
      return {
        right: right.name,
        group: name,
        isDefault: right.default,
        assignable: right.assignable,
        dependencies: right.dependencies,
        userTypes: right.user_types ?? null,
      };
    })
  );
  assert.deepEqual(shown, table.map(({ opens: _, ...line }) => line));
});

Deno.test("each right opens exactly the operations of the table", () => {
  const guarded = endpoints.filter(({ declared }) => declared.right)
    .map(({ declared }) => `${declared.right} ${declared.operation}`);
  const written = table.flatMap(({ right, opens }) => opens.map((operation) => `${right} ${operation}`));
  assert.deepEqual(
    guarded.toSorted(),
    written.toSorted(),
    "The column `opens` of tests/sweep/rights.ts and the rights that endpoints ask for differ.",
  );
});

Deno.test("the matrix has each operation that needs more than the default rights with its right and without", () => {
  const lines = readMatrix(matrix, columns);
  for (const { right, opens } of table.filter(({ isDefault }) => !isDefault)) {
    for (const operation of opens) {
      const words = lines.filter((line) => line.operation === operation).map((line) => line.words);
      assert.ok(
        words.some((each) => each.includes(`+${right}`)),
        `${operation} +${right} is not in the matrix`,
      );
      assert.ok(
        words.some((each) => !each.includes(`+${right}`)),
        `${operation} without ${right} is not there`,
      );
    }
  }
});

Deno.test("a role's right is in force where its user types and its dependencies allow, and admins have all of theirs", async () => {
  await using app = await startApp();
  const company = await app.company();
  for (const line of table) {
    const [alone, whole] = [[line.right], [line.right, ...line.dependencies]];
    for (const type of types) {
      for (const given of line.dependencies.length > 0 ? [alone, whole] : [alone]) {
        const user = await withRights(company, type, given);
        const { body } = await user.call("GET", "/v1/me");
        assert.deepEqual(body.rights.toSorted(), inForce(type, given).toSorted(), `${type} with ${given}`);
      }
    }
  }
});

Deno.test("a role may name an assignable right, and only together with what it depends on", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const { right, assignable, dependencies } of table) {
    const alone = await admin.call("POST", "/v1/roles", { name: right, rights: [right] });
    assert.equal(
      alone.status,
      assignable && dependencies.length === 0 ? 201 : 422,
      `${right}: ${alone.text}`,
    );
    if (dependencies.length === 0) continue;
    const whole = await admin.call("POST", "/v1/roles", { name: right, rights: [right, ...dependencies] });
    assert.equal(whole.status, 201, `${right}: ${whole.text}`);
  }
});

async function withRights(company: TestCompany, type: typeof types[number], names: string[]): Promise<Actor> {
  return await company.user({ type, rights: names.filter(isRight) });
}

/** Returns the rights in force, according to the table alone. */
function inForce(type: string, given: readonly string[]): string[] {
  const works = ({ userTypes }: RightLine) => userTypes === null || userTypes.includes(type);
  const held = table.filter((line) =>
    works(line) && (type === "admin" || line.isDefault || given.includes(line.right))
  )
    .map(({ right }) => right);
  return table.filter((line) => held.includes(line.right))
    .filter((line) => line.dependencies.every((name) => held.includes(name)))
    .map(({ right }) => right);
}
