import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { pause } from "../../src/platform/pause.ts";
import { startChild } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";
import { withMail } from "./mail_world.ts";

withMail(
  "a process sends each mail once when another connection holds the database for 12 s",
  async (world) => {
    const { smtp, env, folder, write, rows } = world;
    const count = 20;
    await write(
      ...Array.from({ length: count }, (_, n) => `n${n}@example.com`),
    );
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let taken = 0;
    smtp.onMail = async () => {
      const number = ++taken;
      if (number === 5) begin();
      await locked;
      // The first worker waits later, so it goes on when the writes of the others are refused.
      if (number === 1) await pause(4_000);
    };
    const child = startChild(programArguments("tests/delivery/mail_waker.ts"), env);
    await Promise.race([begun, child.status]);
    const other = new DatabaseSync(`${folder}/crm.db`, { timeout: 5_000 });
    try {
      other.exec("begin immediate");
      lock();
      await pause(12_000);
      other.exec("rollback");
    } finally {
      other.close();
      lock();
    }
    const { code } = await child.status;
    assert.equal(code, 0, child.output());
    assert.equal(smtp.mails.length, count);
    assert.equal(new Set(smtp.mails.map(({ to }) => to[0])).size, count);
    assert.deepEqual(await rows(), []);
  },
  { wakes: false },
);
