/** A company whose events are made by hand, with the dependencies of delivery, on a real SQLite file. */
import { clearNaming, deleteNaming } from "../../src/contributions.ts";
import { recordCall } from "../../src/facts/calls.ts";
import { notify } from "../../src/notices.ts";
import { noContent } from "../../src/core/answer.ts";
import type { EventName } from "../../src/core/events.ts";
import { Json } from "../../src/core/json.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { CallerCache } from "../../src/db/caller_cache.ts";
import { EventReaders } from "../../src/db/event_readers.ts";
import { JsonPool } from "../../src/db/json_pool.ts";
import { type Author, commit } from "../../src/db/commit.ts";
import { insert } from "../../src/db/statements.ts";
import { webhooks } from "../../src/delivery/webhooks/record.ts";
import { loadConfig } from "../../src/config.ts";
import type { DeliveryDispatch } from "../../src/delivery/webhooks/deliver.ts";
import type { Deps } from "../../src/deps.ts";
import { companies } from "../../src/identity/companies/table.ts";
import { users } from "../../src/identity/users/record.ts";
import { background, Traffic } from "../../src/platform/background.ts";
import { directParser } from "../../src/platform/mail/parser.ts";
import { seal } from "../../src/platform/crypto.ts";
import type { Database, Row, Statement, Value } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { openRemote } from "../../src/platform/database/remote.ts";
import { makeNodeFetcher } from "../../src/platform/fetcher_node.ts";
import { makeQueuedPasswords } from "../../src/platform/passwords.ts";
import { directPrinter } from "../support/printer.ts";
import { makeFolderStorage } from "../../src/platform/storage/folder.ts";
import { inFolder } from "../support/engines.ts";
import { type Hrana, startHrana } from "../support/hrana.ts";
import { memoryLog, memoryMailer, type MovableClock, movableClock } from "../support/ports.ts";
import { copyTemplate } from "../support/template.ts";

export const monday = Date.UTC(2026, 2, 2, 9, 0, 0);
export const minute = 60_000;

export interface Event {
  readonly name?: EventName;
  readonly entity?: string;
  readonly body?: string;
  readonly executor?: number | null;
}

export interface Company {
  readonly deps: Deps;
  readonly clock: MovableClock;
  readonly id: number;
  readonly userId: number;
  /** Subscribes a URL. Returns the subscription's id. */
  subscribe(url: string, token?: string | null): Promise<number>;
  /** Commits a change with these events. */
  happens(...events: Event[]): Promise<void>;
  /** Sets what commits start. */
  wakes(delivery: DeliveryDispatch): void;
  /** The same dependencies over another connection to the file, like another process. */
  elsewhere(): Deps;
  rows(sql: string, ...args: Value[]): Promise<Row[]>;
  change(sql: string, ...args: Value[]): Promise<void>;
}

/**
 * Runs a test with a company and its admin; far away: over a server that counts the round trips. A test that
 * runs with some permissions only takes `inFolderOnDisk`.
 */
export async function withCompany(
  use: (company: Company, hrana: Hrana | null) => Promise<void>,
  where: "file" | "far away" = "file",
  create: (path: string) => Promise<void> = copyTemplate,
  inItsFolder = inFolder,
): Promise<void> {
  await inItsFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    await create(path);
    const hrana = where === "file" ? null : await startHrana({ path });
    const opened: Database[] = [];
    const fetchers = [] as ReturnType<typeof makeNodeFetcher>[];
    const clock = movableClock(monday);
    let woken: DeliveryDispatch | null = null;
    const world = (): Deps => {
      const db = hrana ? openRemote(hrana.url) : openFile(path);
      const fetcher = makeNodeFetcher({ allowPrivate: true });
      const log = memoryLog();
      opened.push(db);
      fetchers.push(fetcher);
      return {
        config: loadConfig({ WEBHOOK_ALLOW_PRIVATE: "true" }),
        db,
        clock,
        background: background(log),
        fetcher,
        mailer: memoryMailer(),
        mailParser: directParser,
        pusher: null,
        storage: makeFolderStorage(`${folder}/files`),
        log,
        secretsKey: new Uint8Array(32).fill(7),
        callerCache: new CallerCache(db),
        eventReaders: new EventReaders(db, { most: 10 }),
        jsonPool: new JsonPool(db),
        notify,
        recordCall,
        deleteNaming,
        clearNaming,
        metrics: null,
        traffic: new Traffic(),
        wakeDeliveries: (companies) => woken?.wake(companies),
        passwords: makeQueuedPasswords({ atOnce: 1, waiting: 1 }),
        bodyMs: 1_000,
        compressor: null,
        callLimit: null,
        printer: directPrinter,
        wakeMails: () => {},
        wakeNotifications: () => {},
      };
    };
    const deps = world();
    try {
      const { id, userId } = await newCompany(deps);
      await use({
        deps,
        clock,
        id,
        userId,
        subscribe: (url, token = null) => subscribe(deps, id, userId, url, token),
        happens: (...events) => happens(deps, id, events),
        wakes: (delivery) => {
          woken = delivery;
        },
        elsewhere: world,
        async rows(sql, ...args) {
          const [result] = await deps.db.read([{ sql, args }]);
          return result!.rows;
        },
        async change(sql, ...args) {
          await deps.db.write([{ sql, args }]);
        },
      }, hrana);
    } finally {
      for (const fetcher of fetchers) fetcher.close();
      for (const db of opened) await db.close();
      await hrana?.close();
    }
  });
}

async function newCompany(deps: Deps): Promise<{ id: number; userId: number }> {
  const place = {
    timezone: "UTC",
    locale: "en-GB",
    created_at: "2026-01-01 00:00:00",
    updated_at: "2026-01-01 00:00:00",
  };
  const id = await insertRow(
    deps,
    insert(companies, { name: "Acme", language: "en", currency: "EUR", ...place }),
  );
  const email = "ada@example.org";
  const person = { first_name: "Ada", last_name: "Byron", email, email_key: email, user_type: 1 };
  return { id, userId: await insertRow(deps, insert(users, { company_id: id, ...person, ...place })) };
}

async function subscribe(
  deps: Deps,
  company_id: number,
  user_id: number,
  target_url: string,
  token: string | null,
): Promise<number> {
  const verification_token = token === null ? null : seal(deps.secretsKey, token);
  const stamps = { created_at: "2026-01-01 00:00:00", updated_at: "2026-01-01 00:00:00" };
  const row = { company_id, user_id, target_url, event_name: "*", verification_token, ...stamps };
  return await insertRow(deps, insert(webhooks, row));
}

async function happens(deps: Deps, companyId: number, events: readonly Event[]): Promise<void> {
  const now = deps.clock.now();
  const executor = events[0]?.executor ?? null;
  const author: Author = {
    deps,
    now,
    at: formatTimestamp(now),
    ...(executor === null ? {} : actingAs(executor, companyId)),
  };
  await commit(author, {
    statements: [],
    companyId,
    answer: noContent,
    events: events.map((
      { name = "account_created", entity = crypto.randomUUID(), body = `{"id":"${entity}"}` },
    ) => ({
      name,
      entity: { type: "account", id: entity, team_id: null, created_by: executor },
      body: new Json(body),
    })),
  });
}

function actingAs(userId: number, companyId: number): Pick<Author, "caller"> {
  return {
    caller: {
      tokenId: "t",
      clientId: "c",
      trusted: false,
      companyId,
      userId,
      userType: "admin",
      rights: new Set(),
      teamIds: [],
      groupIds: [],
      visibleTeamIds: [],
      activeTeamId: null,
    },
  };
}

async function insertRow(deps: Deps, { sql, args }: Statement): Promise<number> {
  const [result] = await deps.db.write([{ sql: `${sql} returning id`, args }]);
  return Number(result!.rows[0]!.id);
}
