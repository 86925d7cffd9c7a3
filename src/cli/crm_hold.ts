/** The commands of `crm` that hold and release what leaves the service. */
import { formatTimestamp } from "../core/time.ts";
import type { Author } from "../db/commit.ts";
import { hold, holdRead, release } from "../db/hold.ts";
import { heldKinds } from "./held_kinds.ts";

/** Holds everything. */
export async function holdAll({ deps, now }: Author): Promise<string[]> {
  const [, found] = await deps.db.write([hold(now), holdRead]);
  return [
    `Held since ${formatTimestamp(Number(found!.rows[0]!.since))}: nothing is sent until "crm release".`,
  ];
}

/** Ends the hold. What waits is sent by the running service within a minute. */
export async function releaseAll(author: Author): Promise<string[]> {
  const since = await heldSince(author);
  if (since === null) return ["Nothing is held."];
  const lines = await waitingLines(author);
  await author.deps.db.write([release]);
  return [...lines, "Released: the running service sends what waits within a minute."];
}

/** Lists what waits. `drops`: drops what fell due before the hold first. */
export async function listHeld(author: Author, drops: boolean): Promise<string[]> {
  const since = await heldSince(author);
  if (since === null) return ["Nothing is held."];
  const dropped = drops ? await dropAll(author, since) : [];
  return [`Held since ${formatTimestamp(since)}.`, ...dropped, ...await waitingLines(author)];
}

async function heldSince({ deps }: Author): Promise<number | null> {
  const [found] = await deps.db.read([holdRead]);
  return found!.rows[0] ? Number(found!.rows[0].since) : null;
}

async function dropAll(author: Author, before: number): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, drop } of heldKinds) {
    let total = 0;
    for (let n; (n = await drop(author, before)) > 0;) total += n;
    if (total > 0) lines.push(`${name}: ${total} dropped`);
  }
  return lines.length > 0 ? lines : ["Nothing fell due before that."];
}

async function waitingLines({ deps, now }: Author): Promise<string[]> {
  const found = await deps.db.read(heldKinds.map(({ waiting }) => waiting(now)));
  const lines = found.flatMap(({ rows: [row] }, index) => {
    const { n, oldest } = row!;
    if (n === 0) return [];
    const since = typeof oldest === "number" ? formatTimestamp(oldest) : oldest;
    return [`${heldKinds[index]!.name}: ${n} waiting, the first since ${since}`];
  });
  return lines.length > 0 ? lines : ["Nothing waits."];
}
