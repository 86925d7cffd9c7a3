/** `deno task check`: format, lint, types, direction of imports. Stops at the first that fails. */
import { projectRoot } from "./support/process.ts";

const checks = [
  ["fmt", "--check"],
  ["lint"],
  ["check", "--config", "tests/deno.json", "src", "tests", "drizzle.config.ts"],
  ["run", "--allow-read", "tests/structure/check_imports.ts"],
];

for (const args of checks) {
  const { code } = await new Deno.Command(Deno.execPath(), { args, cwd: projectRoot }).spawn().status;
  if (code !== 0) Deno.exit(code);
}
