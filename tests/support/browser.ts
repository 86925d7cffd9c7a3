/** A browser without scripts: keeps cookies and submits forms. */
import assert from "node:assert/strict";
import { checkSaid, learn, saidInRefusal } from "./secrets.ts";

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export class Browser {
  readonly cookies = new Map<string, string>();

  /** `languages`: what the browser sends as `Accept-Language`. */
  constructor(readonly origin: string, readonly languages?: string) {}

  /** Shows a page. A busy service is asked again, as people do: the first long read of a process starts a thread. */
  async get(path: string): Promise<Shown> {
    let shown = await this.#send(path, {});
    for (let tries = 1; shown.status === 503 && tries < 10; tries++) shown = await this.#send(path, {});
    return shown;
  }

  /** Submits the form of the page that has this `action`, with its query, its hidden fields and the given ones. */
  async submit(page: Shown, action: string, fields: Record<string, string>): Promise<Shown> {
    const readAction = (part: string) => unescapeHtml(/ action="([^"]*)"/.exec(part)?.[1] ?? "");
    const form = page.text.split("<form").slice(1).find((part) =>
      readAction(part) === action || readAction(part).startsWith(`${action}?`)
    );
    assert.ok(form, `no form to ${action} in ${page.text}`);
    const hidden = [
      ...form.split("</form>")[0]!.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g),
    ];
    const given = Object.fromEntries(hidden.map(([, name, value]) => [name!, unescapeHtml(value!)]));
    return await this.post(readAction(form), { ...given, ...fields });
  }

  async post(action: string, fields: Record<string, string>): Promise<Shown> {
    return await this.#send(action, { method: "POST", body: new URLSearchParams(fields) });
  }

  /** Follows a redirection to one of our pages. */
  async follow(from: Shown): Promise<Shown> {
    assert.equal(from.status, 303, from.text);
    return await this.get(from.headers.get("location")!);
  }

  async #send(path: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const url = new URL(path, this.origin);
    const sent = new Headers({ cookie, "Content-Type": "application/x-www-form-urlencoded" });
    learn(sent, String(init.body ?? ""), url.href);
    const headers = {
      ...(cookie ? { cookie } : {}),
      ...(this.languages ? { "accept-language": this.languages } : {}),
    };
    const response = await fetch(url, { ...init, redirect: "manual", headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (value === "") this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const { status } = response;
    const text = await response.text();
    learn(response.headers, text);
    checkSaid(saidInRefusal(`a page's ${init.method ?? "GET"}`, status, text));
    return { status, headers: response.headers, text };
  }
}

function unescapeHtml(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll(
    "&gt;",
    ">",
  )
    .replaceAll("&amp;", "&");
}
