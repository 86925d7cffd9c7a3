import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { startApp } from "../support/app.ts";
import { newClient, withPassword } from "../support/oauth.ts";

const loopback = { [oauth.allowInsecureRequests]: true };

Deno.test("a standard client configures itself by the metadata, and gets, refreshes and revokes tokens", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { client_id, client_secret } = await newClient(app, true, admin);
  const issuer = new URL(app.url);
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const client: oauth.Client = { client_id };
  for (const auth of [oauth.ClientSecretBasic(client_secret), oauth.ClientSecretPost(client_secret)]) {
    const own = await oauth.processClientCredentialsResponse(
      server,
      client,
      await oauth.clientCredentialsGrantRequest(server, client, auth, {}, loopback),
    );
    assert.equal((await app.call(own.access_token, "GET", "/v1/me")).body.id, admin.id);

    const username = await withPassword(app, admin, "correct horse");
    const signedIn = await oauth.processGenericTokenEndpointResponse(
      server,
      client,
      await oauth.genericTokenEndpointRequest(
        server,
        client,
        auth,
        "password",
        { username, password: "correct horse" },
        loopback,
      ),
    );
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, auth, signedIn.refresh_token!, loopback),
    );
    assert.equal((await app.call(refreshed.access_token, "GET", "/v1/me")).status, 200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, auth, refreshed.refresh_token!, loopback),
    );
    assert.equal((await app.call(refreshed.access_token, "GET", "/v1/me")).status, 401);
  }
});
