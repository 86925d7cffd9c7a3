/** Files that people send by the forms of the console. */
import type { TestApp } from "../support/app.ts";
import type { Browser } from "../support/browser.ts";

export const newImportPath = "/app/imports/new";

/** Sends a file by the form. Returns the address that it leads to. */
export async function uploadImport(
  app: TestApp,
  browser: Browser,
  text: string,
  fields: Record<string, string> = {},
  name = "kunden.csv",
) {
  const page = await browser.get(newImportPath);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)![1]!;
  const form = new FormData();
  const given = {
    entity: "contacts",
    match: "none",
    on_match: "update",
    team_id: "",
    user_id: "",
    ...fields,
  };
  for (const [name, value] of Object.entries({ token: hidden("token"), key: hidden("key"), ...given })) {
    form.set(name, value);
  }
  form.set("file", new File([text], name));
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${app.url}${newImportPath}`, {
    method: "POST",
    body: form,
    headers: { cookie },
    redirect: "manual",
  });
  return { status: answer.status, to: answer.headers.get("location"), text: await answer.text() };
}
