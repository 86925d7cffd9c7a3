/** Nothing that people upload runs in a browser, whichever way a page uses its link. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { send, startApp } from "../support/app.ts";
import { joinBytes, makeJpeg } from "../support/pictures.ts";
import { browserTest } from "./chromium.ts";

/** Contents that report to the address when they run. */
const hostile = (beacon: string): Record<string, Uint8Array> => {
  const script = `fetch(${JSON.stringify(beacon)}, { mode: "no-cors" }); window.ran = true;`;
  const html = `<!doctype html><html><body><script>${script}</script></body></html>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'><script>${script}</script></svg>`;
  return {
    "page.html": joinBytes(html),
    "picture.svg": joinBytes(svg),
    "with declaration.svg": joinBytes(`<?xml version="1.0"?>${svg}`),
    "page.xhtml": joinBytes(
      `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${script}</script></body></html>`,
    ),
    "page.jpg": joinBytes(html),
    // A picture with an HTML page behind it.
    "polyglot.html": joinBytes(makeJpeg(3, 3), html),
    "page.pdf": joinBytes(`%PDF-1.7\n${html}`),
    "gif.js": joinBytes(`GIF89a=1;${script}`),
    "script.js": joinBytes(script),
    "no ending": joinBytes(html),
    "style.css": joinBytes(`@import url("${beacon}");`),
  };
};

/** A page that uses the addresses in every way that loads something. */
const using = (links: readonly string[]) =>
  "<!doctype html><body>" +
  links.map((link) =>
    `<iframe src="${link}"></iframe><object data="${link}"></object><embed src="${link}">
    <img src="${link}"><script src="${link}"></script><script type="module" src="${link}"></script>
    <link rel="stylesheet" href="${link}">`
  ).join("\n");

/** Starts a server of another origin, which serves pages and counts the scripts that run. */
function elsewhere() {
  const pages = new Map<string, { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> }>();
  let beacons = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/beacon") beacons++;
    const page = pages.get(pathname);
    return page
      ? new Response(page.body, { headers: { "Content-Type": page.type } })
      : new Response(null, { status: 204 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    pages,
    taken: () => {
      const count = beacons;
      beacons = 0;
      return count;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Opens each address, and the page that uses them all. */
async function use(browser: Browser, addresses: readonly string[], page: string): Promise<void> {
  const context = await browser.newContext({ acceptDownloads: false });
  const tab = await context.newPage();
  for (const address of addresses) {
    // A download is no navigation, which playwright reports as an error.
    await tab.goto(address, { waitUntil: "load" }).catch(() => {});
  }
  await tab.goto(page, { waitUntil: "load" });
  await tab.waitForTimeout(300);
  await context.close();
}

browserTest(
  "uploaded pages, pictures with scripts, scripts and styles do not run from their links, nor when published",
  async (browser) => {
    await using app = await startApp();
    await using other = elsewhere();
    const { admin } = await app.company();
    const links: string[] = [];
    const published: string[] = [];
    const copies: string[] = [];
    for (const [name, bytes] of Object.entries(hostile(`${other.url}/beacon`))) {
      const reply = await admin.call("POST", "/v1/files", { name, data: bytes.toBase64() });
      assert.equal(reply.status, 201, reply.text);
      const download = await send(`${app.url}/v1/files/download/${reply.body.download_token}`, "GET", null);
      links.push(download.headers.get("location")!);
      const picture = await admin.call("POST", "/v1/filemanager/pictures", { file_id: reply.body.id });
      if (picture.status === 201) published.push(picture.body.url);
      // A server that sends the content with the type that its name claims.
      const ending = /\.(js|css|svg|xhtml)$/.exec(name)?.[1] ?? "html";
      const path = `/copies/${copies.length}`;
      copies.push(`${other.url}${path}`);
      other.pages.set(path, { type: claimed[ending]!, body: new Uint8Array(bytes) });
    }
    assert.equal(published.length, 3, "two pictures with scripts, and one with a page behind it");
    const addresses = [...links, ...published];
    other.pages.set("/links", { type: "text/html", body: using(addresses) });
    await use(browser, addresses, `${other.url}/links`);
    assert.equal(other.taken(), 0);
    other.pages.set("/copies", { type: "text/html", body: using(copies) });
    await use(browser, copies, `${other.url}/copies`);
    assert.ok(other.taken() >= copies.length, "not all contents can run at all");
  },
);

const claimed: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  xhtml: "application/xhtml+xml",
};

browserTest("a page of any origin reads a file by a download with its bearer token", async (browser) => {
  await using app = await startApp();
  await using other = elsewhere();
  const { admin } = await app.company();
  const { body } = await admin.call("POST", "/v1/files", { name: "a.txt", data: btoa("0123456789") });
  other.pages.set("/page", { type: "text/html", body: "<!doctype html>" });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${other.url}/page`);
  const read = await page.evaluate(async ([url, token]) => {
    const response = await fetch(url!, { headers: { Authorization: `Bearer ${token}`, Range: "bytes=2-4" } });
    return [response.status, response.headers.get("content-range"), await response.text()];
  }, [`${app.url}/v1/files/${body.id}/download`, admin.token]);
  assert.deepEqual(read, [206, "bytes 2-4/10", "234"]);
  await context.close();
});
