/**
 * Makes load from 16 connections for some seconds: with wrk if it is installed, otherwise with autocannon.
 */
import { readFileSync } from "node:fs";

export interface Asked {
  readonly path: string;
  readonly body?: unknown;
  /** The path of a file with the body, in place of `body`. */
  readonly file?: string;
}

export interface Load {
  readonly method: "GET" | "POST";
  /** The calls, which are made in turn. */
  readonly asked: readonly Asked[];
  readonly token: string;
  /** The type of the bodies; JSON by default. */
  readonly type?: string;
  /** By default `usualConnections`. */
  readonly connections?: number;
}

export interface Measured {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface Tool {
  readonly name: string;
  /** Makes the load for `seconds`; by default as long as given to `chooseTool`. */
  run(url: string, load: Load, seconds?: number): Promise<Measured>;
}

const usualConnections = 16;

export async function chooseTool(seconds: number): Promise<Tool> {
  const found = await new Deno.Command("sh", { args: ["-c", "command -v wrk"] }).output();
  if (found.success) return { name: "wrk", run: (url, load, time = seconds) => wrk(url, load, time) };
  console.log(
    "wrk is not installed (on Debian: apt-get install wrk); autocannon cannot keep up beyond 50,000/s.",
  );
  return { name: "autocannon", run: (url, load, time = seconds) => autocannon(url, load, time) };
}

async function wrk(url: string, load: Load, seconds: number): Promise<Measured> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  const text = (value: string) => `[==[${value}]==]`;
  const paths = load.asked.map(({ path }) => text(path));
  const bodies = load.asked.map(({ body, file }) =>
    file !== undefined ? `read(${text(file)})` : body === undefined ? "false" : text(JSON.stringify(body))
  );
  await Deno.writeTextFile(
    script,
    `wrk.method = "${load.method}"
wrk.headers["Authorization"] = "Bearer ${load.token}"
wrk.headers["Content-Type"] = "${load.type ?? "application/json"}"
local function read(path)
  local file = io.open(path, "rb")
  local body = file:read("*a")
  file:close()
  return body
end
local paths = {${paths}}
local bodies = {${bodies}}
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format(nil, paths[at], nil, bodies[at] or nil)
end
done = function(summary, latency)
  for _, p in ipairs({50, 95, 99}) do
    io.write(string.format("p%d=%d\\n", p, latency:percentile(p)))
  end
end
`,
  );
  const args = [
    "-t1",
    `-c${load.connections ?? usualConnections}`,
    `-d${seconds}`,
    "--timeout",
    "30s",
    "-s",
    script,
    url,
  ];
  const { stdout } = await new Deno.Command("wrk", { args }).output();
  await Deno.remove(script);
  const reported = new TextDecoder().decode(stdout);
  if (/Non-2xx|Socket errors/.test(reported)) throw new Error(`some calls failed:\n${reported}`);
  const read = (pattern: RegExp) => Number(pattern.exec(reported)?.[1] ?? 0);
  return {
    perSecond: read(/Requests\/sec:\s+([\d.]+)/),
    p50: read(/^p50=(\d+)/m) / 1000,
    p95: read(/^p95=(\d+)/m) / 1000,
    p99: read(/^p99=(\d+)/m) / 1000,
  };
}

async function autocannon(url: string, load: Load, seconds: number): Promise<Measured> {
  const { default: run } = await import("autocannon");
  const result = await run({
    url,
    connections: load.connections ?? usualConnections,
    duration: seconds,
    requests: load.asked.map(({ path, body, file }) => ({
      method: load.method,
      path,
      headers: {
        authorization: `Bearer ${load.token}`,
        "content-type": load.type ?? "application/json",
      },
      ...(file !== undefined
        ? { body: readFileSync(file) }
        : body === undefined
        ? {}
        : { body: JSON.stringify(body) }),
    })),
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} calls were refused`);
  // autocannon has no 95th percentile. The next one that it has is larger.
  const { p50, p97_5, p99 } = result.latency;
  return { perSecond: result.requests.mean, p50, p95: p97_5, p99 };
}
