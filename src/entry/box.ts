/** The dependencies of a single box: a file or a remote database, this process, this machine's clock. */
import type { Config } from "../config.ts";
import { CallerCache } from "../db/caller_cache.ts";
import { JsonPool } from "../db/json_pool.ts";
import { EventReaders, mostReaders } from "../db/event_readers.ts";
import { startMailDispatch } from "../delivery/mails/send.ts";
import { startNotificationDispatch } from "../delivery/notifications/send.ts";
import { startDelivery } from "../delivery/webhooks/deliver.ts";
import type { Deps } from "../deps.ts";
import { bodyDeadline } from "../http/bodies.ts";
import { clearNaming, deleteNaming } from "../contributions.ts";
import { recordCall } from "../facts/calls.ts";
import { mailKinds } from "../mail_kinds.ts";
import { notify } from "../notices.ts";
import { type Compressor, makeCompressor } from "../platform/compressor.ts";
import { makeCallLimit } from "../http/limits.ts";
import { background, Traffic } from "../platform/background.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { type Database, DatabaseUnavailable } from "../platform/database/database.ts";
import { listPendingMigrations, migrate } from "../platform/database/migrate.ts";
import { readMigrations } from "../platform/database/migration_files.ts";
import { migrationTags } from "../platform/database/migration_tags.ts";
import type { Fetcher } from "../platform/fetcher.ts";
import { makeNodeFetcher } from "../platform/fetcher_node.ts";
import { openBufferedLog } from "../platform/log_buffered.ts";
import type { Log } from "../platform/log.ts";
import { type Mailer, noMailer } from "../platform/mail/mail.ts";
import { makeThreadParser } from "../platform/mail/parser_thread.ts";
import { makeSmtpMailer } from "../platform/mail/smtp.ts";
import { makeFcmPusher } from "../platform/push/fcm.ts";
import { type Histogram, Metrics } from "../platform/metrics.ts";
import { makeQueuedPasswords, type Passwords } from "../platform/passwords.ts";
import type { Printer } from "../platform/pdf/pdf.ts";
import { makeThreadPrinter } from "../platform/pdf/printer_thread.ts";
import type { Pusher } from "../platform/push/push.ts";
import { openBucket } from "../platform/storage/bucket.ts";
import { makeFolderStorage } from "../platform/storage/folder.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { migrationsFolder } from "./migrations_folder.ts";
import { openDatabase } from "./open_database.ts";
import { toFilePath } from "./places.ts";
import { ensureSecretsKey } from "./secrets_key.ts";

/**
 * Milliseconds that closing waits until the mail server has a mail, and for its answer to one that it has. Interrupted
 * mails are sent again later, so that the second is as long as the grace of a process that stops allows.
 */
const mailPatience = 3_000;
const answerPatience = 8_000;

export interface Box {
  readonly deps: Deps;
  /** Waits for background work, checkpoints the write-ahead log and closes. */
  close(): Promise<void>;
}

export { migrationsFolder };

/** Replacements that a test or a command passes in. */
export interface Parts {
  readonly db?: Database;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly mailer?: Mailer;
  readonly pusher?: Pusher;
  readonly passwords?: Passwords;
  readonly printer?: Printer;
  readonly bodyMs?: number;
  readonly storage?: Storage;
  /** Null: nothing is counted, because answers of other processes show other counts. */
  readonly metrics?: null;
  /** Null: the platform compresses answers. */
  readonly compressor?: Compressor | null;
}

/**
 * Opens the database, the storage and the services that the configuration names. Migrates a database file,
 * but not a remote database, which several instances share (`db:migrate` migrates it).
 */
export async function openBox(config: Config, parts: Parts = {}): Promise<Box> {
  const clock = parts.clock ?? systemClock;
  const ownLog = parts.log ? null : openBufferedLog({ level: config.logLevel, now: () => clock.now() });
  const log = parts.log ?? ownLog!;
  const storage = parts.storage ?? openBucket(config) ?? makeFolderStorage(toFilePath(config.storageUrl));
  const opened = parts.db ?? await openDatabase(config);
  const metrics = config.metricsToken === null || parts.metrics === null ? null : new Metrics();
  const db = metrics ? timingWrites(opened, metrics.writes) : opened;
  const secretsKey = await prepare(config, db, ownLog);
  const smtp = config.mailUrl === null
    ? null
    : makeSmtpMailer({ url: config.mailUrl, from: config.mailFrom, pool: true, dkim: config.dkim });
  const fetcher = makeNodeFetcher({ allowPrivate: config.webhookAllowPrivate });
  const traffic = new Traffic();
  const stopping = new AbortController();
  const world = {
    config,
    stopping: stopping.signal,
    db,
    clock,
    log,
    fetcher,
    metrics,
    traffic,
    storage,
    mailer: parts.mailer ?? smtp ?? noMailer,
    mailParser: makeThreadParser(),
    pusher: parts.pusher ?? makePusher(config, fetcher, clock),
    background: background(log),
    jsonPool: new JsonPool(db),
    notify,
    recordCall,
    deleteNaming,
    clearNaming,
    secretsKey,
  };
  const printer = parts.printer ?? makeThreadPrinter();
  const delivery = startDelivery(world);
  const served = {
    ...world,
    passwords: parts.passwords ?? makeQueuedPasswords({ atOnce: hashesAtOnce(), waiting: 32 }),
    bodyMs: parts.bodyMs ?? bodyDeadline,
    compressor: parts.compressor === undefined ? makeCompressor() : parts.compressor,
    printer,
    callLimit: makeCallLimit(config),
    callerCache: new CallerCache(db),
    eventReaders: new EventReaders(db, { most: mostReaders(config) }),
    wakeDeliveries: delivery.wake,
    wakeMails: startMailDispatch(world, mailKinds),
  };
  const deps: Deps = { ...served, wakeNotifications: startNotificationDispatch(served) };
  return {
    deps,
    async close() {
      stopping.abort();
      deps.eventReaders.stop();
      const late = setTimeout(() => smtp?.giveUp(), mailPatience);
      const later = setTimeout(() => smtp?.close(), answerPatience);
      await delivery.stop();
      await deps.background.idle();
      clearTimeout(late);
      clearTimeout(later);
      smtp?.close();
      fetcher.close();
      await printer.close();
      await db.close();
      ownLog?.flush();
    },
  };
}

/** Returns the database, with the time that each write takes added to the histogram. */
function timingWrites(db: Database, times: Histogram): Database {
  return {
    ...db,
    async write(statements, onRan) {
      const begun = performance.now();
      try {
        return await db.write(statements, onRan);
      } finally {
        times.add(performance.now() - begun);
      }
    },
  };
}

/** Returns how many passwords are hashed at once. One core stays free, and four hashes take 64 MiB. */
function hashesAtOnce(): number {
  return Math.min(Math.max(navigator.hardwareConcurrency - 1, 1), 4);
}

/**
 * Migrates a database file and returns the secrets key. Closes the database and throws when it cannot be
 * used. Accepts a remote database that is not migrated or does not answer, because `GET /ready` reports it.
 */
async function prepare(config: Config, db: Database, log: Log | null): Promise<Uint8Array> {
  try {
    if (db.kind === "file") {
      await migrate(db, readMigrations(migrationsFolder), log ?? undefined);
      return await ensureSecretsKey(config, db);
    }
    const pending = listPendingMigrations(db, migrationTags).catch((error) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    });
    const [, key] = await Promise.all([pending, ensureSecretsKey(config, db)]);
    return key;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function makePusher(
  { fcmServiceAccount: account, fcmUrl: url }: Config,
  fetcher: Fetcher,
  clock: Clock,
): Pusher | null {
  return account === null ? null : makeFcmPusher({ account, fetcher, clock, url });
}
