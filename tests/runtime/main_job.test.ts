import { formatTimestamp } from "../../src/core/time.ts";
import { inFolder } from "../support/engines.ts";
import { startHrana } from "../support/hrana.ts";
import { startTarget } from "../support/listener.ts";
import { runCommand, startProcess } from "../support/process.ts";
import { commandArguments, serve } from "../support/service.ts";
import { startS3 } from "../support/s3.ts";
import { startSmtp } from "../support/smtp.ts";
import { startDev } from "../support/worker.ts";
import { copyTemplate } from "../support/template.ts";
import { mainJob, type Service } from "./main_job.ts";

const client = { id: "partner", secret: "a secret of a partner" };
const threeDays = 3 * 86_400_000;

Deno.test("a lead becomes a case, and another escalates, on a box with a file", () =>
  inFolder((folder) =>
    withWorld((world) =>
      onBox({ DATABASE_URL: `file:${folder}/crm.db`, STORAGE_URL: `file:${folder}/files` }, world)
    )
  ));

Deno.test("a lead becomes a case, and another escalates, on a box with a remote database", () =>
  farAway((env) => withWorld((world) => onBox(env, world))));

Deno.test("a lead becomes a case, and another escalates, in workerd with a remote database and cron", () =>
  farAway((env) =>
    withWorld(async (world) => {
      const worker = await startDev({ vars: { ...settings, ...env, MAIL_URL: world.smtp.url } });
      try {
        await mainJob({
          url: worker.url,
          client,
          ...world,
          jobsThreeDaysAhead: () => worker.runScheduled(Date.now() + threeDays),
        });
      } catch (error) {
        throw new Error(worker.output(), { cause: error });
      } finally {
        await worker.close();
      }
    })
  ));

const settings = {
  BOOTSTRAP_CLIENT_ID: client.id,
  BOOTSTRAP_CLIENT_SECRET: client.secret,
  WEBHOOK_ALLOW_PRIVATE: "true",
};

/** The mail server and the webhook's target. */
type World = Pick<Service, "smtp" | "target">;

async function onBox(database: Record<string, string>, world: World): Promise<void> {
  const env = { ...settings, ...database, PORT: "0", MAIL_URL: world.smtp.url };
  const server = await startProcess(serve, env);
  const service: Service = {
    url: server.url,
    client,
    ...world,
    async jobsThreeDaysAhead() {
      const now = formatTimestamp(Date.now() + threeDays);
      const { code, stdout, stderr } = await runCommand(commandArguments("jobs", "--now", now), env);
      if (code !== 0) throw new Error(stdout + stderr);
    },
  };
  try {
    await mainJob(service);
  } catch (error) {
    throw new Error(server.output(), { cause: error });
  } finally {
    await server.kill();
  }
}

async function withWorld(use: (world: World) => Promise<void>): Promise<void> {
  await using smtp = await startSmtp();
  const target = startTarget();
  try {
    await use({ smtp, target });
  } finally {
    await target.close();
  }
}

/** A migrated remote database and a bucket. */
function farAway(use: (env: Record<string, string>) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const path = `${folder}/far.db`;
    await copyTemplate(path);
    const token = "far-away";
    const hrana = await startHrana({ path, token });
    const s3 = await startS3();
    try {
      await use({
        ...s3.env,
        DATABASE_URL: hrana.url,
        DATABASE_AUTH_TOKEN: token,
        SECRETS_KEY: crypto.getRandomValues(new Uint8Array(32)).toBase64(),
      });
    } finally {
      await s3.close();
      await hrana.close();
    }
  });
}
