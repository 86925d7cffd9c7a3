/** Mail that no mail server was there to take, kept sealed for those who hold the key to read. */
import { newId } from "../core/ids.ts";
import { formatTimestamp } from "../core/time.ts";
import type { Clock } from "../platform/clock.ts";
import { open, seal } from "../platform/crypto.ts";
import type { Database, Row } from "../platform/database/database.ts";
import type { Mail } from "../platform/mail/mail.ts";
import { insert, statement } from "./statements.ts";
import { mails } from "./tables.ts";

const keptFor = 30 * 24 * 3_600_000;

interface Keeping {
  readonly db: Database;
  readonly clock: Clock;
  readonly secretsKey: Uint8Array;
}

/** Keeps each mail for 30 days. Its text is sealed: it can carry links that sign somebody in. */
export function keepMails({ db, clock, secretsKey }: Keeping): (mail: Mail) => Promise<void> {
  return async ({ to, subject, text, html = null }) => {
    const now = clock.now();
    await db.write([insert(mails, {
      id: newId(now),
      to_address: to,
      subject,
      body: seal(secretsKey, JSON.stringify({ text, html })),
      created_at: formatTimestamp(now),
      expires_at: now + keptFor,
    })]);
  };
}

/** The mails that are kept, oldest first. */
export async function keptMails({ db, secretsKey }: Omit<Keeping, "clock">): Promise<Mail[]> {
  const [found] = await db.read([statement("select to_address, subject, body from mails order by id")]);
  return found!.rows.map((row) => mailOf(row, secretsKey));
}

function mailOf(row: Row, secretsKey: Uint8Array): Mail {
  const { text, html } = JSON.parse(open(secretsKey, row.body as string)) as {
    text: string;
    html: string | null;
  };
  const mail = { to: row.to_address as string, subject: row.subject as string, text };
  return html === null ? mail : { ...mail, html };
}
