/**
 * `deno task test:long`: the proofs at their full sizes. The list in `run.ts` compares these with the small ones.
 * Stops at the first part that fails.
 */
import { parts } from "./sizes.ts";
import { projectRoot } from "./support/process.ts";

for (const { sizes, files } of parts) {
  await run(["test", "-A", "--config", "tests/deno.json", ...files.map((file) => `tests/${file}`)], sizes);
}
await run(["task", "test:crash", "--kills", "200"]);

async function run(args: string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), { args, env, cwd: projectRoot }).spawn();
  const { code } = await child.status;
  if (code !== 0) Deno.exit(code);
}
