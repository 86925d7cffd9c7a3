/** Merging in the window: what is chosen, merged and undone in place, wide and narrow, light and dark. */
import assert from "node:assert/strict";
import { signedIn } from "../console/world.ts";
import { createCustomer } from "../integration/merges_world.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { bringSession } from "./visitor.ts";
import { pageTest, press, readHeading } from "./world.ts";

pageTest("two accounts are compared, merged and parted again", async (window) => {
  const { app, page, looks } = window;
  const place = await makeSales(app);
  const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  const renamed = { fixed_fields: nameFields({ name: "Alpha GmbH" }) };
  assert.equal((await place.admin.call("PUT", `/v1/accounts/${b.account.id}`, renamed)).status, 200);
  const browser = await signedIn(app, await place.company.user({ type: "admin" }));
  await bringSession(page, browser);
  await page.goto(`${app.url}/app/accounts/${a.account.id}`);
  await page.getByRole("link", { name: "Merge", exact: true }).click();
  await page.getByRole("link", { name: "Compare Alpha GmbH" }).waitFor();
  await looks("merge-choose");
  await page.getByRole("link", { name: "Compare Alpha GmbH" }).click();
  const city = page.getByRole("group", { name: "City" });
  await city.getByRole("radio", { name: "City of Beta" }).check();
  await looks("merge-compare");
  await press(page, "Merge");
  await page.getByText("Merged.").waitFor();
  assert.equal(await readHeading(page), "Alpha");
  assert.equal(await page.getByText("City of Beta").count(), 1);
  await press(page, "Undo");
  await page.getByText("The merge is undone.").waitFor();
  assert.equal(await page.getByText("City of Beta").count(), 0);

  await page.goto(`${app.url}/app/accounts/${a.account.id}/merge?from_id=${b.account.id}`);
  await press(page, "Merge");
  await page.getByText("Merged.").waitFor();
  const reply = await place.admin.call("DELETE", `/v1/cases/${b.cases[0]!.id}`);
  assert.equal(reply.status, 204, reply.text);
  await press(page, "Undo");
  await page.getByText("deleted since").waitFor();
  assert.equal(await readHeading(page), "The merge is undone");
  await looks("merge-kept");
});
