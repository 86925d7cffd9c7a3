/** The configurations of nginx and Caddy that the guide shows, in front of a service. */
import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { projectRoot, runCommand } from "../support/process.ts";

const operations = `${projectRoot}src/docs/operations/`;

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return (listener.addr as Deno.NetAddr).port;
}

/** Runs a proxy until the test has ended. */
async function through(
  command: string,
  args: readonly string[],
  { url, folder }: { readonly url: string; readonly folder: string },
  test: () => Promise<void>,
) {
  const child = new Deno.Command(command, {
    args: [...args],
    env: { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = new Response(child.stderr).text();
  try {
    for (let tries = 0;; tries++) {
      const up = await fetch(`${url}/health`).then(
        async (reply) => (await reply.text()).includes("ok"),
        () => false,
      );
      if (up) break;
      if (tries === 100) throw new Error(`${command} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await test();
  } finally {
    child.kill("SIGTERM");
    await child.status;
    await said;
  }
}

/** A record changed by its tag and an upload of 2 MiB, as a client does them behind the proxy. */
async function works(app: TestApp, url: string): Promise<string[]> {
  const { admin } = await app.company();
  const tags: string[] = [];
  for (const encoding of ["identity", "gzip", "zstd", "br, gzip"]) {
    const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${admin.token}`,
          "Content-Type": "application/json",
          // The runtime decodes no zstd.
          "Accept-Encoding": method === "GET" ? encoding : "identity",
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const made = await call("POST", "/v1/groups", { name: "North" });
    const { id } = await made.json();
    const got = await call("GET", `/v1/groups/${id}`);
    await got.text();
    const tag = got.headers.get("etag")!;
    tags.push(tag);
    const put = await call("PUT", `/v1/groups/${id}`, { name: "South" }, { "If-Match": tag });
    assert.equal(put.status, 200, `${encoding} ${tag} ${await put.text()}`);
    const late = await call("PUT", `/v1/groups/${id}`, { name: "West" }, { "If-Match": tag });
    assert.equal(late.status, 412, await late.text());
    const same = await call("GET", `/v1/groups/${id}`, undefined, {
      "If-None-Match": put.headers.get("etag")!,
    });
    assert.equal(same.status, 304, await same.text());
    const data = new Uint8Array(2 * 1024 * 1024).toBase64();
    const upload = await call("POST", "/v1/files", { name: "big.bin", data });
    assert.equal(upload.status, 201, await upload.text());
  }
  return tags;
}

async function nginx(app: TestApp, test: (url: string, weakens: boolean) => Promise<void>): Promise<void> {
  for (const weakens of [false, true]) {
    await inFolder(async (folder) => {
      const port = freePort();
      const key = ["-newkey", "rsa:2048", "-nodes", "-keyout", `${folder}/k.pem`, "-out", `${folder}/c.pem`];
      const subject = ["req", "-x509", "-subj", "/CN=localhost", "-days", "1"];
      assert.equal((await runCommand([...subject, ...key], {}, { command: "openssl" })).code, 0);
      const server = (await Deno.readTextFile(`${operations}nginx.conf`))
        .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/c.pem;`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/k.pem;`)
        .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
        .replace("http://127.0.0.1:8000", app.url)
        .replace(
          "gzip off;",
          weakens ? "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 0;" : "gzip off;",
        );
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
      await Deno.writeTextFile(
        `${folder}/nginx.conf`,
        `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${server}}\n`,
      );
      const args = ["-p", folder, "-c", `${folder}/nginx.conf`];
      const checked = await runCommand(["-t", ...args], {}, { command: "nginx" });
      assert.equal(checked.code, 0, checked.stderr);
      const url = `http://127.0.0.1:${port}`;
      await through("nginx", args, { url, folder }, () => test(url, weakens));
    });
  }
}

Deno.test("behind nginx, large uploads arrive and If-Match holds, also where nginx compresses and weakens tags", async () => {
  await using app = await startApp({ TRUST_PROXY: "true" });
  await nginx(app, async (url, weakens) => {
    const tags = await works(app, url);
    assert.equal(tags.some((tag) => tag.startsWith("W/")), weakens, tags.join(" "));
  });
});

Deno.test("behind Caddy, large uploads arrive and If-Match holds, also where Caddy compresses", async () => {
  await using app = await startApp({ TRUST_PROXY: "true" });
  await inFolder(async (folder) => {
    const port = freePort();
    const given = await Deno.readTextFile(`${operations}Caddyfile`);
    const file = `${folder}/Caddyfile`;
    await Deno.writeTextFile(file, given);
    const checked = await runCommand(["adapt", "--adapter", "caddyfile", "--config", file], {}, {
      command: "caddy",
    });
    assert.equal(checked.code, 0, checked.stderr);
    const site = given.replace("crm.example.com {", `http://127.0.0.1:${port} {`)
      .replace("encode zstd gzip", "encode zstd gzip {\n\t\tminimum_length 1\n\t}").replace(
        "127.0.0.1:8000",
        new URL(app.url).host,
      );
    await Deno.writeTextFile(file, `{\n\tadmin off\n}\n${site}`);
    const url = `http://127.0.0.1:${port}`;
    const args = ["run", "--adapter", "caddyfile", "--config", file];
    await through("caddy", args, { url, folder }, async () => void await works(app, url));
  });
});
