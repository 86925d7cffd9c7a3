/**
 * Returns the rules of properties, light and dark: as the device, unless the page has a theme. What is printed
 * is light.
 */
export function writeThemeRules(light: string, dark: string): string {
  return `:root {\n${light}}
@media screen and (prefers-color-scheme: dark) {
:root:not([data-theme=light]) {\n${dark}}
}
@media screen {
:root[data-theme=dark] {\n${dark}}
}
`;
}

const light = `  --ground: #f1f4f8;
  --sheet: #ffffff;
  --field: #ffffff;
  --text: #17202b;
  --quiet: #4d5b69;
  --line: #d3dae2;
  --edge: #75828f;
  --accent: #0b5cad;
  --accent-over: #094a8c;
  --on-accent: #ffffff;
  --tint: #e9f1fa;
  --good: #1c6b3c;
  --good-ground: #e4f4ea;
  --bad: #a8221b;
  --bad-ground: #fdeceb;
  --shadow: 0 1px 2px rgb(16 32 48 / 8%), 0 8px 24px rgb(16 32 48 / 6%);
`;
const dark = `  --ground: #10161d;
  --sheet: #19222c;
  --field: #10161d;
  --text: #e8edf3;
  --quiet: #a9b7c5;
  --line: #303d4a;
  --edge: #7d8c9b;
  --accent: #7db8f5;
  --accent-over: #a3cef9;
  --on-accent: #0b1a2a;
  --tint: #22303e;
  --good: #8fd6a8;
  --good-ground: #17352a;
  --bad: #ffb4ab;
  --bad-ground: #43211f;
  --shadow: none;
`;

/** The colours of every page. */
export const palette = `:root { color-scheme: light dark; }
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
${writeThemeRules(light, dark)}`;

/** The stylesheet of the pages. Lengths are in rem, so that they grow with the reader's font size. */
export const style = `${palette}* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  padding: clamp(1.5rem, 12vh, 7.5rem) 1rem 2rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header, main { width: 100%; max-width: 26rem; margin: 0 auto; }
header {
  display: flex;
  align-items: center;
  gap: 0.625rem;
  margin-bottom: 1.25rem;
  font-size: 1.125rem;
  font-weight: 600;
}
.mark rect { fill: var(--accent); }
.mark path, .sign path { fill: none; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
.mark path { stroke: var(--on-accent); }
main {
  padding: 2rem;
  background: var(--sheet);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  box-shadow: var(--shadow);
}
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; text-wrap: balance; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; text-wrap: pretty; }
main > :last-child, form > :last-child, .account > :last-child { margin-bottom: 0; }
form { margin: 1.5rem 0 0; }
label { display: block; margin-bottom: 0.375rem; font-weight: 600; }
input {
  display: block;
  width: 100%;
  margin-bottom: 1.25rem;
  padding: 0.625rem 0.75rem;
  font: inherit;
  color: inherit;
  background: var(--field);
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
}
input[readonly] { color: var(--quiet); background: transparent; border-style: dashed; }
input[aria-invalid] { border-color: var(--bad); }
input:has(+ .hint) { margin-bottom: 0.375rem; }
input.code { font-size: 1.5rem; letter-spacing: 0.15em; text-align: center; font-variant-numeric: tabular-nums; }
button, .button {
  display: block;
  width: 100%;
  margin: 0 0 0.75rem;
  padding: 0.6875rem 1rem;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  color: var(--on-accent);
  background: var(--accent);
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-over); border-color: var(--accent-over); }
button.second, .button.second { color: var(--accent); background: transparent; border-color: var(--edge); }
button.plain {
  width: auto;
  padding: 0.25rem 0;
  font-weight: 400;
  color: var(--accent);
  background: none;
  border: 0;
  text-align: start;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
a { color: var(--accent); text-underline-offset: 0.2em; }
button.second:hover, .button.second:hover { background: var(--tint); border-color: var(--accent); }
button.plain:hover, a:hover { color: var(--accent-over); }
a.button:not(.second):hover { color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.5rem; }
.hint { color: var(--quiet); font-size: 0.9375rem; }
form + .hint, form + .button { margin-top: 1rem; }
.fault {
  margin-top: 1rem;
  padding: 0.75rem 1rem;
  color: var(--bad);
  background: var(--bad-ground);
  border-inline-start: 4px solid var(--bad);
  border-radius: 0.5rem;
}
.fault p, .fault ul { margin: 0; }
.fault + p { margin-top: 1rem; }
.fault ul { padding-inline-start: 1.25rem; }
.fault a { color: inherit; }
.wrong { margin-bottom: 0.375rem; color: var(--bad); }
.aside { margin: 1.25rem 0 0; }
.sign { display: block; margin-bottom: 1rem; }
.sign.good circle { fill: var(--good-ground); }
.sign.good path { stroke: var(--good); }
.sign.bad circle { fill: var(--bad-ground); }
.sign.bad path { stroke: var(--bad); }
.account {
  margin-top: 1.5rem;
  padding-top: 1.25rem;
  border-top: 1px solid var(--line);
  color: var(--quiet);
  font-size: 0.9375rem;
}
.account p { margin-bottom: 0.25rem; }
.account form { margin: 0; }
@media (max-width: 30rem) {
  body { padding-top: 1.5rem; }
  main { padding: 1.5rem 1.25rem; }
}
@media (forced-colors: active) {
  .mark path { stroke: Canvas; }
  .sign path { stroke: CanvasText; }
}
`;
