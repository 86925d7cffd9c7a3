/**
 * The OpenID provider of the npm package `oidc-provider`, as strict as a certified one, with its own sign-in
 * pages.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { Browser } from "./browser.ts";

export interface Certified extends AsyncDisposable {
  readonly issuer: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
}

/**
 * Starts the provider, which uses the system's clock. A person signs in with the subject and any password.
 */
export async function startCertified(redirectUri: string): Promise<Certified> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: "crm", client_secret: "the-secret: of the crm%" };
  const provider = new Provider(issuer, { clients: [{ ...client, redirect_uris: [redirectUri] }] });
  server.on("request", provider.callback());
  return {
    issuer,
    client,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/**
 * Signs in and consents on the provider's pages. Returns the address to which the provider redirects the
 * person.
 */
export async function signInThere({ issuer }: Certified, address: string, login: string): Promise<string> {
  const browser = new Browser(issuer);
  let shown = await browser.get(address);
  for (let step = 0; step < 20; step++) {
    const location = shown.headers.get("location");
    if (location === null) {
      const action = /action="([^"]+)"/.exec(shown.text)![1]!;
      shown = await browser.submit(shown, action, { login, password: "any" });
    } else if (new URL(location, issuer).origin === issuer) shown = await browser.get(location);
    else return location;
  }
  throw new Error(`still at the provider: ${shown.text}`);
}
