/** Reads the id, the origin, the path and the query of a request. */

const sane = /^[\w.:-]{1,128}$/;

/** Returns the caller's request id if it is well-formed, else a new one. */
export function chooseRequestId(headers: Headers): string {
  const sent = headers.get("x-request-id");
  return sent !== null && sane.test(sent) ? sent : crypto.randomUUID();
}

/** Returns the origin for links: the configured one, else the request's (as a trusted proxy received it). */
export function findOrigin(request: Request, publicUrl: string | null, trustProxy: boolean): string {
  if (publicUrl !== null) return publicUrl;
  const { url } = request;
  const origin = url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
  if (!trustProxy) return origin;
  const scheme = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  const host = request.headers.get("x-forwarded-host")?.split(",")[0]?.trim();
  const [ownScheme, ownHost] = origin.split("://");
  const safe = (text: string | undefined, otherwise: string | undefined) =>
    text && /^[\w.:[\]-]{1,255}$/.test(text) ? text : otherwise;
  return `${scheme === "https" || scheme === "http" ? scheme : ownScheme}://${safe(host, ownHost)}`;
}

/** Returns whether an origin is on this machine, where no other machine can reach it. */
export function isLocal(origin: string): boolean {
  return /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin);
}

/** Returns the path of a URL as sent. */
export function extractPath(url: string): string {
  const path = extractPathAndQuery(url);
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

/** Returns the path and query of a URL as sent, for any host. */
export function extractPathAndQuery(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Returns the query of a URL. Does not parse the URL, because the host of a request can be invalid. */
export function extractQuery(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/**
 * Returns the query parameters by name; repeated ones (`x=a&x=b`, `x[]=a&x[]=b`) as a list. The object has no
 * prototype, so that any name is a parameter like others.
 */
export function readQueryValues(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (!url.includes("?")) return query;
  for (const [written, value] of extractQuery(url)) {
    const name = written.endsWith("[]") ? written.slice(0, -2) : written;
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}
