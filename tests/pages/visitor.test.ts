import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { browserTest } from "./chromium.ts";
import { program } from "./program.ts";
import { visit, type Visitor } from "./visitor.ts";

if (program === null) console.log("chromium is missing, so pages are not tested in a browser");

const page = (title: string, head: string, body: string) =>
  `<!doctype html><html lang='en'><title>${title}</title>${head}<main><h1>${title}</h1>${body}</main>`;
const noIcon = "<link rel='icon' href='data:,'>";

browserTest(
  "faults of a page are found: too wide, pale, without a label, against its own policy, incomplete",
  async (browser) => {
    const bad = page(
      "Bad",
      `${noIcon}<style>p { color: red }</style>`,
      "<table width='2000'><td>wide</table><input name='x'><p><font color='#ccc'>pale</font></p>" +
        "<img alt='' src='/broken'>",
    );
    await atPages(browser, { "/": bad }, async (visitor, url) => {
      await visitor.page.goto(url);
      await assert.rejects(visitor.looks("bad"), ({ actual }: assert.AssertionError) => {
        const faults = (actual as string[]).join("\n");
        assert.match(faults, /phone, light: 20\d\d px of content in 375 px/);
        assert.match(faults, /desktop, light: label: /);
        assert.match(faults, /desktop, light: color-contrast: /);
        assert.match(faults, /error: .*Content Security Policy/);
        assert.match(faults, /\/broken net::ERR_(?!ABORTED)/);
        return true;
      });
    });
  },
);

browserTest(
  "requests that a visitor does not wait for are no fault of the page that they left",
  async (browser) => {
    const pages = {
      "/": page("Slow", noIcon, "<img alt='' src='/never'>"),
      "/next": page("Next", noIcon, ""),
    };
    await atPages(browser, pages, async (visitor, url) => {
      const given = visitor.page.waitForEvent("requestfailed");
      await visitor.page.goto(url, { waitUntil: "domcontentloaded" });
      await visitor.page.goto(`${url}/next`);
      assert.match((await given).url(), /\/never$/);
      await visitor.looks("next");
    });
  },
);

browserTest(
  "typing before the page's first focus keeps the focus, and is no fault of the page",
  async (browser) => {
    const body = "<label>A <input id='a'></label><script>document.getElementById('a').focus()</script>" +
      "<label>B <input autofocus></label>";
    await atPages(browser, { "/": page("Hasty", noIcon, body) }, async (visitor, url) => {
      const reported = visitor.page.waitForEvent("console");
      await visitor.page.goto(url);
      assert.match((await reported).text(), /^Autofocus/);
      await visitor.looks("hasty");
      await visitor.page.locator("#a:focus").waitFor();
    });
  },
);

/**
 * Runs a test with a visitor and a server of these pages, of `/broken`, which cannot be read, and of
 * `/never`, which never answers.
 */
async function atPages(
  browser: Browser,
  pages: Record<string, string>,
  test: (visitor: Visitor, url: string) => Promise<void>,
): Promise<void> {
  const ended = Promise.withResolvers<Response>();
  const headers = { "content-type": "text/html", "content-security-policy": "style-src 'none'" };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/never") return ended.promise;
    if (pathname === "/broken") return new Response("?", { headers: { "content-encoding": "gzip" } });
    return new Response(pages[pathname], { headers });
  });
  try {
    await using visitor = await visit(browser);
    await test(visitor, `http://127.0.0.1:${server.addr.port}`);
  } finally {
    ended.resolve(new Response());
    await server.shutdown();
  }
}
