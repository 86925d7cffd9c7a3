/** Scripts and styles of the documentation pages. Imported on first use. */
import { icon } from "../identity/auth/pages/brand.tsx";
import { referenceStyle } from "./reference_style.ts";
import { style } from "./style.ts";

export interface Asset {
  readonly type: string;
  readonly text: () => Promise<string>;
}

const script = "text/javascript; charset=utf-8";
const css = "text/css; charset=utf-8";

export const assets: ReadonlyMap<string, Asset> = new Map([
  ["docs.css", {
    type: css,
    text: () => Promise.resolve(style + referenceStyle),
  }],
  ["icon.svg", { type: "image/svg+xml", text: () => Promise.resolve(icon) }],
  ["swagger-ui.js", {
    type: script,
    text: async () =>
      (await import("swagger-ui-dist/swagger-ui-bundle.js", {
        with: { type: "text" },
      })).default,
  }],
  ["swagger-ui.css", {
    type: css,
    text: async () =>
      (await import("swagger-ui-dist/swagger-ui.css", {
        with: { type: "text" },
      })).default,
  }],
  ["start.js", { type: script, text: () => Promise.resolve(start) }],
]);

/**
 * Script that replaces the list of operations with the viewer, in the colours of the page. It keeps the
 * access token in the tab's session, so that the page of the next tag has it.
 */
const start = `const place = document.getElementById("reference");
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();
const key = "access-token";
const show = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const operation = id && document.querySelector(\`[id^="operations-"][id$="-\${CSS.escape(id)}"]\`);
  if (!operation) return;
  viewer.layoutActions.show(["operations", place.dataset.tag, id], true);
  operation.scrollIntoView();
};
addEventListener("hashchange", show);
// Code that scrolls must be reached by keyboard, and headings follow the one of the page.
const mend = () => {
  for (const code of place.querySelectorAll("pre:not([tabindex])")) code.tabIndex = 0;
  for (const level of [4, 5]) {
    for (const heading of place.querySelectorAll(\`h\${level}:not([aria-level])\`)) {
      heading.ariaLevel = String(level - 2);
    }
  }
};
new MutationObserver(mend).observe(place, { childList: true, subtree: true });
// The page has a heading, a description and a main part of its own.
const layout = ({ React: { createElement } }) => ({
  components: {
    // Without operations yet the viewer would say for a moment that there are none.
    OneTag: ({ getComponent, specSelectors }) =>
      specSelectors.taggedOperations().size > 0 && createElement("div", { className: "swagger-ui" }, [
        createElement(getComponent("SvgAssets"), { key: "icons" }),
        createElement(getComponent("AuthorizeBtnContainer", true), { key: "authorize" }),
        createElement(getComponent("operations", true), { key: "operations" }),
      ]),
  },
});
// The security schemes refer to nothing. To resolve them the viewer reads all schemas, half of its start.
const schemes = "components,securitySchemes";
const quickStart = {
  statePlugins: {
    spec: {
      wrapActions: {
        requestResolvedSubtree: (request, { specActions, specSelectors }) => (path) =>
          path.join() === schemes
            ? specActions.updateResolvedSubtree(path, specSelectors.specJson().getIn(path).toJS())
            : request(path),
      },
    },
  },
};
const viewer = SwaggerUIBundle({
  plugins: [layout, quickStart],
  layout: "OneTag",
  url: place.dataset.document,
  domNode: place,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  validatorUrl: null,
  requestInterceptor(request) {
    const token = /^Bearer (.+)$/.exec(request.headers?.Authorization ?? "");
    if (token) sessionStorage.setItem(key, token[1]);
    return request;
  },
  onComplete() {
    document.getElementById("operation-list").hidden = true;
    place.dataset.ready = "true";
    show();
    const token = sessionStorage.getItem(key);
    if (token) viewer.preauthorizeApiKey("bearer", token);
  },
});
`;
