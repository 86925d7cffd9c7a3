/**
 * Runs a bundle in workerd, as `wrangler dev` does, and prints its address and its log. Without wrangler
 * itself, a start takes a fifth of the processor time. Its arguments are the folder of the bundle and the
 * variables of the worker as JSON.
 */
import { createRequire } from "node:module";
import { projectRoot } from "./process.ts";

interface Metadata {
  readonly main_module: string;
  readonly compatibility_date: string;
  readonly compatibility_flags: readonly string[];
}

/** The part of `wrangler.toml` on static assets, which the bundle does not have. */
const assetSettings = /^\[assets\]\n((?:\w+ = .+\n)+)/m;

function readAssetSettings(): Record<string, never> {
  const [, lines = ""] = assetSettings.exec(Deno.readTextFileSync(`${projectRoot}wrangler.toml`))!;
  const pairs = lines.trim().split("\n").map((line) => line.split(" = "));
  return Object.fromEntries(pairs.map(([name, value]) => [name, JSON.parse(value!)]));
}

const [folder = "", vars = "{}"] = Deno.args;
const metadata: Metadata = JSON.parse(Deno.readTextFileSync(`${folder}/metadata.json`));
const assets = readAssetSettings();
const path = `${folder}/${metadata.main_module}`;

// The package comes with wrangler, and is not one of the project's own.
const ofWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
const { Miniflare, convertV4MiniflareOptions } = ofWrangler("miniflare");

const server = new Miniflare(convertV4MiniflareOptions({
  host: "127.0.0.1",
  port: 0,
  cf: false,
  telemetry: { enabled: false },
  unsafeTriggerHandlers: true,
  modulesRoot: folder,
  modules: [{ type: "ESModule", path, contents: Deno.readTextFileSync(path) }],
  compatibilityDate: metadata.compatibility_date,
  compatibilityFlags: metadata.compatibility_flags,
  bindings: JSON.parse(vars),
  assets: {
    directory: projectRoot + assets.directory,
    binding: assets.binding,
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: assets.run_worker_first },
    assetConfig: { html_handling: assets.html_handling, not_found_handling: assets.not_found_handling },
  },
  handleStructuredLogs: ({ message }: { message: string }) => console.log(message),
  handleUncaughtError: (error: Error) => console.error(error),
}));

Deno.addSignalListener("SIGTERM", async () => {
  await server.dispose();
  Deno.exit(0);
});
console.log(`Ready on ${(await server.ready).origin}`);
