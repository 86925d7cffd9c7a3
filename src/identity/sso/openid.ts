/** OpenID Connect with the companies' providers. Checks every answer, since providers are not trusted. */
import * as oauth from "oauth4webapi";
import { isStillAhead } from "../../core/clocks.ts";
import type { Deps } from "../../deps.ts";
import type { Answered } from "../../platform/fetcher.ts";
import type { Driver } from "./queries.ts";

/** The secrets of one sign-in, from the redirect to the provider until the return. */
export interface SignOnSecrets {
  readonly state: string;
  readonly nonce: string;
  /** For PKCE. */
  readonly verifier: string;
}

export interface Providers {
  /** Returns the address where the person signs in. Throws ProviderFailed. */
  makeSignInAddress(driver: Driver, redirectUri: string, secrets: SignOnSecrets): Promise<string>;
  /**
   * Returns the person's subject. `answer` are the parameters of the return from the provider. Throws
   * SignOnDenied when the provider denies the sign-in, and ProviderFailed.
   */
  readSubject(
    driver: Driver,
    redirectUri: string,
    secrets: SignOnSecrets,
    answer: URLSearchParams,
  ): Promise<string>;
}

/** The provider is unavailable or gives an invalid answer. The message is for the log. */
export class ProviderFailed extends Error {}

/** The provider denied the sign-in. */
export class SignOnDenied extends Error {}

/** Milliseconds: how long metadata are cached, and how long a failure to load them is cached. */
const remembered = 300_000;
const failureRemembered = 10_000;
/** The most issuers with cached metadata. */
const mostRemembered = 100;
/** The most bytes of an answer. Large providers need a tenth of it. */
const mostBytes = 256 * 1024;

/** Returns the calls to providers. Caches metadata. All calls follow the rules for outgoing requests. */
export function openProviders(deps: Pick<Deps, "fetcher" | "clock" | "config">): Providers {
  const kept = new Map<string, { until: number; metadata: Promise<oauth.AuthorizationServer> }>();
  const options = {
    [oauth.customFetch]: (url: string, asked: Asked) => fetchAnswer(deps, url, asked),
    [oauth.allowInsecureRequests]: deps.config.webhookAllowPrivate,
  };

  function getMetadata(issuer: string): Promise<oauth.AuthorizationServer> {
    const now = deps.clock.now();
    const known = kept.get(issuer);
    if (known && isStillAhead(known.until, now, remembered)) return known.metadata;
    kept.delete(issuer);
    if (kept.size >= mostRemembered) kept.delete(kept.keys().next().value!);
    const entry = { until: now + remembered, metadata: discoverProvider(new URL(issuer)) };
    entry.metadata.catch(() => entry.until = now + failureRemembered);
    kept.set(issuer, entry);
    return entry.metadata;
  }

  async function discoverProvider(issuer: URL): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oidc" });
    return await oauth.processDiscoveryResponse(issuer, response);
  }

  return {
    makeSignInAddress: (driver, redirectUri, secrets) =>
      mapFailures(async () => {
        const { authorization_endpoint } = await getMetadata(driver.issuer);
        const address = URL.parse(authorization_endpoint ?? "");
        const schemes = deps.config.webhookAllowPrivate ? ["https:", "http:"] : ["https:"];
        if (!address || !schemes.includes(address.protocol)) {
          throw new ProviderFailed("authorization_endpoint is not an https address");
        }
        const parameters = {
          response_type: "code",
          client_id: driver.client_id,
          redirect_uri: redirectUri,
          scope: "openid",
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: "S256",
        };
        for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
        return address.href;
      }),
    readSubject: (driver, redirectUri, secrets, answer) =>
      mapFailures(async () => {
        const server = await getMetadata(driver.issuer);
        const skew = Math.round((deps.clock.now() - Date.now()) / 1000);
        const client = { client_id: driver.client_id, [oauth.clockSkew]: skew, [oauth.clockTolerance]: 30 };
        const parameters = oauth.validateAuthResponse(server, client, answer, secrets.state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authenticationAt(server, driver.client_secret),
          parameters,
          redirectUri,
          secrets.verifier,
          options,
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: secrets.nonce,
          requireIdToken: true,
        });
        // TLS proves which server answered; the signature proves that the issuer's key signed the token.
        await oauth.validateApplicationLevelSignature(server, response, options);
        return oauth.getValidatedIdTokenClaims(tokens)!.sub;
      }),
  };
}

/** The options that the library passes to `fetch`. */
interface Asked {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: URLSearchParams | undefined;
}

async function fetchAnswer({ fetcher }: Pick<Deps, "fetcher">, url: string, asked: Asked): Promise<Response> {
  const call = { headers: asked.headers, maxBytes: mostBytes };
  const answered = asked.body === undefined
    ? await fetcher.get(url, call)
    : await fetcher.post(url, { ...call, body: asked.body.toString() });
  return makeResponse(answered);
}

/** Builds a Response for the library, which reads only JSON: the body matters only with the status 200. */
function makeResponse({ status, headers, bodyExcerpt }: Answered): Response {
  const type = headers.get("content-type");
  const body = [204, 205, 304].includes(status) ? null : bodyExcerpt;
  if (status < 200 || status > 599) throw new ProviderFailed(`the provider answered ${status}`);
  return new Response(body, { status, headers: type === null ? {} : { "content-type": type } });
}

/**
 * Sends the client secret in the form if the provider supports that, since some providers do not decode the
 * escapes in HTTP Basic. Otherwise uses HTTP Basic, which every provider supports.
 */
function authenticationAt(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const known = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return known.includes("client_secret_post")
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret);
}

async function mapFailures<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw new SignOnDenied(error.error);
    if (error instanceof ProviderFailed) throw error;
    // Any error that an answer causes in the library, even a TypeError, is the provider's fault.
    throw new ProviderFailed(error instanceof Error ? error.message : "unknown error", { cause: error });
  }
}
