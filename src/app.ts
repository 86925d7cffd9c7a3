/** The app: all endpoints behind one pipeline. No I/O and no state at module scope. */
import { Hono } from "hono";
import { collectParts, contributions, resolveGiven } from "./contributions.ts";
import type { Deps } from "./deps.ts";
import { serveDocs } from "./docs/routes.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { serveConsole } from "./console/console.ts";
import { apiDocument, mountDiscovery } from "./http/discovery.ts";
import { mount } from "./http/mount.ts";

/** Filter fields that features add to accounts and contacts. */
export const { filterFields } = contributions;

/** Every endpoint of `/v1` and `/upload`. */
export const endpoints: readonly Endpoint[] = collectParts("endpoints").flatMap((given) =>
  resolveGiven(given)
);

const routes = collectParts("routes").flat();
const webhooks = collectParts("webhooks").flat();
const strays = collectParts("strays").flat();

/** Builds the app over its dependencies. Two apps in one process share nothing. */
export function createApp(deps: Deps, { kit = false }: { readonly kit?: boolean } = {}): Hono {
  const app = new Hono();
  const byHand = routes.flatMap(({ operations }) => operations);
  const document = apiDocument({ endpoints, byHand, webhooks });
  mountDiscovery(app, deps, { document, sealed: contributions.sealed });
  serveDocs(app, deps, { document, filterFields, endpoints });
  for (const { serve } of routes) serve(app, deps);
  serveConsole(app, deps, endpoints, { kit });
  mount(app, deps, endpoints, strays);
  return app;
}
