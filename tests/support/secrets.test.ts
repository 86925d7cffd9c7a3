import assert from "node:assert/strict";
import { listen } from "../../src/entry/listen.ts";
import { makeToken } from "../../src/core/ids.ts";
import { makeBasicHeader } from "./oauth.ts";
import { startApp } from "./app.ts";
import { memoryLog } from "./ports.ts";
import { startChild } from "./process.ts";
import fc from "./properties.ts";
import { tokensIn, watchSecrets } from "./secrets.ts";

/** Calls that carry a secret, by the part that carries it. */
const carriers: Readonly<Record<string, (secret: string) => { path?: string; init?: RequestInit }>> = {
  "a JSON body": (password) => ({ init: { method: "POST", body: JSON.stringify({ user: { password } }) } }),
  "a JSON body that breaks off": (password) => ({
    init: { method: "POST", body: `{"password": "${password}` },
  }),
  "a JSON body with wrong quotes": (secret) => ({
    init: { method: "POST", body: `{'client_secret': '${secret}'}` },
  }),
  "a form": (password) => ({ init: { method: "POST", body: new URLSearchParams({ password }) } }),
  "a bearer token": (token) => ({ init: { headers: { Authorization: `Bearer ${token}` } } }),
  "HTTP Basic": (secret) => ({ init: { headers: makeBasicHeader("client", secret) } }),
  "a query": (token) => ({ path: `/reset?token=${encodeURIComponent(token)}` }),
};

for (const [carrier, callOf] of Object.entries(carriers)) {
  Deno.test(`a refusal that says what ${carrier} brought is found`, async () => {
    for (const secret of [makeToken(), `battery+staple/${crypto.randomUUID()}`]) {
      const { path = "/", init } = callOf(secret);
      assert.match(await findFault(() => new Response(`No: ${secret}`, { status: 422 }), path, init), /422/);
      assert.equal(await findFault(() => new Response(`Yes: ${secret}`), path, init), "");
      assert.equal(await findFault(() => new Response("No", { status: 422 }), path, init), "");
    }
  });
}

Deno.test("a token is found wherever it came from: a path, a cookie, an answer, an answered cookie, a redirection", async () => {
  const token = makeToken();
  const refusal = () => new Response(`About ${token}.`, { status: 404 });
  assert.match(await findFault(refusal, `/tokens/${token}`), /404/);
  const cookie = makeToken();
  assert.match(
    await findFault(() => new Response(cookie, { status: 400 }), "/", {
      headers: { cookie: `session=${cookie}` },
    }),
    /session cookie/,
  );
  for (
    const answer of [
      (secret: string) => Response.json({ access_token: secret }),
      (secret: string) => new Response(null, { headers: { "Set-Cookie": `session=${secret}; HttpOnly` } }),
      (secret: string) =>
        new Response(null, { status: 303, headers: { Location: `https://a/?code=${secret}&state=1` } }),
    ]
  ) {
    const secret = makeToken();
    const answers = [answer(secret), new Response(`Not ${secret}`, { status: 409 })];
    assert.match(await findFault(() => answers.shift()!, "/", {}, 2), /409/);
  }
});

Deno.test("what the forms of a page carry along is not said", async () => {
  const token = makeToken();
  const page = (text: string) =>
    new Response(text, { status: 422, headers: { "Content-Type": "text/html" } });
  const hidden = `<form action="/reset?token=${token}"><input type="hidden" name="token" value="${token}">`;
  assert.equal(await findFault(() => page(hidden), `/reset?token=${token}`), "");
  assert.match(await findFault(() => page(`${hidden}<p>${token}</p>`), `/reset?token=${token}`), /422/);
});

Deno.test("a test fails when its app's log holds a token, password or client secret, without showing it", async () => {
  const secrets = {
    "access token": { Authorization: "Bearer " },
    password: "password",
    client_secret: "client_secret",
  };
  for (const [kind, way] of Object.entries(secrets)) {
    const secret = `${makeToken().slice(1)}x`;
    const fault = await thrown(async () => {
      await using app = await startApp();
      if (typeof way === "string") await app.call(null, "POST", "/v1/companies", { [way]: secret });
      else await app.call(secret, "GET", "/v1/me");
      app.deps.log.error({ event: "oops", detail: `It was ${secret}!` });
    });
    assert.match(fault, /A line of the log about oops holds a secret/, kind);
    assert.ok(!fault.includes(secret));
  }
});

Deno.test("a test fails when a child process logs a secret, or prints it with an error", async () => {
  for (
    const print of [`console.log('{"time":"","event":"oops","x":"SECRET"}')`, `console.error("at SECRET")`]
  ) {
    const secret = makeToken();
    await findFault(() => new Response(), "/", { headers: { Authorization: `Bearer ${secret}` } });
    const child = startChild(["eval", `${print.replace("SECRET", secret)}; setInterval(() => {}, 1000)`], {});
    await child.line((line) => line.includes(secret) || null, 20_000);
    await assert.rejects(child.kill(), /holds a secret: access token/);
  }
});

/**
 * Returns the error of the watch after calls to a service with this answer. Empty when the watch finds no
 * fault.
 */
async function findFault(
  answer: () => Response,
  path: string,
  init: RequestInit = {},
  calls = 1,
): Promise<string> {
  const watch = watchSecrets(async (request) => {
    await request.text();
    return answer();
  });
  const place = { host: "127.0.0.1", port: 0, maxConnections: 10 };
  const server = await listen(watch.serve, place, memoryLog());
  for (let call = 0; call < calls; call++) {
    const reply = await fetch(server.url + path, { ...init, redirect: "manual" });
    await reply.text();
  }
  await server.stop();
  return await thrown(() => Promise.resolve(watch.check([])));
}

async function thrown(run: () => Promise<void>): Promise<string> {
  try {
    await run();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.test("every word of the length of a token is found, wherever it is in a text", () => {
  const word = fc.oneof(fc.constantFrom(42, 43, 44, 86), fc.nat(100)).chain((length) =>
    fc.constantFrom(..."aZ09_-").map((letter) => letter.repeat(length))
  );
  const text = fc.array(fc.tuple(word, fc.constantFrom("", " ", "/", '"', "é", ", ")))
    .map((all) => all.flat().join(""));
  fc.assert(fc.property(text, (given) => {
    assert.deepEqual(tokensIn(given), given.match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []);
  }));
});
