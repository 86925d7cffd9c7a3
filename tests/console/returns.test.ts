/** Forms on a page of a list lead back to it, whether they are followed or refused. */
import assert from "node:assert/strict";
import { actions } from "../../src/console/console.ts";
import { startApp } from "../support/app.ts";
import type { Shown } from "../support/browser.ts";
import { growCompany } from "./grown.ts";
import { signedIn } from "./world.ts";

const unescape = (text: string) => text.replaceAll("&amp;", "&");

/** The addresses of the second pages of the lists of a page. */
function listSecondPages({ text }: Shown): string[] {
  return [...text.matchAll(/<a rel="next" href="([^"#]*)/g)].map(([, address]) => unescape(address!));
}

/** The addresses of the forms that change something, one of each kind. */
function listForms({ text }: Shown): string[] {
  const [main] = /<main.*<\/main>/s.exec(text)!;
  const found = new Map<string, string>();
  for (const [, address] of main.matchAll(/<form method="post" action="([^"]*)"/g)) {
    const path = unescape(address!).split("?", 1)[0]!;
    const action = actions.find((one) => new RegExp(`^${one.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path));
    if (!found.has(action!.path)) found.set(action!.path, path);
  }
  return [...found.values()];
}

/** Returns the names of the records of each list of a page. */
function listRows({ text }: Shown): string[] {
  return [...text.matchAll(/<li data-entity="[^"]*" data-id="([^"]*)"/g)].map(([, id]) => id!);
}

/** What people may type into the forms. */
const typed = { note: "A note", email_subject: "" };

Deno.test("forms on a page of a list lead back to that page, and show it when they are refused", async () => {
  await using app = await startApp();
  const sizes = { contacts: 80, accounts: 30, cases: 80, leads: 60, teams: 28, users: 30 };
  const lengths = { activitiesOfCase: 60, notesOfCustomer: 60, filesOfRecord: 60, noticesOfPerson: 80 };
  const { admin, addresses } = await growCompany(app, sizes, lengths);
  const browser = await signedIn(app, admin);
  const faults: string[] = [];
  const [followed, refused] = [new Set<string>(), new Set<string>()];
  for (const address of addresses) {
    for (const second of listSecondPages(await browser.get(address))) {
      const [path] = second.split("?", 1);
      for (const kind of listForms(await browser.get(second)).map(nameForm)) {
        for (const fields of [{}, typed]) {
          const page = await browser.get(second);
          const form = listForms(page).find((one) => nameForm(one) === kind);
          if (!form) continue;
          const shown = await browser.submit(page, form, fields);
          const to = shown.headers.get("location");
          if (to?.split("?", 1)[0] === path) {
            followed.add(nameForm(form));
            if (to !== second) faults.push(`${form} on ${second} leads to ${to}`);
          }
          if (shown.status === 422 && /data-list=/.test(shown.text)) {
            refused.add(nameForm(form));
            const [before, after] = [listRows(page), listRows(shown)];
            if (before.join() !== after.join()) {
              faults.push(`${form} is refused on another page than ${second}`);
            }
            if (/exist here/.test(shown.text)) faults.push(`${form} on ${second}: its address is not known`);
          }
        }
      }
    }
  }
  assert.deepEqual(faults, []);
  for (
    const form of [
      "tasks/done",
      "notifications/read",
      "contacts/notes",
      "cases/notes",
      "contacts/files/detach",
    ]
  ) {
    assert.ok(followed.has(form), `${form} was not followed: ${[...followed].join()}`);
  }
  for (const form of ["contacts/notes", "cases/notes", "cases/files", "contacts/files", "accounts/files"]) {
    assert.ok(refused.has(form), `${form} was not refused: ${[...refused].join()}`);
  }
});

Deno.test("a form leads nowhere else than its own answer does", async () => {
  await using app = await startApp();
  const browser = await signedIn(app, (await app.company()).admin);
  const [, token] = /name="token" value="([^"]*)"/.exec((await browser.get("/app/me")).text)!;
  const strange = [
    "https://evil.example/app",
    "//evil.example",
    "/app?a=\r\nSet-Cookie: a=b",
    "/app/me?x=1",
    "/appx",
  ];
  for (const back of strange) {
    const action = `/app/notifications/read?${new URLSearchParams({ back })}`;
    const answer = await browser.post(action, { token: token!, key: crypto.randomUUID() });
    assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/app"], back);
  }
});

/** The address of a form without its ids. */
function nameForm(address: string): string {
  return address.replace("/app/", "").split("/").filter((part) => !/^[\da-f-]{36}$|^\d+$/.test(part)).join(
    "/",
  );
}
