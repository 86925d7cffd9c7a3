/**
 * Cloudflare Workers: the same app over the remote database. A scheduled run uses its scheduled time as the
 * clock.
 */
import type { Hono } from "hono";
import { createApp } from "../app.ts";
import { type Config, ConfigError, loadConfig, requireSecretsKey } from "../config.ts";
import { Problem } from "../core/errors.ts";
import { CallerCache } from "../db/caller_cache.ts";
import { EventReaders, makeReaderCounts, mostReaders, type ReaderCounts } from "../db/event_readers.ts";
import { JsonPool } from "../db/json_pool.ts";
import { explainWrongKey, keyFits } from "../db/key_check.ts";
import { startMailDispatch } from "../delivery/mails/send.ts";
import { startNotificationDispatch } from "../delivery/notifications/send.ts";
import { startDelivery } from "../delivery/webhooks/deliver.ts";
import type { Deps } from "../deps.ts";
import type { Bindings } from "../http/address.ts";
import { clearNaming, contributions, deleteNaming } from "../contributions.ts";
import { recordCall } from "../facts/calls.ts";
import { mailKinds } from "../mail_kinds.ts";
import { notify } from "../notices.ts";
import { bodyDeadline } from "../http/bodies.ts";
import type { CallLimit } from "../http/call_limit.ts";
import { probePaths } from "../http/discovery.ts";
import { makeCallLimit } from "../http/limits.ts";
import { chooseRequestId } from "../http/request.ts";
import { respondRefused } from "../http/respond.ts";
import { mostMailBytes, takeBytes } from "../messages/inbound/serve.ts";
import { ensureBootstrapClient } from "../identity/applications/bootstrap.ts";
import { runJobs } from "../jobs.ts";
import { background, Traffic } from "../platform/background.ts";
import { systemClock } from "../platform/clock.ts";
import { DatabaseUnavailable, lacksTable, type Refusals } from "../platform/database/database.ts";
import { listPendingMigrations } from "../platform/database/migrate.ts";
import { migrationTags } from "../platform/database/migration_tags.ts";
import { openRemote } from "../platform/database/remote.ts";
import type { StaticAssets } from "../platform/pdf/font_assets.ts";
import { openDirectPrinter } from "../platform/pdf/printer_direct.ts";
import { makeWebFetcher } from "../platform/fetcher_web.ts";
import { makeConsoleLog } from "../platform/log.ts";
import { noMailer } from "../platform/mail/mail.ts";
import { directParser } from "../platform/mail/parser.ts";
import { makeSmtpMailer } from "../platform/mail/smtp.ts";
import { makeFcmPusher } from "../platform/push/fcm.ts";
import { openBucket } from "../platform/storage/bucket.ts";
import { makePacedPasswords, type Passwords } from "../platform/passwords.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { surviveDefects } from "./survive_defects.ts";

interface ExecutionContext {
  waitUntil(task: Promise<unknown>): void;
}

/** Settings and secrets, and the binding of the static assets. */
interface Environment {
  readonly ASSETS: StaticAssets;
  readonly [name: string]: unknown;
}

/** State that an isolate keeps between calls: plain data, no open connections. */
interface Isolate {
  readonly config: Config;
  readonly last: Refusals;
  callers?: CallerCache;
  callLimit?: CallLimit | null;
  readers?: ReaderCounts;
  passwords?: Passwords;
  /** Why the database cannot be used; null: it can; undefined: not known yet. */
  fault?: string | null;
  bootstrapped?: boolean;
}

let isolate: Isolate | undefined;

export default {
  async fetch(request: Request, environment: Environment, execution: ExecutionContext): Promise<Response> {
    const { deps } = await open(environment, execution);
    const fault = await prepare(deps);
    if (fault !== null && !probePaths.includes(new URL(request.url).pathname)) {
      return respondRefused(deps, request, chooseRequestId(request.headers), makeUnpreparedProblem(fault));
    }
    const bindings: Bindings = { peer: () => request.headers.get("cf-connecting-ip") };
    const answer = Promise.resolve(app(deps).fetch(request, bindings));
    // A client that disconnects must not interrupt a change half-way.
    execution.waitUntil(answer.then(() => {}, () => {}));
    return await answer;
  },

  async scheduled(
    controller: { scheduledTime: number },
    environment: Environment,
    execution: ExecutionContext,
  ): Promise<void> {
    const { deps, closeMailer } = await open(environment, execution, { pool: true });
    if (await prepare(deps) !== null) return;
    try {
      await runJobs(deps, controller.scheduledTime);
      await deps.background.idle();
    } finally {
      closeMailer();
    }
  },

  /** A message of Email Routing. An error makes the sending server try again. */
  async email(
    message: {
      readonly raw: ReadableStream<Uint8Array>;
      readonly rawSize: number;
      setReject(reason: string): void;
    },
    environment: Environment,
    execution: ExecutionContext,
  ): Promise<void> {
    const { deps } = await open(environment, execution);
    const fault = await prepare(deps);
    if (fault !== null) throw new Error(fault);
    if (message.rawSize > mostMailBytes) return message.setReject("The message has more than 25 MiB.");
    try {
      await takeBytes(deps, await new Response(message.raw).bytes());
    } catch (error) {
      // A later attempt could not read the message either.
      if (error instanceof Problem && error.status === 422) return message.setReject(error.detail);
      throw error;
    }
    await deps.background.idle();
  },
};

/**
 * Checks the database and updates the bootstrap client; returns why the database cannot be used, or null. Runs once
 * per isolate, and again while the database does not answer or is not migrated.
 */
async function prepare(deps: Deps): Promise<string | null> {
  try {
    if (isolate!.fault === undefined) isolate!.fault = await findDatabaseFault(deps);
    if (isolate!.fault !== null) return isolate!.fault;
    if (!isolate!.bootstrapped) await ensureBootstrapClient(deps);
    isolate!.bootstrapped = true;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) && !lacksTable(error)) throw error;
  }
  return null;
}

async function findDatabaseFault({ db, log, secretsKey }: Deps): Promise<string | null> {
  const pending = listPendingMigrations(db, migrationTags).then(() => null, (error) => {
    if (error instanceof ConfigError) return error.message;
    throw error;
  });
  const [old, fits] = await Promise.all([pending, keyFits(db, secretsKey, contributions.sealed)]);
  if (old !== null) log.error({ event: "old_database", error: old });
  else if (!fits) log.error({ event: "wrong_secrets_key", error: explainWrongKey("SECRETS_KEY") });
  return old ?? (fits ? null : explainWrongKey("SECRETS_KEY"));
}

function makeUnpreparedProblem(fault: string): Problem {
  return new Problem(503, "unavailable", `${fault}.`, { headers: { "Retry-After": "60" } });
}

/**
 * Returns the dependencies of one call, because on this platform connections belong to the call that opened
 * them. `pool` keeps connections to the mail server open between mails; `closeMailer` closes them.
 */
async function open(
  environment: Environment,
  execution: ExecutionContext,
  { pool }: { readonly pool: boolean } = { pool: false },
): Promise<{ deps: Deps; closeMailer: () => void }> {
  const isNew = isolate === undefined;
  isolate ??= { config: loadConfig(readSettings(environment)), last: { refused: false } };
  const { config, last } = isolate;
  const log = makeConsoleLog(config.logLevel, () => systemClock.now());
  if (isNew) surviveDefects(log);
  const db = openRemote(config.databaseUrl, config.databaseAuthToken ?? undefined, { last });
  isolate.callers ??= new CallerCache(db);
  if (isolate.callLimit === undefined) isolate.callLimit = makeCallLimit(config);
  isolate.passwords ??= makePacedPasswords({ most: 10, windowMs: 2_000 }, () => systemClock.now());
  const fetcher = makeWebFetcher({ allowPrivate: config.webhookAllowPrivate });
  const account = config.fcmServiceAccount;
  const smtp = config.mailUrl === null
    ? null
    : makeSmtpMailer({ url: config.mailUrl, from: config.mailFrom, pool, dkim: config.dkim });
  const world = {
    config,
    db,
    clock: systemClock,
    log,
    background: background(log, (task) => execution.waitUntil(task)),
    fetcher,
    pusher: account === null
      ? null
      : makeFcmPusher({ account, fetcher, clock: systemClock, url: config.fcmUrl }),
    mailer: smtp ?? noMailer,
    mailParser: directParser,
    storage: requireBucket(config),
    secretsKey: requireSecretsKey(config),
    passwords: isolate.passwords,
    printer: await openDirectPrinter(environment.ASSETS),
    bodyMs: bodyDeadline,
    compressor: null,
    callLimit: isolate.callLimit,
    callerCache: isolate.callers,
    eventReaders: new EventReaders(db, {
      most: mostReaders(config),
      counts: isolate.readers ??= makeReaderCounts(),
      shared: false,
    }),
    jsonPool: new JsonPool(db),
    notify,
    recordCall,
    deleteNaming,
    clearNaming,
    metrics: null,
    traffic: new Traffic(),
  };
  const served = {
    ...world,
    wakeDeliveries: startDelivery(world).wake,
    wakeMails: startMailDispatch(world, mailKinds),
  };
  const deps: Deps = { ...served, wakeNotifications: startNotificationDispatch(served) };
  return { deps, closeMailer: () => smtp?.close() };
}

function readSettings(environment: Environment): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []),
  );
}

/** Opens the bucket. Throws ConfigError for a folder, because this platform has none. */
function requireBucket(config: Config): Storage {
  const bucket = openBucket(config);
  if (bucket === null) throw new ConfigError("STORAGE_URL must be s3:, since Workers have no folders");
  return bucket;
}

function app(deps: Deps): Hono {
  return createApp(deps);
}
