/** `deno task dev`: runs the service with a demo company and prints how to call it. */
import { createApp } from "../app.ts";
import { main } from "../entry/deno.ts";
import { type Demo, prepareDemo } from "./demo.ts";
import { readConfiguration, runCommand } from "./command.ts";

if (import.meta.main) await runCommand(dev);

async function dev(): Promise<void> {
  const config = readConfiguration();
  const demo = await prepareDemo(config);
  // The watcher of the sources stops only on this signal.
  Deno.addSignalListener("SIGTERM", () => Deno.kill(Deno.pid, "SIGINT"));
  const ready = (url: string) =>
    console.log(demo === null ? composePlainWelcome(url) : composeDemoWelcome(url, demo));
  await main(ready, config, (deps) => createApp(deps, { kit: true }));
}

function composeDemoWelcome(url: string, demo: Demo): string {
  const { client_id, client_secret } = demo;
  const token = `curl -s ${url}/auth/token -d grant_type=client_credentials -d client_id=${client_id} ` +
    `-d client_secret=${client_secret}`;
  return `
Wayline CRM with a demo company: open ${url}/app

  sign-ins       ${demo.users.join(", ")}
  password       ${demo.password}
  documentation  ${url}/docs
  client id      ${client_id}
  client secret  ${client_secret}

Who is calling, with a token by client credentials:

curl -s ${url}/v1/me -H "Authorization: Bearer $(${token} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')"
`;
}

function composePlainWelcome(url: string): string {
  return `
Wayline CRM: open ${url}/app; documented at ${url}/docs

The database has companies of its own, so no demo company was made.
"deno task crm client create" makes a client for one of them.
`;
}
