import assert from "node:assert/strict";
import { browserTest, program } from "./chromium.ts";
import { visit } from "./visitor.ts";

if (program === null) console.log("chromium is not there, so the pages are not looked at in a browser");

const bad = "<!doctype html><html lang='en'><title>Bad</title><link rel='icon' href='data:,'>" +
  "<style>p { color: red }</style><main><h1>Bad</h1><table width='2000'><td>wide</table>" +
  "<input name='x'><p><font color='#ccc'>pale</font></p></main>";

browserTest(
  "a page with faults is found out: too wide, pale, without a label, against its own policy",
  async (browser) => {
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
      const headers = { "content-type": "text/html", "content-security-policy": "style-src 'none'" };
      return new Response(bad, { headers });
    });
    try {
      await using visitor = await visit(browser);
      await visitor.page.goto(`http://127.0.0.1:${server.addr.port}`);
      await assert.rejects(visitor.looks("bad"), ({ actual }: assert.AssertionError) => {
        const faults = (actual as string[]).join("\n");
        assert.match(faults, /phone, light: 20\d\d px of content in 375 px/);
        assert.match(faults, /desktop, light: label: /);
        assert.match(faults, /desktop, light: color-contrast: /);
        assert.match(faults, /error: .*Content Security Policy/);
        return true;
      });
    } finally {
      await server.shutdown();
    }
  },
);
