/** Load from 16 connections for some seconds: with wrk where it is installed, else with autocannon. */

export interface Load {
  readonly method: "GET" | "POST";
  /** Called in turn. */
  readonly paths: readonly string[];
  readonly token: string;
  readonly body?: unknown;
}

export interface Measured {
  readonly perSecond: number;
  /** With their unit. */
  readonly p50: string;
  readonly p99: string;
}

export interface Tool {
  readonly name: string;
  run(url: string, load: Load): Promise<Measured>;
}

const connections = 16;

export async function chooseTool(seconds: number): Promise<Tool> {
  const found = await new Deno.Command("sh", { args: ["-c", "command -v wrk"] }).output();
  if (found.success) return { name: "wrk", run: (url, load) => wrk(url, load, seconds) };
  console.log(
    "wrk is not installed (on Debian: apt-get install wrk); autocannon cannot keep up beyond 50,000/s.",
  );
  return { name: "autocannon", run: (url, load) => autocannon(url, load, seconds) };
}

async function wrk(url: string, load: Load, seconds: number): Promise<Measured> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  const paths = load.paths.map((path) => JSON.stringify(path)).join(",");
  await Deno.writeTextFile(
    script,
    `wrk.method = "${load.method}"
wrk.headers["Authorization"] = "Bearer ${load.token}"
${
      load.body === undefined ? "" : `wrk.headers["Content-Type"] = "application/json"
wrk.body = [==[${JSON.stringify(load.body)}]==]`
    }
local paths = {${paths}}
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format(nil, paths[at])
end
`,
  );
  const args = ["-t1", `-c${connections}`, `-d${seconds}`, "--latency", "-s", script, url];
  const { stdout } = await new Deno.Command("wrk", { args }).output();
  await Deno.remove(script);
  const text = new TextDecoder().decode(stdout);
  if (/Non-2xx/.test(text)) throw new Error(`some calls were refused:\n${text}`);
  const read = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "0";
  return {
    perSecond: Number(read(/Requests\/sec:\s+([\d.]+)/)),
    p50: read(/^\s+50%\s+(\S+)/m),
    p99: read(/^\s+99%\s+(\S+)/m),
  };
}

async function autocannon(url: string, load: Load, seconds: number): Promise<Measured> {
  const { default: run } = await import("autocannon");
  const result = await run({
    url,
    connections,
    duration: seconds,
    requests: load.paths.map((path) => ({
      method: load.method,
      path,
      headers: { authorization: `Bearer ${load.token}`, "content-type": "application/json" },
      ...(load.body === undefined ? {} : { body: JSON.stringify(load.body) }),
    })),
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} calls were refused`);
  return { perSecond: result.requests.mean, p50: `${result.latency.p50}ms`, p99: `${result.latency.p99}ms` };
}
