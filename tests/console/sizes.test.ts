/** How much the pages of the console weigh and hold in a company with long lists, by the list of all pages. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { startApp } from "../support/app.ts";
import { isWhole, takeSample } from "../support/sample.ts";
import { growCompany } from "./grown.ts";
import { signedIn } from "./world.ts";

/** The most bytes of a page over the wire, and the most elements. */
const [mostBytes, mostElements] = [30 * 1024, 3_000];

interface Arrived {
  readonly status: number;
  readonly encoding: string;
  readonly bytes: number;
  /** The page when it is unpacked. */
  readonly text: string;
}

/** Asks as a browser does, and returns what comes over the wire. */
function weigh(url: string, cookie: string): Promise<Arrived> {
  return new Promise((done, fail) => {
    get(url, { headers: { cookie, "accept-encoding": "gzip, deflate" } }, (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        const encoding = String(headers["content-encoding"]);
        const packed = Buffer.concat(chunks);
        const text = (encoding === "gzip" ? gunzipSync(packed) : packed).toString();
        done({ status: statusCode, encoding, bytes: packed.byteLength, text });
      });
    }).on("error", fail);
  });
}

/** Returns the ids of a list of the page, and where its next page is. */
function readList(html: string, of: string): { ids: string[]; total: number; next: string | null } {
  const [, total, rows, rest] = new RegExp(
    `data-list="${of}" data-total="(\\d+)">(.*?)</ul>(.*?)</section>`,
    "s",
  )
    .exec(html)!;
  const [, next] = /<a rel="next" href="([^"#]*)#/.exec(rest!) ?? [];
  return {
    ids: [...rows!.matchAll(/<li [^>]*data-id="([^"]+)"/g)].map(([, id]) => id!),
    total: Number(total),
    next: next?.replaceAll("&amp;", "&") ?? null,
  };
}

Deno.test("pages of a company with long lists are small, and lead to all that the lists hold", async (t) => {
  await using app = await startApp();
  const { admin, dealer, addresses } = await growCompany(app);
  const tried = takeSample(addresses);
  const browser = { admin: await signedIn(app, admin), dealer: await signedIn(app, dealer) };

  await t.step("a page is at most 30 KiB over the wire and has at most 3,000 elements", async () => {
    const faults: string[] = [];
    for (const [name, actor] of Object.entries({ admin, dealer })) {
      const cookie = `session=${browser[name as "admin"].cookies.get("session")}`;
      for (const locale of ["en-GB", "de-DE"]) {
        await app.deps.db.write([
          { sql: "update users set locale = ? where id = ?", args: [locale, actor.id] },
        ]);
        for (const address of tried) {
          const { status, encoding, bytes, text } = await weigh(`${app.url}${address}`, cookie);
          const elements = text.match(/<[a-z]/g)?.length ?? 0;
          const where = `${name}, ${locale}, ${address}: ${status}`;
          if (name === "admin" && status !== 200) faults.push(where);
          if (!text.includes(`<html lang="${locale.slice(0, 2)}"`)) {
            faults.push(`${where}, in another language`);
          }
          if (encoding !== "gzip") faults.push(`${where}, ${encoding}`);
          if (bytes > mostBytes) faults.push(`${where}, ${bytes} bytes`);
          if (elements > mostElements) faults.push(`${where}, ${elements} elements`);
        }
      }
    }
    assert.deepEqual(faults, []);
  });

  await t.step("each list that holds more than the page shows leads to the rest", async () => {
    const faults: string[] = [];
    let followed = 0;
    for (const address of tried) {
      const { text } = await browser.admin.get(address);
      for (const part of text.split(/(?=<(?:ul|div)[^>]* data-list=)/).slice(1)) {
        const [, of, total] = /data-list="([^"]*)" data-total="(\d+)"/.exec(part)!;
        const shown = part.split("</ul>", 1)[0]!.match(/<li[ >]/g)?.length ?? 0;
        if (shown >= Number(total)) continue;
        const rest = part.split("</ul>").slice(1).join("").split("<h2", 1)[0]!;
        const link =
          /<a rel="next" href="([^"#]*)|<p class="all"><a href="([^"#]*)|<a href="([^"#]*)">Alle zeigen/.exec(
            rest,
          );
        if (!link) {
          faults.push(`${address}: ${shown} of ${total} ${of}, and no link`);
          continue;
        }
        const to = (link[1] ?? link[2] ?? link[3])!.replaceAll("&amp;", "&");
        const behind = await browser.admin.get(to);
        // A column of the board is less than the board.
        const isBoard = part.startsWith('<div class="board ');
        if (!behind.text.includes(`data-list="${of}" data-total="${isBoard ? "" : total}`)) {
          faults.push(`${address}: ${to}`);
        }
        if (link[1] && !/<a rel="prev"/.test(behind.text)) faults.push(`${address}: no way back from ${to}`);
        followed++;
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(followed >= (isWhole ? 10 : 1), String(followed));
  });

  await t.step("the next pages of a record's lists lead to each entry once", async () => {
    for (
      const [kind, lists] of Object.entries({ contacts: ["notes", "files"], accounts: ["notes", "files"] })
    ) {
      const own = addresses.find((address) => new RegExp(`^/app/${kind}/[\\w-]{36}$`).test(address))!;
      for (const list of lists) {
        const seen: string[] = [];
        let total = 0;
        for (let at: string | null = own; at !== null;) {
          const html = (await browser.dealer.get(at)).text;
          const page = readList(html, list);
          seen.push(...page.ids);
          ({ total } = page);
          assert.ok(page.ids.length <= 25, `${at}: ${page.ids.length} rows`);
          at = page.next;
        }
        assert.ok(total >= 100, `${own}: ${total} ${list}`);
        assert.deepEqual([seen.length, new Set(seen).size], [total, total], `${own}: ${list}`);
      }
    }
    const sales = addresses.find((address) => /^\/app\/cases\/[\w-]{36}$/.test(address))!;
    const first = (await browser.dealer.get(sales)).text;
    for (const [list, name] of [["timeline", "timeline"], ["correspondences", "correspondence"]] as const) {
      const { ids, next } = readList(first, list);
      assert.equal(next, `${sales}?${name}_page=2`);
      const then = readList((await browser.dealer.get(next)).text, list);
      assert.equal(then.ids.length, 25);
      assert.ok(then.ids.every((id) => !ids.includes(id)), list);
    }
    const strange = await browser.admin.get(`${sales}?timeline_page=x&colour=red`);
    assert.match(strange.text, /role="alert"[^>]*>[^<]*timeline_page, colour/);
  });
});
