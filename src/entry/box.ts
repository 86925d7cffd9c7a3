/** The world of a single box: a file (or a remote database), this process, this machine's clock. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, requireSecretsKey } from "../config.ts";
import { Callers } from "../db/callers.ts";
import { startPost } from "../delivery/mails/send.ts";
import { startHeralds } from "../delivery/notifications/send.ts";
import { startDelivery } from "../delivery/webhooks/deliver.ts";
import type { Deps } from "../deps.ts";
import { callLimitOf } from "../http/limits.ts";
import { background } from "../platform/background.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/database/database.ts";
import { type FileOptions, openFile } from "../platform/database/file.ts";
import { migrate } from "../platform/database/migrate.ts";
import { readMigrations } from "../platform/database/migration_files.ts";
import type { Fetcher } from "../platform/fetcher.ts";
import { nodeFetcher } from "../platform/fetcher_node.ts";
import { bufferedLog } from "../platform/log_buffered.ts";
import type { Log } from "../platform/log.ts";
import { type Mailer, noMailer } from "../platform/mail/mail.ts";
import { smtpMailer } from "../platform/mail/smtp.ts";
import { fcmPusher } from "../platform/push/fcm.ts";
import { type Passwords, queuedPasswords } from "../platform/passwords.ts";
import type { Pusher } from "../platform/push/push.ts";
import { openBucket } from "../platform/storage/bucket.ts";
import { folderStorage } from "../platform/storage/folder.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { Traffic } from "../platform/traffic.ts";

/** Milliseconds for which closing waits for the mail server; what it breaks off is sent again later. */
const mailPatience = 3_000;

export interface Box {
  readonly deps: Deps;
  /** Waits for what runs in the background, writes the log-ahead into the file and closes. */
  close(): Promise<void>;
}

/** What a test, or a command that looks ahead, brings itself. */
export interface Parts {
  readonly db?: Database;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly mailer?: Mailer;
  readonly pusher?: Pusher;
  readonly passwords?: Passwords;
  readonly storage?: Storage;
}

/** Where the migrations lie: beside `src`. */
export const migrationsFolder = join(import.meta.dirname!, "../../drizzle");

/**
 * Opens what the configuration names. A file is migrated; a remote database is not (`db:migrate` does
 * it), since several instances share it.
 */
export async function openBox(config: Config, parts: Parts = {}): Promise<Box> {
  const clock = parts.clock ?? systemClock;
  const ownLog = parts.log ? null : bufferedLog({ level: config.logLevel, now: () => clock.now() });
  const log = parts.log ?? ownLog!;
  const storage = parts.storage ?? openBucket(config) ?? folderStorage(pathOf(config.storageUrl));
  const db = parts.db ?? await openDatabase(config);
  if (db.kind === "file") await migrate(db, readMigrations(migrationsFolder));
  const smtp = config.mailUrl === null
    ? null
    : smtpMailer({ url: config.mailUrl, from: config.mailFrom, pool: true });
  const fetcher = nodeFetcher({ allowPrivate: config.webhookAllowPrivate });
  const traffic = new Traffic();
  const world = {
    db,
    clock,
    log,
    fetcher,
    traffic,
    storage,
    mailer: parts.mailer ?? smtp ?? noMailer,
    pusher: parts.pusher ?? pusherOf(config, fetcher, clock),
    background: background(log),
    secretsKey: secretsKeyOf(config),
  };
  const delivery = startDelivery(world);
  const post = startPost(world);
  const deps: Deps = {
    ...world,
    config,
    passwords: parts.passwords ?? queuedPasswords({ atOnce: hashesAtOnce(), waiting: 32 }),
    callLimit: callLimitOf(config),
    callers: new Callers(db),
    kick: delivery.kick,
    kickMails: post.kick,
    kickNotices: () => heralds.kick(),
  };
  const heralds = startHeralds(deps);
  return {
    deps,
    async close() {
      heralds.stop();
      post.stop();
      await delivery.stop();
      const late = setTimeout(() => smtp?.close(), mailPatience);
      await deps.background.idle();
      clearTimeout(late);
      smtp?.close();
      fetcher.close();
      await db.close();
      ownLog?.flush();
    },
  };
}

/** One core is left to everybody else; four hashes at once are 64 MiB. */
function hashesAtOnce(): number {
  return Math.min(Math.max(navigator.hardwareConcurrency - 1, 1), 4);
}

function pusherOf(
  { fcmServiceAccount: account, fcmUrl: url }: Config,
  fetcher: Fetcher,
  clock: Clock,
): Pusher | null {
  return account === null ? null : fcmPusher({ account, fetcher, clock, url });
}

/** The file of a `file:` address. */
export function pathOf(url: string): string {
  return url.startsWith("file://") ? new URL(url).pathname : url.slice("file:".length);
}

/** The key beside a database file. */
export function keyFileOf(config: Config): string {
  return join(dirname(pathOf(config.databaseUrl)), "secrets.key");
}

export async function openDatabase(config: Config, options?: FileOptions): Promise<Database> {
  if (config.databaseUrl.startsWith("file:")) return openFile(pathOf(config.databaseUrl), options);
  // A box with a file starts sooner without what speaks to far databases.
  const { openRemote } = await import("../platform/database/remote.ts");
  return openRemote(config.databaseUrl, config.databaseAuthToken ?? undefined);
}

/** The configured key; beside a database file one is made at the first start, for its owner's eyes only. */
function secretsKeyOf(config: Config): Uint8Array {
  if (config.secretsKey || !config.databaseUrl.startsWith("file:")) return requireSecretsKey(config);
  const file = keyFileOf(config);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    const key = crypto.getRandomValues(new Uint8Array(32)).toBase64();
    try {
      writeFileSync(file, `${key}\n`, { flag: "wx", mode: 0o600 });
      chmodSync(file, 0o600);
    } catch (error) {
      // Another process was first: its key counts.
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
  }
  return Uint8Array.fromBase64(readFileSync(file, "utf8").trim());
}
