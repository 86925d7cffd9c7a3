/** A box with a real mail server, for tests of mail: what a commit writes, and what comes out at the server. */
import { loadConfig } from "../../src/config.ts";
import { noContent } from "../../src/core/answer.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { type Change, commit } from "../../src/db/commit.ts";
import type { Idempotency } from "../../src/db/context.ts";
import { sql } from "../../src/db/statements.ts";
import type { Deps } from "../../src/deps.ts";
import { type Box, openBox } from "../../src/entry/box.ts";
import type { Row } from "../../src/platform/database/database.ts";
import type { Mail } from "../../src/platform/mail/mail.ts";
import { inFolder } from "../support/engines.ts";
import { type Hrana, startHrana } from "../support/hrana.ts";
import { type MemoryLog, memoryLog, type MovableClock, movableClock } from "../support/ports.ts";
import { type Smtp, startSmtp } from "../support/smtp.ts";
import { copyTemplate } from "../support/template.ts";

export const minute = 60_000;
export const day = 24 * 60 * minute;

export interface MailWorld {
  readonly deps: Deps;
  readonly box: Box;
  readonly clock: MovableClock;
  readonly log: MemoryLog;
  readonly smtp: Smtp;
  /** The environment variables of a process on the same database. */
  readonly env: Record<string, string>;
  readonly folder: string;
  /** Commits a change with mails to these addresses, and waits for nothing. */
  write(...to: string[]): Promise<void>;
  change(change: Partial<Change>, idempotency?: Idempotency): Promise<void>;
  /** Another process' view: a box of its own on the same database. */
  elsewhere(env?: Record<string, string>): Promise<Box>;
  rows(): Promise<Row[]>;
}

export function mailTo(to: string): Mail {
  return {
    to,
    subject: `To ${to}`,
    text: `Hello ${to}, https://crm.example/reset/s3same`,
    html: `<p>Hello ${to}, <a href="https://crm.example/reset/s3same">reset</a></p>`,
  };
}

/** A test over a new database and a new mail server. `wakes: false`: a process that loses every wake. */
export function withMail(
  name: string,
  test: (world: MailWorld) => Promise<void>,
  { where = "file", wakes = true }: { where?: "file" | "far away"; wakes?: boolean } = {},
): void {
  Deno.test(name, () =>
    inFolder(async (folder) => {
      await using smtp = await startSmtp();
      const clock = movableClock(Date.UTC(2026, 2, 2, 9));
      const log = memoryLog();
      await copyTemplate(`${folder}/crm.db`);
      const hrana: Hrana | null = where === "file" ? null : await startHrana({ path: `${folder}/crm.db` });
      const env = {
        DATABASE_URL: hrana?.url ?? `file:${folder}/crm.db`,
        SECRETS_KEY: new Uint8Array(32).fill(7).toBase64(),
        MAIL_URL: smtp.url,
        MAIL_FROM: "Sales <sales@example.com>",
        WEBHOOK_ALLOW_PRIVATE: "true",
      };
      const opened: Box[] = [];
      const elsewhere: MailWorld["elsewhere"] = async (more = {}) => {
        const { deps, close } = await openBox(loadConfig({ ...env, ...more }), { clock, log });
        let closed: Promise<void> | undefined;
        const box = { deps, close: () => closed ??= close() };
        opened.push(box);
        return box;
      };
      try {
        const box = await elsewhere();
        const deps: Deps = wakes ? box.deps : { ...box.deps, wakeMails: () => {} };
        const change: MailWorld["change"] = async (given, idempotency) => {
          const now = clock.now();
          const client = { clientId: "client", companyId: null, trusted: true, tokenId: "t" };
          const author = { deps, now, at: formatTimestamp(now) };
          await commit(idempotency ? { ...author, client, idempotency } : author, {
            statements: [],
            answer: noContent,
            ...given,
          });
        };
        await test({
          deps,
          box,
          clock,
          log,
          smtp,
          env,
          folder,
          change,
          write: (...to) => change({ mails: to.map(mailTo) }),
          elsewhere,
          async rows() {
            const [result] = await deps.db.read([sql`select * from mails order by id`]);
            return result!.rows;
          },
        });
      } finally {
        for (const box of opened) await box.close();
        await hrana?.close();
      }
    }));
}
