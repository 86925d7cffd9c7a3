/** What the app needs of the world. Entries build it; tests build it with their own parts. */
import type { Config } from "./config.ts";
import type { Background } from "./platform/background.ts";
import type { Clock } from "./platform/clock.ts";
import type { Compressor } from "./platform/compressor.ts";
import type { Database } from "./platform/database/database.ts";
import type { Fetcher } from "./platform/fetcher.ts";
import type { Log } from "./platform/log.ts";
import type { Mailer } from "./platform/mail/mail.ts";
import type { Passwords } from "./platform/passwords.ts";
import type { Pusher } from "./platform/push/push.ts";
import type { Storage } from "./platform/storage/storage.ts";
import type { Traffic } from "./platform/traffic.ts";
import type { CallLimit } from "./http/limits.ts";
import type { CallerCache } from "./db/caller_cache.ts";

export interface Deps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly background: Background;
  readonly fetcher: Fetcher;
  readonly mailer: Mailer;
  /** Sends push messages to devices; null: none are sent. */
  readonly pusher: Pusher | null;
  /** Where the bytes of files and pictures lie. */
  readonly storage: Storage;
  readonly log: Log;
  /** 32 bytes for AES-GCM. */
  readonly secretsKey: Uint8Array;
  /** Hashes passwords, few at once. */
  readonly passwords: Passwords;
  /** Milliseconds in which the body of a request arrives. */
  readonly bodyMs: number;
  /** Compresses answers; null: the platform does. */
  readonly compressor: Compressor | null;
  /** How often a client may call; null: as often as it likes. */
  readonly callLimit: CallLimit | null;
  /** What is remembered of callers between requests. */
  readonly callerCache: CallerCache;
  /** How busy this process is with requests; they come before deliveries. */
  readonly traffic: Traffic;
  /** Starts the delivery of events in the background; losing the call loses nothing. */
  readonly kick: (companyId: number) => void;
  /** Starts sending mail that is due, in the background; losing the call loses nothing. */
  readonly kickMails: () => void;
  /** Starts sending new notifications by mail and push, in the background; losing the call loses nothing. */
  readonly kickNotifications: () => void;
}
