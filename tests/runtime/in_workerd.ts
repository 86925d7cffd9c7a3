/** The service in one workerd, with a remote database, a bucket, a mail server and a push service. */
import { startApp, type TestApp } from "../support/app.ts";
import { startFcm } from "../support/fcm.ts";
import { type Hrana, startHrana } from "../support/hrana.ts";
import { startS3 } from "../support/s3.ts";
import { startSmtp } from "../support/smtp.ts";
import { startWorker, type Worker } from "../support/worker.ts";

/** Opens `/metrics` of the service in workerd. */
export const metricsToken = "operations";

export interface InWorkerd {
  readonly hrana: Hrana;
  readonly s3: Awaited<ReturnType<typeof startS3>>;
  readonly fcm: Awaited<ReturnType<typeof startFcm>>;
  readonly smtp: Awaited<ReturnType<typeof startSmtp>>;
  readonly worker: Worker;
}

/**
 * Starts the service and everything that it needs, and ends all of it after `use`. `prepare` fills the
 * database before the remote engine opens the file: one process may not use both.
 */
export async function inWorkerd<T>(
  prepare: (app: TestApp) => Promise<T>,
  use: (all: InWorkerd, prepared: T) => Promise<void>,
): Promise<void> {
  const secretsKey = btoa("k".repeat(32));
  await using app = await startApp({ SECRETS_KEY: secretsKey });
  const prepared = await prepare(app);
  await using fcm = await startFcm();
  await using smtp = await startSmtp();
  const hrana = await startHrana({ path: app.file, token: "t" });
  const s3 = await startS3();
  const worker = await startWorker({
    vars: {
      DATABASE_URL: hrana.url,
      DATABASE_AUTH_TOKEN: "t",
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOW_PRIVATE: "true",
      METRICS_TOKEN: metricsToken,
      MAIL_URL: smtp.url,
      ...s3.env,
      ...fcm.env,
    },
  });
  try {
    await use({ hrana, s3, fcm, smtp, worker }, prepared);
  } finally {
    await worker.close();
    await hrana.close();
    await s3.close();
  }
}

/** Adds what the worker printed to an error of the check. */
export async function reportWith({ worker }: InWorkerd, check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    throw new Error(worker.output(), { cause: error });
  }
}
