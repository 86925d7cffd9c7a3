/** `deno task check`: format, lint, direction of imports, types, promises. Stops at the first that fails. */
import { ofTests, projectRoot } from "./support/process.ts";

await succeeds(["fmt", "--check"]);
await succeeds(["lint"]);
await succeeds(["run", "--allow-read", "tests/structure/check_imports.ts"]);
// The last check reads the types of the packages in both folders.
await succeeds(["install", "-q"]);
await succeeds(["install", "-q", ...ofTests]);
await Promise.all([
  succeeds(["check", "--config", "tests/deno.json", "src", "tests", "drizzle.config.ts"]),
  succeeds(["run", "-q", "-A", ...ofTests, "tests/structure/check_promises.ts"]),
]);

/** Runs Deno to its end. Ends this process when it fails. */
async function succeeds(args: string[]): Promise<void> {
  const { code } = await new Deno.Command(Deno.execPath(), { args, cwd: projectRoot }).spawn().status;
  if (code !== 0) Deno.exit(code);
}
