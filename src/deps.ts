/** The dependencies of the app. Entries build them; tests replace some. */
import type { Config } from "./config.ts";
import type { Background, Traffic } from "./platform/background.ts";
import type { Clock } from "./platform/clock.ts";
import type { Compressor } from "./platform/compressor.ts";
import type { Database } from "./platform/database/database.ts";
import type { Fetcher } from "./platform/fetcher.ts";
import type { Log } from "./platform/log.ts";
import type { Mailer } from "./platform/mail/mail.ts";
import type { MailParser } from "./platform/mail/parser.ts";
import type { Metrics } from "./platform/metrics.ts";
import type { Passwords } from "./platform/passwords.ts";
import type { Printer } from "./platform/pdf/pdf.ts";
import type { Pusher } from "./platform/push/push.ts";
import type { Storage } from "./platform/storage/storage.ts";
import type { CallLimit } from "./http/call_limit.ts";
import type { CallerCache } from "./db/caller_cache.ts";
import type { MailLane } from "./core/mail_lanes.ts";
import type { DeleteNaming } from "./db/cascades.ts";
import type { ClearNaming } from "./db/clears.ts";
import type { EventReaders } from "./db/event_readers.ts";
import type { JsonPool } from "./db/json_pool.ts";
import type { Notify } from "./db/notifications.ts";
import type { RecordCall } from "./facts/calls.ts";

export interface Deps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly background: Background;
  /** Aborted before the process ends: jobs finish what is in hand, and start nothing more. */
  readonly stopping?: AbortSignal;
  readonly fetcher: Fetcher;
  readonly mailer: Mailer;
  /** Parses mail that arrives. */
  readonly mailParser: MailParser;
  /** Sends push messages; null: none are sent. */
  readonly pusher: Pusher | null;
  /** Makes PDF documents. */
  readonly printer: Printer;
  /** Stores the bytes of files and pictures. */
  readonly storage: Storage;
  readonly log: Log;
  /** 32 bytes for AES-GCM. */
  readonly secretsKey: Uint8Array;
  /** Hashes passwords, a few at a time. */
  readonly passwords: Passwords;
  /** Milliseconds for the body of a request to arrive. */
  readonly bodyMs: number;
  /** Compresses responses; null: the platform does. */
  readonly compressor: Compressor | null;
  /** The rate limit of clients; null: none. */
  readonly callLimit: CallLimit | null;
  /** Caches callers between requests. */
  readonly callerCache: CallerCache;
  /** Wakes those who wait for events. */
  readonly eventReaders: EventReaders;
  /** Keeps long constant parts of stored JSON. */
  readonly jsonPool: JsonPool;
  /** Records that a user changes something, in the same commit. */
  readonly recordCall: RecordCall;
  /** Writes the notifications of a change, in the same commit. */
  readonly notify: Notify;
  /** Deletes the rows that go with deleted records, in the same commit. */
  readonly deleteNaming: DeleteNaming;
  /** Takes a deleted record out of the rows that name it, in the same commit. */
  readonly clearNaming: ClearNaming;
  /** Counts what this process does; null: nobody reads it, or the platform shares no process between calls. */
  readonly metrics: Metrics | null;
  /** The load of this process by requests, which have priority over deliveries. */
  readonly traffic: Traffic;
  /** Starts delivering events in the background. A lost call loses no events. */
  readonly wakeDeliveries: (companies: Iterable<number>) => void;
  /** Starts sending due mail of the lanes (default: both) in the background. A lost call loses no mail. */
  readonly wakeMails: (lanes?: readonly Exclude<MailLane, "automated">[]) => void;
  /** Starts sending new notifications by mail and push in the background. A lost call loses none. */
  readonly wakeNotifications: () => void;
}
