import type { DatabaseSync } from "node:sqlite";
import { DatabaseUnavailable, noting, type Result, type Room, type Statement } from "./database.ts";
import { groupCommits } from "./group_commit.ts";
import type { KeptStatements } from "./kept_statements.ts";
import { startThread, type Thread } from "./thread.ts";

/** All writes of the process. */
export interface Writer {
  /** Resolves when the batch is on disk. */
  write(statements: readonly Statement[]): Promise<Result[]>;
  /** True when the last write failed because the disk was full. */
  isFull(): boolean;
  /** Finishes the accepted writes and accepts no more. */
  close(): Promise<void>;
  /** Number of commits in this thread. */
  commits(): number;
}

/**
 * Writes on the given connection while there are few writes, which is fastest and needs one thread. After
 * this many busy commits a thread with its own connection takes over, so that the process serves calls while
 * the disk syncs.
 */
export function openWriter(
  path: string,
  connection: DatabaseSync,
  statements: KeptStatements,
  given: {
    readonly patience: number;
    readonly kept: number;
    readonly busyCommits: number;
    readonly longCommit: number;
  },
): Writer {
  const group = groupCommits(connection, statements, given);
  let thread: Thread<readonly Statement[], Result[]> | null = null;
  const room: Room = { full: false };
  let closed = false;
  let waiting = 0;
  const whenIdle: (() => void)[] = [];

  return {
    async write(batch) {
      if (closed) throw new DatabaseUnavailable("the database is closed");
      if (!thread && group.spent.busy >= given.busyCommits) {
        thread = startThread("./writer_worker.ts", { path, ...given }, () => thread = null);
      }
      waiting++;
      try {
        return await noting(room, thread ? thread.ask(batch) : group.write(batch));
      } finally {
        if (--waiting === 0) { for (const resolve of whenIdle.splice(0)) resolve(); }
      }
    },
    isFull: () => room.full,
    async close() {
      closed = true;
      if (waiting > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
      await thread?.end();
    },
    commits: () => group.spent.commits,
  };
}
