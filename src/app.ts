/** The app: every feature's endpoints behind the one door. No I/O here, nothing at module scope. */
import { Hono } from "hono";
import { Problem } from "./core/errors.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { preflightHeaders, securityHeaders } from "./http/headers.ts";
import type { InFlight } from "./http/idempotency.ts";
import { refuse, serve } from "./http/serve.ts";
import { accountEndpoints } from "./customers/accounts/routes.ts";
import { contactEndpoints } from "./customers/contacts/routes.ts";
import { pathEndpoints } from "./sales/paths/routes.ts";
import { leadTypeEndpoints } from "./sales/lead_types/routes.ts";

/** Every endpoint of `/v1`. Literal paths stand before those with parameters in their place. */
export const endpoints: readonly Endpoint[] = [
  ...accountEndpoints,
  ...contactEndpoints,
  ...pathEndpoints,
  ...leadTypeEndpoints,
];

/** Builds the app over its dependencies; two apps in one process share nothing. */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  const inFlight: InFlight = new Map();
  app.options(
    "/v1/*",
    () => new Response(null, { status: 204, headers: { ...preflightHeaders, ...securityHeaders } }),
  );
  for (const endpoint of endpoints) serve(app, deps, inFlight, endpoint);
  for (const [path, methods] of methodsByPath(endpoints)) {
    app.all(path, (c) => {
      const detail = `${c.req.method} is not offered here; ${methods.join(", ")} are.`;
      const problem = new Problem(405, "method_not_allowed", detail, {
        headers: { Allow: methods.join(", ") },
      });
      return refuse(deps, c.req.raw, path, problem);
    });
  }
  app.notFound((c) =>
    refuse(deps, c.req.raw, "none", new Problem(404, "not_found", "There is no such path."))
  );
  app.onError((error, c) => refuse(deps, c.req.raw, c.req.path, error));
  return app;
}

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { declared: { path, method } } of endpoints) {
    const known = methods.get(path) ?? [];
    methods.set(path, [...known, method.toUpperCase(), ...(method === "get" ? ["HEAD"] : [])]);
  }
  return methods;
}
