import assert from "node:assert/strict";
import { exceptions } from "./exceptions.ts";
import { endpoints } from "./sweep.ts";

Deno.test("the sweeps have five exceptions, each for an operation that exists and with a reason", () => {
  assert.equal(exceptions.length, 5);
  const operations = new Set(endpoints.map(({ declared }) => declared.operation));
  for (const { operation, reason } of exceptions) {
    assert.ok(operations.has(operation), operation);
    assert.ok(reason.length > 20, operation);
  }
});
