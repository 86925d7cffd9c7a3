/** Connections that are silent, slow or too many are closed in time, and the others are served. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp } from "../../src/app.ts";
import { Connections } from "../../src/entry/connections.ts";
import {
  type Deadlines,
  listen,
  type Listening,
  type Serve,
  usualDeadlines,
} from "../../src/entry/listen.ts";
import { bodyDeadline } from "../../src/http/bodies.ts";
import { send, startApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { memoryLog } from "../support/ports.ts";
import { type Server as Started, startProcess } from "../support/process.ts";
import { serviceFile } from "../support/service.ts";

// The headers are counted in checks and the request in milliseconds: a busy machine makes ten checks slowly.
const soon: Deadlines = { headers: 300, request: 1_500, idle: 300, look: 60_000 };
const head = "GET / HTTP/1.1\r\nHost: h\r\n";

/** A raw connection. */
class Line implements Disposable {
  #text = "";
  #open = true;
  readonly closed: Promise<void>;

  private constructor(readonly connection: Deno.TcpConn) {
    this.closed = this.#read();
  }

  static async to(url: string): Promise<Line> {
    const { hostname, port } = new URL(url);
    return new Line(await Deno.connect({ hostname, port: Number(port) }));
  }

  get text(): string {
    return this.#text;
  }

  get open(): boolean {
    return this.#open;
  }

  async say(text: string): Promise<void> {
    await this.connection.write(new TextEncoder().encode(text)).catch(() => {});
  }

  /** Resolves when the text has arrived. Throws when the connection closes first. */
  async hears(part: string): Promise<void> {
    for (let waited = 0; !this.#text.includes(part); waited++) {
      if (!this.#open || waited > 1_000) throw new Error(`closed: ${!this.#open}; came: ${this.#text}`);
      await sleep(10);
    }
  }

  async #read(): Promise<void> {
    const chunk = new Uint8Array(4_096);
    try {
      for (let n = await this.connection.read(chunk); n !== null; n = await this.connection.read(chunk)) {
        this.#text += new TextDecoder().decode(chunk.subarray(0, n));
      }
    } catch {
      // Reset.
    }
    this.#open = false;
  }

  [Symbol.dispose](): void {
    try {
      this.connection.close();
    } catch {
      // Closed already.
    }
  }
}

async function serving(
  use: (server: Listening) => Promise<void>,
  { serve = () => new Response("here"), most = 100, mostUnsent, deadlines = soon }: {
    serve?: Serve;
    most?: number;
    mostUnsent?: number;
    deadlines?: Deadlines;
  } = {},
): Promise<void> {
  const place = { host: "127.0.0.1", port: 0, maxConnections: most, mostUnsent, deadlines };
  const server = await listen(serve, place, memoryLog());
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

Deno.test("by default headers come within 10 s, a body within 60 s, and an idle connection stays 60 s", () => {
  const { headers, request, idle } = usualDeadlines;
  assert.deepEqual([headers, bodyDeadline, idle], [10_000, 60_000, 60_000]);
  // The app rejects a slow body before its connection is closed.
  assert.ok(request >= headers + bodyDeadline);
});

Deno.test("a silent connection, slow headers, a slow body and an idle connection are closed in time", () =>
  serving(async ({ url }) => {
    using silent = await Line.to(url);
    using slow = await Line.to(url);
    using dribbling = await Line.to(url);
    using body = await Line.to(url);
    using idle = await Line.to(url);
    await slow.say(head);
    await body.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    await idle.say(`${head}\r\n`);
    await idle.hears("here");
    await dribbling.say(head);
    const dribble = setInterval(() => dribbling.say("x: y\r\n"), 50);
    const lines = [silent, slow, dribbling, body, idle];
    const late = setTimeout(() => lines.forEach((line) => line[Symbol.dispose]()), 8_000);
    await Promise.all(lines.map(({ closed }) => closed));
    clearTimeout(late);
    clearInterval(dribble);
    assert.match(slow.text, /^HTTP\/1.1 408/);
    assert.match(dribbling.text, /^HTTP\/1.1 408/);
    assert.ok(body.text === "" || /HTTP\/1.1 (?:408|200)/.test(body.text), body.text);
  }, { serve: async (request) => new Response(`here ${(await request.text()).length}`) }));

Deno.test("a connection that waits for its first request is idle, also for longer than the deadline of headers", () =>
  serving(async ({ url }) => {
    using line = await Line.to(url);
    await sleep(3 * soon.headers);
    await line.say(`${head}\r\n`);
    await line.hears("here");
  }, { serve: () => new Response("here"), deadlines: { ...usualDeadlines, headers: soon.headers } }));

Deno.test("a request that arrived while the process was busy is answered, also when its connection is late by then", async () => {
  const connections = new Connections(10);
  const server = createServer((request, response) =>
    connections.take(request, response, () => void response.end("here"))
  );
  server.on("connection", (socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  for (const begun of ["", head]) {
    using line = await Line.to(`http://127.0.0.1:${port}`);
    await line.say(begun);
    await sleep(50);
    const said = line.say(`${head.slice(begun.length)}\r\n`);
    for (const until = performance.now() + 50; performance.now() < until;);
    connections.closeLate({ headers: 1, request: 1, silence: 1 });
    await said;
    await line.hears("here");
    await sleep(50);
    assert.equal(line.open, true, "the connection serves its next request");
  }
  connections.stop();
  await new Promise((resolve) => server.close(resolve));
});

Deno.test("requests that wait while the process is busy for longer than the deadline of headers are answered", () =>
  serving(async ({ url }) => {
    using line = await Line.to(url);
    for (let n = 0; n < 3; n++) {
      await line.say(`GET /${n}. HTTP/1.1\r\nHost: h\r\n\r\n`);
      for (const until = performance.now() + 2 * soon.headers; performance.now() < until;);
      await line.hears(`here ${n}.`);
    }
  }, {
    serve: ({ url }) => new Response(`here ${new URL(url).pathname.slice(1)}`),
    deadlines: { ...usualDeadlines, headers: soon.headers },
  }));

Deno.test("a connection without a request is closed without an answer, which a client could take for another's", () =>
  serving(async ({ url }) => {
    using line = await Line.to(url);
    await line.closed;
    assert.equal(line.text, "");
  }));

Deno.test("a connection that does not read its answer is closed in time", () =>
  serving(async (server) => {
    using line = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.url).port) });
    await line.write(new TextEncoder().encode(`${head}\r\n`));
    await until(() => server.connections === 1);
    await until(() => server.connections === 0);
  }, { serve: () => new Response("x".repeat(32 * 1024 * 1024)) }));

Deno.test("connections with unread answers are closed, oldest first, when these take too much memory", async () => {
  const mebibyte = 1024 * 1024;
  // More than the system's own send buffer.
  const answer = new Uint8Array(16 * mebibyte);
  await serving(async (server) => {
    const lines: Deno.TcpConn[] = [];
    for (let n = 0; n < 8; n++) {
      const line = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.url).port) });
      lines.push(line);
      await line.write(new TextEncoder().encode(`${head}\r\n`));
      await until(() => server.connections === Math.min(n + 1, 3));
      await sleep(20);
    }
    await until(() => server.connections === 3);
    const reply = await fetch(server.url);
    assert.equal((await reply.arrayBuffer()).byteLength, answer.length);
    // The newest receives its whole answer.
    let came = 0;
    const chunk = new Uint8Array(mebibyte);
    while (came < answer.length) {
      const n = await lines.at(-1)!.read(chunk);
      assert.ok(n !== null, `closed after ${came} bytes`);
      came += n;
    }
    for (const line of lines) line.close();
  }, { serve: () => new Response(answer), mostUnsent: 50 * mebibyte, deadlines: usualDeadlines });
});

Deno.test("requests sent together are answered one after the other, in order", async () => {
  let [running, most] = [0, 0];
  await serving(async ({ url }) => {
    using line = await Line.to(url);
    const together = Array.from({ length: 50 }, (_, n) => `GET /${n}. HTTP/1.1\r\nHost: h\r\n\r\n`);
    await line.say(together.join(""));
    await line.hears("here 49.");
    assert.equal(most, 1);
    const heard = [...line.text.matchAll(/here (\d+)\./g)].map(([, n]) => Number(n));
    assert.deepEqual(heard, together.map((_, n) => n));
    // The connection stays open.
    await line.say("GET /last. HTTP/1.1\r\nHost: h\r\n\r\n");
    await line.hears("here last.");
  }, {
    serve: async ({ url }) => {
      most = Math.max(most, ++running);
      await sleep(1);
      running--;
      return new Response(`here ${new URL(url).pathname.slice(1)}`);
    },
  });
});

Deno.test("a connection with more than 100 waiting requests is closed without answers", async () => {
  let begun = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await serving(async (server) => {
    using line = await Line.to(server.url);
    await line.say(`${head}\r\n`.repeat(101));
    await sleep(50);
    assert.ok(line.open);
    await line.say(`${head}\r\n`);
    await line.closed;
    await until(() => server.connections === 0);
    release();
    await sleep(50);
    assert.equal(begun, 1);
    using other = await Line.to(server.url);
    await other.say(`${head}\r\n`);
    await other.hears("here");
  }, {
    serve: async () => {
      begun++;
      await held;
      return new Response("here");
    },
    deadlines: usualDeadlines,
  });
});

Deno.test("a connection with a slow answer stays open", () =>
  serving(async ({ url }) => {
    using line = await Line.to(url);
    await line.say(`${head}\r\n`);
    await line.hears("late but here");
  }, {
    serve: async () => {
      await sleep(500);
      return new Response("late but here");
    },
  }));

Deno.test("with too many connections the longest idle one is closed, and none that is being answered", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await serving(async (server) => {
    using busy = await Line.to(server.url);
    await busy.say("GET /busy HTTP/1.1\r\nHost: h\r\n\r\n");
    await until(() => server.connections === 1);
    const lines: Line[] = [];
    for (let n = 0; n < 30; n++) {
      lines.push(await Line.to(server.url));
      await until(() => lines.at(-1)!.open && server.connections >= Math.min(n + 2, 10));
    }
    using last = await Line.to(server.url);
    await last.say(`${head}\r\n`);
    await last.hears("here");
    assert.equal(server.connections, 10);
    assert.ok(busy.open);
    await until(() => lines.filter(({ open }) => open).length <= 8);
    assert.ok(!lines[0]!.open && lines.at(-1)!.open);
    answer();
    await busy.hears("busy");
    for (const line of lines) line[Symbol.dispose]();
  }, {
    most: 10,
    deadlines: usualDeadlines,
    serve: async (request) => {
      if (!request.url.endsWith("/busy")) return new Response("here");
      await answered;
      return new Response("busy");
    },
  });
});

Deno.test("a process that may open 300 files survives 400 silent connections and answers others", () =>
  inFolder(async (folder) => {
    const env = { DATABASE_URL: `file:${folder}/crm.db`, STORAGE_URL: `file:${folder}/files`, PORT: "0" };
    const server = await startLimited(300, ["-A", serviceFile], env);
    const lines: Line[] = [];
    try {
      // Some wait in the system's accept queue until others are closed.
      const coming = Promise.allSettled(
        Array.from({ length: 400 }, async () => lines.push(await Line.to(server.url))),
      );
      let most = 0;
      await until(() => {
        most = Math.max(most, countOpenFiles(server.pid));
        return lines.length > 200;
      });
      for (let n = 0; n < 5; n++) assert.equal((await health(server)).status, 200);
      await coming;
      assert.equal((await health(server)).status, 200);
      assert.ok(most < 290, `${most} files were open`);
      assert.ok(lines.some(({ open }) => open));
      assert.doesNotMatch(server.output(), /listening_again/);
    } finally {
      for (const line of lines) line[Symbol.dispose]();
      assert.equal((await server.kill()).code, 0, server.output());
    }
  }));

function countOpenFiles(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

Deno.test("after a connection could not be accepted the server listens again", async () => {
  const server = await startLimited(60, ["-A", "tests/entry/fixtures/crowded.ts"], {});
  const lines: Line[] = [];
  try {
    for (let n = 0; n < 100; n++) lines.push(await Line.to(server.url));
    await server.line((line) => line.includes("listening_again") ? line : null, 10_000);
    await until(async () => (await fetch(server.url).then((reply) => reply.text(), () => "")) === "here");
  } finally {
    for (const line of lines) line[Symbol.dispose]();
    await server.kill("SIGKILL");
  }
});

Deno.test("a server that has no time for a while does not take itself for one that accepts nothing", async () => {
  const log = memoryLog();
  const place = { host: "127.0.0.1", port: 0, maxConnections: 10, deadlines: { ...soon, look: 50 } };
  const server = await listen(() => new Response("here"), place, log);
  try {
    for (let n = 0; n < 15; n++) {
      await new Promise((resolve) => setTimeout(resolve));
      for (const until = performance.now() + 100; performance.now() < until;);
    }
    assert.deepEqual(log.entries.map(({ event }) => event), []);
  } finally {
    await server.stop();
  }
});

Deno.test("a process without room for the configured connections does not start and names its limit", () =>
  inFolder(async (folder) => {
    const env = { DATABASE_URL: `file:${folder}/crm.db`, PORT: "0", MAX_CONNECTIONS: "200" };
    const few = ["--no-prompt", "--allow-net", "--allow-env", "--allow-read=."];
    const room = /MAX_CONNECTIONS must be at most 1[345]\d: this process may open (?:2[6-9]\d|300) files/;
    for (const rights of [["-A"], few]) {
      await assert.rejects(startLimited(300, [...rights, serviceFile], env), room);
    }
    const passed = startLimited(300, [...few, serviceFile, "--open-files=290"], env);
    await assert.rejects(passed, /MAX_CONNECTIONS must be at most 145: this process may open 290 files/);
    // What the process can read itself comes first.
    await assert.rejects(startLimited(300, ["-A", serviceFile, "--open-files=5000"], env), room);
  }));

Deno.test("a body that does not arrive in time is 408 at endpoints, pages and the token endpoint", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const hurried = createApp({ ...app.deps, bodyMs: 200 });
  await serving(async ({ url }) => {
    const slow = async (path: string, type: string, sized: boolean): Promise<string> => {
      using line = await Line.to(url);
      const length = sized ? "Content-Length: 100" : "Transfer-Encoding: chunked";
      await line.say(
        `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${admin.token}\r\nContent-Type: ${type}\r\n` +
          `${length}\r\n\r\n${sized ? "{" : "1\r\n{\r\n"}`,
      );
      const dribble = setInterval(() => line.say(sized ? " " : "1\r\n \r\n"), 50);
      const late = setTimeout(() => line[Symbol.dispose](), 5_000);
      await line.closed;
      clearTimeout(late);
      clearInterval(dribble);
      return line.text;
    };
    for (const sized of [true, false]) {
      const problem = await slow("/v1/accounts", "application/json", sized);
      assert.match(problem, /^HTTP\/1.1 408 [^]*connection: close[^]*"code":"request_timeout"/i);
      const refusal = await slow("/auth/token", "application/x-www-form-urlencoded", sized);
      assert.match(refusal, /^HTTP\/1.1 408 [^]*"error":"invalid_request"/);
      const page = await slow("/auth/sign-in", "application/x-www-form-urlencoded", sized);
      assert.match(page, /^HTTP\/1.1 408 [^]*This took too long/);
      const picture = await slow(`/upload/company-logo`, "multipart/form-data; boundary=x", sized);
      assert.match(picture, /^HTTP\/1.1 408 /);
    }
  }, { serve: (request, bindings) => hurried.fetch(request, bindings), deadlines: usualDeadlines });
});

Deno.test("a stop finishes running requests and closes idle connections", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const serve: Serve = async () => {
    begin();
    await sleep(200);
    return new Response("finished");
  };
  const server = await listen(serve, { host: "127.0.0.1", port: 0, maxConnections: 10 }, memoryLog());
  using silent = await Line.to(server.url);
  using asking = await Line.to(server.url);
  await asking.say(`${head}\r\n`);
  await begun;
  await server.stop();
  await Promise.all([silent.closed, asking.closed]);
  assert.match(asking.text, /finished/);
  assert.equal(silent.text, "");
});

/** Starts Deno with a limit of open files. */
function startLimited(files: number, args: string[], env: Record<string, string>): Promise<Started> {
  const script = `ulimit -n ${files}; exec "$0" run -q "$@"`;
  return startProcess(["-c", script, Deno.execPath(), ...args], env, { command: "sh" });
}

function health(server: Started) {
  return send(`${server.url}/health`, "GET", null);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 500; n++) {
    if (await holds()) return;
    await sleep(10);
  }
  throw new Error("the condition was not met in time");
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
