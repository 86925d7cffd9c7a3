import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { BatchAnswers, BatchBody } from "./body.ts";
import { runBatch } from "./run.ts";

export const batchEndpoints: Endpoint[] = [
  endpoint({
    method: "post",
    path: "/v1/batch",
    operation: "batch",
    tag: "Integration",
    summary: "Send several calls at once",
    description:
      "Runs 1 to 50 calls one after the other. Each is a call of its own: its rights, limits, events and " +
      "answer are those of the single call, and there is no transaction over them. An error does not stop the " +
      "others, unless `stop_on_error` is true. Calls that are not run, also because the answers have reached " +
      "16 MiB, have the status 424. With the `Idempotency-Key` K, call n (from 0) has the key `K.n`, unless it " +
      "has its own: repeated, writes are replayed and reads run again.",
    body: BatchBody,
    reads: true,
    uncounted: true,
    answers: { 200: { description: "The answers, in the order of the calls.", schema: BatchAnswers } },
  }, (_, { body, outer }) => runBatch(outer!, body)),
];
