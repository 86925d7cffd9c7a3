/** The stylesheet of the documentation, in the colours of the other pages. */
import { palette } from "../identity/auth/pages/style.ts";

export const style = `${palette}* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-over); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--sheet); z-index: 1; }
body > header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.75rem 1.5rem;
  padding: 0.75rem 1.5rem;
  background: var(--sheet);
  border-bottom: 1px solid var(--line);
}
.brand {
  display: flex;
  align-items: center;
  gap: 0.625rem;
  font-size: 1.125rem;
  font-weight: 600;
  color: var(--text);
  text-decoration: none;
}
.mark rect { fill: var(--accent); }
.mark path { fill: none; stroke: var(--on-accent); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
.to-pages { display: none; }
form[role="search"] { display: flex; gap: 0.5rem; margin-inline-start: auto; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
form[role="search"] input, form[role="search"] button {
  padding: 0.4375rem 0.75rem;
  font: inherit;
  color: inherit;
  background: var(--field);
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
}
form[role="search"] input { width: 14rem; max-width: 100%; min-width: 0; }
form[role="search"] button { cursor: pointer; color: var(--accent); font-weight: 600; }
.columns {
  display: grid;
  grid-template-columns: 15rem minmax(0, 1fr);
  gap: 2rem;
  max-width: 84rem;
  margin: 0 auto;
  padding: 1.5rem;
}
.pages { grid-row: 1; font-size: 0.9375rem; }
.pages h2 { margin: 1.25rem 0 0.25rem; font-size: 0.875rem; color: var(--quiet); }
.pages h2:first-child { margin-top: 0; }
.pages ul, .contents ul { margin: 0; padding: 0; list-style: none; }
.pages a { display: block; padding: 0.1875rem 0.625rem; border-radius: 0.375rem; text-decoration: none; }
.pages a:hover { text-decoration: underline; }
.pages a[aria-current] { background: var(--tint); color: var(--text); font-weight: 600; }
main {
  grid-column: 2;
  padding: 2rem 2.5rem;
  background: var(--sheet);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  box-shadow: var(--shadow);
}
main > p, main > ul, main > ol { max-width: 46rem; }
h1 { margin: 0 0 1rem; font-size: 1.875rem; line-height: 1.25; text-wrap: balance; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.375rem; line-height: 1.3; }
h3 { margin: 1.75rem 0 0.5rem; font-size: 1.0625rem; }
p, li { overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
li { margin-bottom: 0.25rem; }
.anchor { color: var(--quiet); font-weight: 400; text-decoration: none; opacity: 0; }
:is(h2, h3, h4):hover .anchor, .anchor:focus { opacity: 1; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: 0.875em; padding: 0.125rem 0.25rem; background: var(--tint); border-radius: 0.25rem; }
pre {
  margin: 0 0 1.25rem;
  padding: 0.875rem 1rem;
  overflow-x: auto;
  background: var(--field);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  line-height: 1.5;
}
pre code { padding: 0; background: none; }
.table { margin: 0 0 1.25rem; overflow-x: auto; }
table { border-collapse: collapse; min-width: 60%; font-size: 0.9375rem; line-height: 1.45; }
th, td { padding: 0.4375rem 0.75rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
th { border-bottom-color: var(--edge); }
td code { overflow-wrap: break-word; }
.contents { margin: 0 0 1.5rem; padding: 0.75rem 1rem; background: var(--tint); border-radius: 0.5rem; }
.contents ul { columns: 2; column-gap: 2rem; }
.contents li { break-inside: avoid; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
main > ul.cards { max-width: none; }
.cards li { margin: 0; padding: 0.875rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.cards a { font-weight: 600; }
.cards p { margin: 0.25rem 0 0; color: var(--quiet); font-size: 0.9375rem; }
.turn { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.results { padding: 0; list-style: none; }
.results li { margin-bottom: 1.25rem; }
.results p { margin: 0.125rem 0 0; color: var(--quiet); }
mark { color: var(--text); background: var(--tint); font-weight: 600; }
.operation { margin: 0; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
.operation h3 { margin: 0; font-size: 1rem; }
.operation p { margin: 0.25rem 0 0; color: var(--quiet); }
.quiet { color: var(--quiet); }
@media (max-width: 56rem) {
  .to-pages { display: inline; }
  .columns { display: block; padding: 0; }
  main { border-width: 0 0 1px; border-radius: 0; padding: 1.5rem 1.25rem; }
  .pages { padding: 1.5rem 1.25rem; }
  .contents ul { columns: 1; }
  form[role="search"] { margin: 0; flex: 1 1 100%; }
  form[role="search"] input { flex: 1; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --sheet: #fff; --field: #fff; --text: #000; --quiet: #333; --line: #bbb; --edge: #777; --tint: #f3f3f3; --accent: #000; --accent-over: #000; --shadow: none; }
  body > header, .pages, .skip, .anchor, .turn, .contents { display: none; }
  .columns { display: block; padding: 0; }
  main { border: 0; padding: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  pre, tr, .operation { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .table { overflow: visible; }
  main a[href^="http"]::after { content: " (" attr(href) ")"; font-size: 0.875em; }
}
`;
