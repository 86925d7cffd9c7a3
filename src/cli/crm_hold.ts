/** The commands of `crm` that hold and release what leaves the service. */
import { fieldError, invalid } from "../core/errors.ts";
import { type HeldQueue, heldQueues } from "../core/held_queues.ts";
import { formatTimestamp } from "../core/time.ts";
import type { Author } from "../db/commit.ts";
import { type HeldKind, hold, type Holds, holdsRead, parseHolds, queueName, release } from "../db/hold.ts";
import type { Options } from "./command.ts";
import { heldKinds } from "./held_kinds.ts";

/** Holds everything, or one queue. */
export async function holdSending({ deps, now }: Author, { queue }: Options): Promise<string[]> {
  const named = checkQueue(queue);
  const [, found] = await deps.db.write([hold(now, named), holdsRead]);
  const held = parseHolds(found!.rows);
  const since = formatTimestamp(named === null ? held.all! : held.queues.get(named)!);
  return [
    named === null
      ? `Held since ${since}: nothing is sent until "crm release".`
      : `${queueName(named)}: held since ${since}, until "crm release ${named}".`,
  ];
}

/** Ends the hold of everything, or of one queue. What waits is sent by the running service within a minute. */
export async function releaseHeld(author: Author, { queue }: Options): Promise<string[]> {
  const named = checkQueue(queue);
  const holds = await readHolds(author);
  if (named !== null && holds.all !== undefined) {
    throw invalid(
      fieldError("queue", "enum", 'Everything is held. "crm release" without a queue ends that.'),
    );
  }
  const kinds = selectHolds(holds, named);
  if (kinds.length === 0) return ["Nothing is held."];
  const lines = await listWaiting(author, kinds);
  await author.deps.db.write([release(named)]);
  return [...lines, "Released: the running service sends what waits within a minute."];
}

/** Lists what waits. `drop`: drops what fell due before the hold first. */
export async function listHeld(author: Author, { queue, drop }: Options): Promise<string[]> {
  const holds = await readHolds(author);
  const kinds = selectHolds(holds, checkQueue(queue));
  if (kinds.length === 0) return ["Nothing is held."];
  const dropped = drop === true ? await dropKinds(author, kinds) : [];
  const since = holds.all === undefined
    ? kinds.map(({ kind, since }) => `${queueName(kind.queue)}: held since ${formatTimestamp(since)}.`)
    : [`Held since ${formatTimestamp(holds.all)}.`];
  return [...since, ...dropped, ...await listWaiting(author, kinds)];
}

function checkQueue(given: Options[string] | undefined): HeldQueue | null {
  if (given === undefined) return null;
  const found = heldQueues.find((queue) => queue === given);
  if (found === undefined) throw invalid(fieldError("queue", "enum", `One of ${heldQueues.join(", ")}.`));
  return found;
}

async function readHolds({ deps }: Author): Promise<Holds> {
  const [found] = await deps.db.read([holdsRead]);
  return parseHolds(found!.rows);
}

interface Held {
  readonly kind: HeldKind;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Returns what is held, of one queue or of all. */
function selectHolds({ all, queues }: Holds, named: HeldQueue | null): Held[] {
  return heldKinds.flatMap((kind) => {
    const since = all ?? queues.get(kind.queue);
    return since === undefined || (named !== null && kind.queue !== named) ? [] : [{ kind, since }];
  });
}

async function dropKinds(author: Author, kinds: readonly Held[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { kind: { queue, drop }, since } of kinds) {
    let total = 0;
    for (let n; (n = await drop(author, since)) > 0;) total += n;
    if (total > 0) lines.push(`${queueName(queue)}: ${total} dropped`);
  }
  return lines.length > 0 ? lines : ["Nothing fell due before that."];
}

async function listWaiting({ deps, now }: Author, kinds: readonly Held[]): Promise<string[]> {
  const found = await deps.db.read(kinds.map(({ kind }) => kind.waiting(now)));
  const lines = found.flatMap(({ rows: [row] }, index) => {
    const { n, oldest } = row!;
    if (n === 0) return [];
    const since = typeof oldest === "number" ? formatTimestamp(oldest) : oldest;
    return [`${queueName(kinds[index]!.kind.queue)}: ${n} waiting, the first since ${since}`];
  });
  return lines.length > 0 ? lines : ["Nothing waits."];
}
