/** How fast a campaign finds its recipients, how fast its mail leaves, and how fast letters are made. */
import process from "node:process";
import { stagedKinds } from "../../src/staged_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { makeLetters } from "../../src/messages/campaigns/make_letters.ts";
import { makeLetter } from "../../src/messages/letters/make.ts";
import { startCampaigns } from "../../src/messages/campaigns/start.ts";
import { runStaged } from "../../src/staged/run.ts";
import { createCampaign, sendingCompany, soon } from "../messages/campaign_world.ts";
import { startFaultySmtp } from "../messages/faulty_smtp.ts";
import { makeSmtpMailer } from "../../src/platform/mail/smtp.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { runOfTests, startChild } from "../support/process.ts";

export interface CampaignFigures {
  readonly recipients: number;
  /** Time to write all recipients. */
  readonly seconds: number;
  /** The longest batch, in milliseconds: the longest time that the write lock was held. */
  readonly longestMs: number;
  /** The 95th percentile of other calls meanwhile, in milliseconds. */
  readonly p95: number;
  readonly mailsPerSecond: number;
  /** Mails of a campaign that wait while passwords are reset. */
  readonly waiting: number;
  /** The longest time from a call to the answer of the mail server, in milliseconds. */
  readonly resetMs: number;
  readonly letters: number;
  /** Time to make the letters and their ZIP. */
  readonly letterSeconds: number;
  /** The largest growth of memory meanwhile, in MiB. */
  readonly letterMb: number;
  /** Time to make a letter of one page, in milliseconds: the median, without the first. */
  readonly pageMs: number;
}

/** The number of passwords to reset while a campaign waits. */
const resets = 10;

const secrets = { SECRETS_KEY: new Uint8Array(32).fill(7).toBase64() };

export async function measureCampaigns(contacts: number): Promise<CampaignFigures> {
  const letters = Math.min(contacts, 1_000);
  const mails = Math.min(contacts, 3_000);
  // Letters come first, while the process has no more memory than at its start.
  const ofLetters = await measureLetters(letters);
  return {
    ...ofLetters,
    ...await measureRecipients(contacts),
    ...await measureMails(mails),
    ...await measureResets(Math.min(contacts, 10_000)),
  };
}

async function measureRecipients(contacts: number) {
  await using app = await startApp({ ...secrets, MAIL_RATE: "0" });
  const { admin, id: company } = await sendingCompany(app);
  await addContacts(app, company, contacts);
  await createCampaign(admin, {
    ...soon,
    filter: [{ field: "contact.status", operator: "eq", value: "lead" }],
  });
  app.clock.move(3_600_000);
  const { db } = app.deps;
  let longestMs = 0;
  const watched: typeof db = {
    ...db,
    async write(statements) {
      const begun = performance.now();
      const results = await db.write(statements);
      longestMs = Math.max(longestMs, performance.now() - begun);
      return results;
    },
  };
  const deps = { ...app.deps, db: watched };
  const took: number[] = [];
  let isOver = false;
  const beside = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await admin.call("GET", "/v1/me");
      took.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const begun = performance.now();
  await startCampaigns(deps, app.clock.now());
  while (await runStaged(deps, app.clock.now(), stagedKinds) > 0);
  const seconds = (performance.now() - begun) / 1000;
  isOver = true;
  await beside;
  took.sort((one, other) => one - other);
  const [written] = await app.sql("select count(*) as n from campaign_messages");
  return {
    recipients: Number(written!.n),
    seconds,
    longestMs,
    p95: took[Math.floor(took.length * 0.95)] ?? 0,
  };
}

async function measureMails(mails: number) {
  await using smtp = await startFaultySmtp(0);
  await using app = await startApp(secrets);
  const { admin, id: company } = await sendingCompany(app);
  await addContacts(app, company, mails);
  await createCampaign(admin, soon);
  await using _sender = startSender(app, smtp.url);
  const first = Math.floor(mails / 10);
  await smtp.reached(first);
  const begun = performance.now();
  await smtp.reached(mails);
  const seconds = (performance.now() - begun) / 1000;
  return { mailsPerSecond: (mails - first) / seconds };
}

/** Resets passwords while another process sends a campaign as fast as it can. */
async function measureResets(mails: number) {
  await using smtp = await startFaultySmtp(0);
  await using app = await startApp(secrets);
  const mailer = makeSmtpMailer({ url: smtp.url, from: "crm@example.org", pool: true });
  let noteArrival = () => {};
  app.mailer.send = async (letter) => {
    const outcome = await mailer.send(letter);
    noteArrival();
    return outcome;
  };
  const company = await sendingCompany(app);
  await addContacts(app, company.id, mails);
  for (let made = 1; made < resets; made++) await company.user();
  const client = await app.trustedClient();
  const users = await app.sql("select email from users where deleted_at is null");
  await createCampaign(company.admin, soon);
  await using _sender = startSender(app, smtp.url);
  // Waits until the sender is at full speed.
  await smtp.reached(mails / 100);
  let resetMs = 0;
  for (const { email } of users) {
    const { promise, resolve } = Promise.withResolvers<void>();
    noteArrival = resolve;
    const begun = performance.now();
    await app.call(client, "POST", "/v1/reset-password", { email });
    await promise;
    resetMs = Math.max(resetMs, performance.now() - begun);
  }
  mailer.close();
  return { waiting: mails - smtp.taken.length, resetMs };
}

/** Starts a process that sends campaigns as fast as it can. */
function startSender(app: TestApp, mailUrl: string): AsyncDisposable {
  const sender = startChild([...runOfTests, "tests/messages/campaign_sender.ts"], {
    ...secrets,
    DATABASE_URL: `file:${app.file}`,
    STORAGE_URL: `file:${app.folder}/files`,
    MAIL_URL: mailUrl,
    MAIL_RATE: "0",
    SHARED_CLOCK: String(Date.now()),
  });
  return {
    async [Symbol.asyncDispose]() {
      await sender.kill("SIGKILL");
    },
  };
}

async function measureLetters(letters: number) {
  await using app = await startApp(secrets);
  const { admin, id: company } = await sendingCompany(app);
  await addContacts(app, company, letters);
  const message = { content: `<p>Dear {{contact.full_name}},</p>${"<p>We have moved.</p>".repeat(20)}` };
  const { id } = await createCampaign(admin, { ...soon, type: "letter", message });
  app.clock.move(3_600_000);
  await startCampaigns(app.deps, app.clock.now());
  await runStaged(app.deps, app.clock.now(), stagedKinds);
  const idle = process.memoryUsage().rss;
  let most = idle;
  const probe = setInterval(() => most = Math.max(most, process.memoryUsage().rss), 50);
  const begun = performance.now();
  while (await makeLetters(app.deps) > 0);
  const { url } = (await admin.call("GET", `/v1/campaigns/${id}/letters`)).body;
  await download(url);
  const letterSeconds = (performance.now() - begun) / 1000;
  clearInterval(probe);
  const [made] = await app.sql("select count(*) as n from campaign_messages where status = 'sent'");
  const letterMb = (most - idle) / 1024 / 1024;
  return { letters: Number(made!.n), letterSeconds, letterMb, pageMs: await measurePage(app) };
}

async function measurePage(app: TestApp): Promise<number> {
  const html = `<p>Dear Ada Byron,</p>${"<p>We have moved.</p>".repeat(20)}`;
  const margins = { margin_top: null, margin_right: null, margin_bottom: null, margin_left: null };
  const times: number[] = [];
  for (let n = 0; n <= 100; n++) {
    const begun = performance.now();
    const { pages } = await makeLetter(app.deps, { html, title: "Moved", companyId: 1, ...margins });
    if (pages !== 1) throw new Error(`${pages} pages`);
    if (n > 0) times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}

/**
 * Downloads a whole answer in another process, so that the measured memory does not include that of the
 * reader.
 */
async function download(url: string): Promise<void> {
  const reading = `for await (const _ of (await fetch(${JSON.stringify(url)})).body);`;
  const { success } = await new Deno.Command(Deno.execPath(), { args: ["eval", reading] }).output();
  if (!success) throw new Error("the ZIP was not read to its end");
}

/** Inserts contacts with e-mail addresses and accounts with postal addresses. */
async function addContacts(app: TestApp, company: number, count: number): Promise<void> {
  const at = "2026-01-01 00:00:00";
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  await app.deps.db.write([
    sql`insert into accounts (id, company_id, address, city, name_key, last_activity_at, created_at, updated_at)
      ${numbers} select printf('01939c5e-7d3a-7001-8000-%012x', i), ${company}, 'Street ' || i, 'Graz', '', ${at}, ${at},
      ${at} from n`,
    sql`insert into contacts (id, company_id, account_id, first_name, last_name, email, last_name_key,
      last_activity_at, created_at, updated_at) ${numbers} select printf('01939c5e-7d3a-7002-8000-%012x', i), ${company},
      printf('01939c5e-7d3a-7001-8000-%012x', i), 'Ada', 'Byron ' || i, 'r' || i || '@example.org', '', ${at}, ${at},
      ${at} from n`,
  ]);
}

export function campaignLine(figures: CampaignFigures): string {
  const {
    recipients,
    seconds,
    longestMs,
    p95,
    mailsPerSecond,
    waiting,
    resetMs,
    letters,
    letterSeconds,
    letterMb,
    pageMs,
  } = figures;
  const rounded = Math.round;
  const resetAtMost = rounded(resetMs);
  return [
    `Recipients of a campaign: ${recipients} in ${seconds.toFixed(1)} s (aim: 60), the write lock held for ` +
    `${rounded(longestMs)} ms at most (aim: 100), other calls p95 ${rounded(p95)} ms (aim: 50).`,
    `Mails of a campaign: ${rounded(mailsPerSecond)} a second (aim: 300).`,
    `Password reset while ${waiting} mails of a campaign wait: at the mail server after ${resetAtMost} ms at most ` +
    `(aim: 500).`,
    `Letters of a campaign: ${letters} and their ZIP in ${letterSeconds.toFixed(1)} s (aim: 60), ` +
    `${rounded(letterMb)} MiB above idle (aim: 150). One of a page: p50 ${rounded(pageMs)} ms (aim: 100).`,
  ].join("\n");
}

/** Returns true if a figure is less than half as good as its aim. */
export function isSlow(
  { seconds, longestMs, p95, mailsPerSecond, resetMs, letterSeconds, letterMb }: CampaignFigures,
): boolean {
  return seconds > 120 || longestMs > 200 || p95 > 100 || mailsPerSecond < 150 || resetMs > 1_000 ||
    letterSeconds > 120 ||
    letterMb > 300;
}

if (import.meta.main) console.log(campaignLine(await measureCampaigns(Number(Deno.args[0] ?? 100_000))));
