/** What a target does with deliveries that it withdrew while the next ones were being claimed. */
import assert from "node:assert/strict";
import type { Due } from "../../src/delivery/webhooks/claim.ts";
import { Target } from "../../src/delivery/webhooks/pacing.ts";
import type { Result } from "../../src/delivery/webhooks/results.ts";

const due = (number: number) => ({ id: `d${number}`, entity: `team ${number}` }) as Due;
const answer = (duration_ms: number): Result => ({
  delivery_id: "d0",
  webhook_id: 1,
  number: 1,
  begun_after: 0,
  target_url: "http://127.0.0.1/",
  at: 0,
  steady_for: Infinity,
  signed: null,
  response_status: 200,
  succeeded: true,
  retry_at: null,
  response_excerpt: null,
  duration_ms,
  error: null,
});

Deno.test("later deliveries wait when earlier ones were withdrawn during their claim", () => {
  const target = new Target();
  for (let number = 0; number < 30; number++) target.add(due(number));
  const running = Array.from({ length: 10 }, () => target.next(0, false)!);
  // Claims the deliveries after the thirty that it has; then one answer is slow.
  target.state();
  target.noteAnswer(running[0]!, answer(500));
  const kept = target.queue.map(({ id }) => id);
  assert.ok(kept.length < 20, "it withdraws deliveries that would wait");
  target.add(due(30));
  assert.deepEqual(target.queue.map(({ id }) => id), kept);
  // The next claim begins with the withdrawn ones.
  target.state();
  target.add(due(10));
  assert.equal(target.queue.at(-1)!.id, "d10");
});
