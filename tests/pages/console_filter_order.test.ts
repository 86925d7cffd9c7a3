/** The filters of lists on a telephone and on a desk: what is folded, and in which order Tab goes. */
import assert from "node:assert/strict";
import { fillCompany } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import { browserTest } from "./chromium.ts";
import { bringSession, goTo, visit } from "./visitor.ts";

/** The controls of the filters of a page, in the order of Tab, with their places; those that nobody sees are left out. */
const readControls = `[...document.querySelectorAll("form.filter")].map((form) =>
  [...form.querySelectorAll("input:not([type=hidden]), select, button, summary")]
    .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && one.getClientRects().length > 0)
    .map((one) => {
      const { left, top, bottom } = one.getBoundingClientRect();
      return { name: one.name || one.textContent, left, top, bottom };
    }))`;

type Controls = readonly { name: string; left: number; top: number; bottom: number }[];

browserTest("the filters of lists are folded on a telephone, and Tab follows the eye", async (browser) => {
  await using app = await startApp();
  const admin = await fillCompany(app);
  const session = await signedIn(app, admin);
  await using visitor = await visit(browser);
  const { page } = visitor;
  await bringSession(page, session);
  const faults: string[] = [];
  const check = async (where: string) => {
    for (const controls of await page.evaluate<Controls[]>(readControls)) {
      for (const [at, { name, left, top, bottom }] of controls.slice(1).entries()) {
        const before = controls[at]!;
        const isAfter = top >= before.bottom || (bottom > before.top && left > before.left);
        if (!isAfter) faults.push(`${where}: ${name} stands before ${before.name}`);
      }
    }
  };
  const [contact] = await app.sql("select id from contacts where b2c = 0 limit 1");
  const folded = ["/app/leads?view=all", "/app/cases", "/app/cases?view=list&status=open"];
  const plain = ["/app/customers", "/app/admin/users", `/app/contacts/${contact!.id}/merge`];
  for (const address of [...folded, ...plain]) {
    await goTo(page, `${app.url}${address}`);
    const summary = page.locator("form.filter summary");
    const select = page.locator("form.filter select").first();
    const isFolded = folded.includes(address);
    await page.setViewportSize({ width: 375, height: 667 });
    await check(`${address}, 375 px`);
    if (isFolded) {
      assert.deepEqual([await summary.isVisible(), await select.isVisible()], [true, false], address);
      await summary.click();
      assert.equal(await select.isVisible(), true, address);
      await check(`${address}, 375 px, open`);
      await summary.click();
    }
    for (const width of [800, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await check(`${address}, ${width} px`);
      if (isFolded) {
        assert.deepEqual([await summary.isVisible(), await select.isVisible()], [false, true], address);
        const [find, first] = [await page.locator("#find").boundingBox(), await select.boundingBox()];
        assert.equal(find!.y, first!.y, `${address}: the choices stand beside the search`);
      }
    }
  }
  assert.deepEqual(faults, []);
  await page.setViewportSize({ width: 375, height: 667 });
  await goTo(page, `${app.url}${folded[2]}`);
  assert.match(await page.locator("form.filter summary").innerText(), /^Filter: (Open|Offen) \(\d+\)$/);
});
