import assert from "node:assert/strict";
import { exceptions } from "./exceptions.ts";
import { endpoints } from "./sweep.ts";

Deno.test("the sweeps have nineteen exceptions, each for an operation that exists and with a reason", () => {
  assert.equal(exceptions.length, 19);
  const operations = new Set(endpoints.map(({ declared }) => declared.operation));
  for (const { operation, reason } of exceptions) {
    assert.ok(operations.has(operation), operation);
    assert.ok(reason.length > 20, operation);
  }
});

Deno.test("every operation that takes a file is an exception to the sweep of extreme values", () => {
  const files = endpoints.filter(({ declared }) => declared.multipart).map(({ declared }) =>
    declared.operation
  );
  const named = exceptions.filter(({ rule }) => rule === "file").map(({ operation }) => operation);
  assert.deepEqual(named.sort(), files.sort());
});
