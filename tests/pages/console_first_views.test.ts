/** First views of the console with an empty cache: what they load, and that they stand at once and stay. */
import assert from "node:assert/strict";
import { growCompany } from "../console/grown.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import { browserTest } from "./chromium.ts";
import { type FirstView, mostBytes, readFirstView, type WindowName, windows } from "./first_view.ts";

/** The most of a first view beside its bytes: requests, bytes of scripts, shifts. */
const most = { requests: 10, scriptBytes: 32 * 1024, moved: 0.01 };

browserTest(
  "a first view is small and stands still, and its largest part waits for no script and no font",
  async (browser) => {
    await using app = await startApp();
    const { dealer, addresses } = await growCompany(app);
    const session = await signedIn(app, dealer);
    const cookie = session.cookies.get("session")!;
    const aCase = addresses.find((address) => /^\/app\/cases\/[\w-]{36}$/.test(address))!;
    const faults: string[] = [];
    for (const address of ["/app", "/app/leads", aCase, "/app/customers"]) {
      for (const window of Object.keys(windows) as WindowName[]) {
        const url = `${app.url}${address}`;
        const read = (withheld: readonly string[] = []) =>
          readFirstView(browser, url, cookie, { window, withheld });
        let view = await read();
        // A busy browser can paint a page of which a part has come. One that is at fault moves each time.
        for (let tries = 0; tries < 2 && view.moved > most.moved; tries++) view = await read();
        if (view.bytes > mostBytes(address)) faults.push(`${address}, ${window}: ${view.bytes} bytes`);
        for (const name of ["requests", "scriptBytes", "moved"] as const) {
          if (view[name] > most[name]) faults.push(`${address}, ${window}: ${view[name]} ${name}`);
        }
        if (view.scriptBytes === 0) faults.push(`${address}, ${window}: no script`);
        const late = await compareBare(view, read, () => read(["script", "font"]));
        if (late) faults.push(`${address}, ${window}: ${late}`);
      }
    }
    assert.deepEqual(faults, []);
  },
);

/**
 * Returns what is painted largest only with scripts or fonts; null for nothing. A busy browser can report a paint
 * before its largest one, so that views that differ are compared again.
 */
async function compareBare(
  first: FirstView,
  readWhole: () => Promise<FirstView>,
  readBare: () => Promise<FirstView>,
): Promise<string | null> {
  let whole = first.paint.element;
  for (let tries = 0;; tries++) {
    const bare = (await readBare()).paint.element;
    if (bare === whole) return null;
    if (tries === 2) return `${whole}, without scripts ${bare}`;
    whole = (await readWhole()).paint.element;
  }
}
