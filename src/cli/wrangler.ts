/**
 * `deno task dev:worker` and `deno task deploy:worker`: makes the static assets and runs wrangler in the version that
 * the tests use. It reports nothing to its makers, and starts without asking them what the worker is.
 */
import { readPinnedPackage } from "./pinned_package.ts";
import { makeWorkerAssets } from "./worker_assets.ts";

const quiet = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

if (import.meta.main) {
  await makeWorkerAssets();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", "tests/deno.json", readPinnedPackage("wrangler"), ...Deno.args],
    env: quiet,
  }).spawn();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      try {
        child.kill(signal);
      } catch {
        // It has just ended.
      }
    });
  }
  Deno.exit((await child.status).code);
}
