/** The stylesheet of the console. Lengths are in rem, so that they grow with the reader's font size. */
import { palette, writeThemeRules } from "../../identity/auth/pages/style.ts";
import { frame } from "./frame.ts";
import { mostCounted } from "./counted.ts";
import { rows } from "./rows.ts";

const warnRules = writeThemeRules(
  "--warn: #8a4b00; --warn-ground: #fdf1e0;",
  "--warn: #f5c07a; --warn-ground: #3d2e18;",
);
const tokens = `${palette}
:root {
  --row: 2.25rem;
  --rail: 12rem;
  --radius: 0.5rem;
}
${warnRules}`;

const base = `* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--ground);
  color: var(--text);
  font: 0.875rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  display: grid;
  grid-template: auto 1fr / var(--rail) minmax(0, 1fr);
  grid-template-areas: "banner banner" "nav main";
}
body.alone { display: block; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 0 0 0.5rem; font-size: 1rem; line-height: 1.3; }
h3 { margin: 0; font-size: 0.875rem; }
p { margin: 0 0 0.75rem; overflow-wrap: anywhere; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-over); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
main:focus { outline: none; }
time, .number { font-variant-numeric: tabular-nums; }
bdi, td, dd { overflow-wrap: anywhere; }
[hidden] { display: none !important; }
.hidden, summary + fieldset > legend {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0;
}
@media (min-width: 30.01rem) {
  .milestone { position: relative; }
  .milestone label { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
}
.skip { position: absolute; inset-inline-start: 0.5rem; top: -4rem; z-index: 3; padding: 0.625rem 1rem; background: var(--sheet); }
.skip:focus { top: 0.5rem; }
.icon { width: 1.125rem; height: 1.125rem; flex: none; }
.quiet-text { color: var(--quiet); }
`;

/**
 * Columns of a board share its width by their number, which its classes name: otherwise the first ones would be wide
 * until the page has brought the others.
 */
const boardCounts = Array.from(
  { length: mostCounted + 1 },
  (_, count) => `.full-${count} { --full: ${Math.max(1, count)}; }\n.bare-${count} { --bare: ${count}; }\n`,
).join("");

const parts = `section { margin: 0 0 1.75rem; }
.start { margin: 0; padding-inline-start: 1.25rem; }
.start li { padding: 0.25rem 0; }
.start .sub { display: block; color: var(--quiet); }
.narrow { max-width: 36rem; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem; }
${rows}
iframe { display: block; width: 100%; height: 16rem; background: #fff; border: 1px solid var(--line); border-radius: var(--radius); }
.empty { margin: 0; padding: 1.25rem; color: var(--quiet); background: var(--sheet); border: 1px dashed var(--line); border-radius: 0.75rem; }
.short ~ a wbr { display: none; }
.badge { display: inline-block; padding: 0.0625rem 0.5rem; border-radius: 1rem; background: var(--tint); color: var(--accent); font-size: 0.8125rem; white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-ground); }
.badge.bad { color: var(--bad); background: var(--bad-ground); }
.badge.warn { color: var(--warn); background: var(--warn-ground); }
.countdown { white-space: nowrap; font-weight: 600; }
@media (scripting: enabled) {
  .rows .countdown { min-width: 8.25rem; white-space: nowrap; }
  .rows .countdown:not([data-state]) { width: 8.25rem; overflow: hidden; text-overflow: ellipsis; }
}
.countdown[data-state=overdue] { color: var(--bad); }
.countdown[data-state=soon] { color: var(--warn); }
.tabs { display: flex; flex-wrap: wrap; gap: 0.25rem; margin: 0 0 1rem; padding: 0; list-style: none; border-bottom: 1px solid var(--line); }
.tabs a { display: inline-flex; gap: 0.375rem; align-items: center; min-height: 2.5rem; padding: 0 0.75rem; color: var(--text); text-decoration: none; border-bottom: 2px solid transparent; }
.tabs a[aria-current] { color: var(--accent); border-color: var(--accent); font-weight: 600; }
.tabs .number { color: var(--quiet); font-weight: 400; }
@media (max-width: 47.99rem) {
  .tabs { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  .tabs a { min-height: 2.75rem; white-space: nowrap; }
  .tabs a:focus-visible { outline-offset: -3px; }
  .tabs a[aria-current] { scroll-initial-target: nearest; }
}
dl.facts { display: grid; grid-template-columns: min(9rem, 40%) minmax(0, 1fr); gap: 0.375rem 0.75rem; margin: 0; }
dl.facts dt { color: var(--quiet); hyphens: auto; }
dl.facts dd { margin: 0; }
dl.facts + h2, dl.facts + h3 { margin: 1rem 0 0.375rem; }
.columns { display: grid; gap: 1.25rem; margin: 0 0 1.75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.empty + .board { margin-top: 0.75rem; }
.columns > :is(section, form) { margin-bottom: 0; }
.board { display: flex; gap: 0.625rem; overflow-x: auto; padding: 0 0 0.75rem; scroll-snap-type: x proximity; }
.board > .column { flex: 0 0 max(14rem, (100% - var(--bare) * 9.625rem - (var(--full) - 1) * 0.625rem) / var(--full)); margin: 0; padding: 0.625rem; min-width: 0; background: var(--tint); border-radius: 0.75rem; scroll-snap-align: start; }
.board > .end { background: transparent; border: 1px dashed var(--line); }
.board > .bare { flex: 0 0 9rem; }
.column.over { outline: 2px solid var(--accent); outline-offset: -2px; }
.column h2 { margin: 0; font-size: 0.875rem; }
.column .sums, .column p.sub { display: flex; flex-wrap: wrap; gap: 0 0.625rem; margin: 0; }
.column .sums { margin: 0 0 0.5rem; color: var(--quiet); font-size: 0.8125rem; }
.column ul { display: grid; gap: 0.5rem; margin: 0; padding: 0; list-style: none; }
.column ul + a { display: inline-block; margin-top: 0.5rem; min-height: 1.5rem; }
.column li { padding: 0.5rem 0.625rem; background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); }
.column li[draggable=true] { cursor: grab; }
.column li.dragged { opacity: 0.5; }
.column li > a { font-weight: 600; color: var(--text); text-decoration: none; }
.column li > a:hover { color: var(--accent-over); text-decoration: underline; }
.column .sub { display: block; color: var(--quiet); font-size: 0.8125rem; }
.column .late { color: var(--bad); font-weight: 600; }
bdi.sub { text-align: -webkit-match-parent; text-align: match-parent; }
.column summary { color: var(--accent); font-size: 0.8125rem; line-height: 1.5rem; }
.column form { margin: 0.25rem 0 0.25rem; }
.column select { margin: 0 0 0.5rem; }
.links { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.links > form { margin: 0; }
.links > .bare:first-child { margin-inline-start: -0.875rem; }
dl.facts + .links { margin-top: 1rem; }
.lines { margin: 0; white-space: pre-line; }
.chips { display: flex; flex-wrap: wrap; gap: 0.375rem; margin: 0 0 0.875rem; }
.chips a { display: inline-flex; align-items: center; min-height: 1.75rem; padding: 0 0.75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--sheet); color: var(--text); text-decoration: none; }
.chips a[aria-current] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0 1rem; }
.consents { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 0 1rem; }
.line { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.line .field { margin: 0; }
.line:has(> .field > .hint) { align-items: start; }
.line:has(> .field > .hint) > button { margin-top: 1.5rem; }
.condition { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) minmax(0, 3fr) auto; gap: 0.375rem 0.75rem; align-items: start; }
.condition .field { margin: 0; }
.condition > .button { margin-top: 1.5rem; }
.conditions .condition + .condition { padding-top: 0.75rem; border-top: 1px solid var(--line); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
@media (max-width: 47.99rem) { .condition { grid-template-columns: 1fr 1fr; } .condition > .field:first-of-type { grid-column: 1 / -1; } .condition > .button { grid-column: 1 / -1; justify-self: start; margin: 0; } }
.stored-now { padding: 0.125rem 0.5rem; border-inline-start: 3px solid var(--warn); background: var(--warn-ground); color: var(--warn); }
.milestone { display: grid; grid-template-columns: 2fr 1fr 1fr; gap: 0 0.75rem; max-width: 36rem; }
.heads { margin: 0.5rem 0 0.25rem; font-weight: 600; }
@media (max-width: 30rem) { .milestone { grid-template-columns: 1fr; padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); margin-bottom: 0.5rem; } .heads { display: none; } }
.notify fieldset, .consents fieldset { display: flex; flex-wrap: wrap; gap: 0 1rem; }
fieldset:has(> .choice:nth-of-type(6)) { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 9.5rem), 1fr)); gap: 0 0.75rem; }
fieldset:has(> .choice:nth-of-type(6)) > :not(.choice) { grid-column: 1 / -1; }
.notify { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 0 1rem; margin: 0.5rem 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0.25rem 1rem; overflow-wrap: anywhere; }
.pair > * { min-width: 0; }
.pair > .choice { position: relative; align-items: start; padding: 0.375rem 0.625rem; border: 1px solid var(--line); border-radius: var(--radius); }
.pair > .choice:has(:checked) { border-color: var(--accent); background: var(--tint); }
.pair > .choice input { position: relative; z-index: 1; flex: none; margin-top: 0.125rem; }
.pair .choice label { flex: 1; min-width: 0; white-space: pre-line; }
.pair > .choice label::after { content: ""; position: absolute; inset: 0; }
@media (max-width: 30rem) { .pair > .choice { flex-direction: column; gap: 0.25rem; } .pair .choice label { flex: none; width: 100%; font-size: 0.875rem; } }
.sides { margin: 0 0 1rem; padding: 0; list-style: none; font-weight: 600; }
.sides .sub { display: block; color: var(--quiet); font-size: 0.8125rem; font-weight: 400; }
.drop { margin: 0 0 0.75rem; padding: 0.75rem; border: 2px dashed var(--edge); border-radius: var(--radius); }
.drop input { display: block; width: 100%; padding: 1rem 0; }
.progress progress { display: block; width: 100%; height: 0.75rem; accent-color: var(--accent); }
.after { margin: 0.75rem 0 0; }
.pages { display: flex; gap: 1rem; margin-top: 1rem; }
ol.history { margin: 0; padding: 0; list-style: none; }
ol.history li { display: flex; gap: 0.75rem; padding: 0.375rem 0; }
ol.history time { flex: none; }
ol.history li + li { border-top: 1px solid var(--line); }
ol.steps { margin: 0; padding: 0; list-style: none; }
ol.steps li { display: flex; gap: 0.75rem; justify-content: space-between; padding: 0.375rem 0; }
ol.steps li + li { border-top: 1px solid var(--line); }
.stored { overflow-wrap: anywhere; }
.stored p { margin: 0 0 0.25rem; }
.scroll { overflow-x: auto; }
.scroll :is(td, th, bdi) { overflow-wrap: break-word; }
table { border-collapse: collapse; }
td, th { padding: 0.25rem 0.5rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
dialog { max-width: min(26rem, calc(100vw - 2rem)); padding: 1.25rem; color: var(--text); background: var(--sheet); border: 1px solid var(--edge); border-radius: 0.75rem; box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.18); }
dialog::backdrop { background: rgb(0 0 0 / 0.4); }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 0.375rem 1rem; margin: 0.75rem 0 1rem; align-items: center; }
dialog dd { margin: 0; }
dialog dt { display: flex; gap: 0.375rem; }
kbd { padding: 0 0.375rem; font: inherit; font-size: 0.8125rem; background: var(--tint); border: 1px solid var(--line); border-radius: 0.25rem; }
form details, .sheet > details { margin: 0.25rem 0 0.75rem; }
.sheet > :last-child, .sheet > form:last-child > :last-child { margin-bottom: 0; }
details.sheet > form { margin: 0.75rem 0 0; }
.sheet + .sheet { margin-top: 1rem; }
.columns > .sheet + .sheet { margin-top: 0; }
.columns > div > form.sheet { margin: 0; }
.columns > div > .sheet + .sheet { margin-top: 1.25rem; }
button + details { margin-top: 0.75rem; }
details > summary { cursor: pointer; min-height: 1.5rem; }
[open] > summary:has(+ :not(ul)) { margin-bottom: 0.375rem; }
main > details, .folds > details { margin: 0 0 0.75rem; }
@supports selector(::details-content) {
  @media (min-width: 48rem) {
    .narrowing > summary { display: none; }
    .narrowing::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media (max-width: 47.99rem) {
  .folds { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
  .folds > details { min-width: 0; }
  .folds > [open] { flex: 1 1 100%; }
}
`;

/** Only the kit shows its colours. */
const swatches =
  `.swatches { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; margin: 0; padding: 0; list-style: none; }
.swatches li { display: inline-flex; gap: 0.375rem; align-items: center; }
.swatch { width: 1.5rem; padding: 0; height: 1.5rem; border: 1px solid var(--edge); border-radius: 0.25rem; }
.swatch.ground { background: var(--ground); }
.swatch.sheet { background: var(--sheet); }
.swatch.text { background: var(--text); }
.swatch.quiet { background: var(--quiet); }
.swatch.line { background: var(--line); }
.swatch.edge { background: var(--edge); }
.swatch.accent { background: var(--accent); }
.swatch.tint { background: var(--tint); }
.swatch.good { background: var(--good); }
.swatch.good-ground { background: var(--good-ground); }
.swatch.warn { background: var(--warn); }
.swatch.warn-ground { background: var(--warn-ground); }
.swatch.bad { background: var(--bad); }
.swatch.bad-ground { background: var(--bad-ground); }
`;

const controls = `form { margin: 0 0 1rem; }
.filter, .filter > details > div { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
.filter > details { margin: 0; min-width: 0; }
@supports selector(::details-content) {
  @media (min-width: 48rem) {
    .filter > details, .filter > details > div, .filter > details::details-content { display: contents; }
  }
}
@media (max-width: 47.99rem) {
  .filter, .filter > details > div { gap: 0.5rem 0.75rem; }
  .filter > .field { flex: 1 1 100%; }
  .filter > .field:has(+ button) { flex: 1 1 calc(100% - 12rem); }
  .filter > details { flex: 1 1 calc(100% - 12rem); }
  .filter > details[open] { flex-basis: 100%; }
  .filter > details .field { flex: 1 1 40%; }
}
.find-choices { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: start; max-width: 36rem; }
.find-choices .field { flex: 1 1 12rem; }
.find-choices > .quiet { margin-block-start: 1.625rem; }
.field { max-width: 36rem; margin: 0 0 0.75rem; min-width: 0; }
.filter .field { margin: 0; }
label, legend { display: block; margin: 0 0 0.25rem; padding: 0; font-weight: 600; }
fieldset { margin: 0 0 0.75rem; padding: 0; border: 0; min-width: 0; }
.group { margin: 1.25rem 0; }
.group > legend { margin-bottom: 0.5rem; font-size: 1.125rem; }
.choice { display: flex; align-items: center; gap: 0.5rem; min-height: 1.75rem; }
.choice label { margin: 0; font-weight: 400; }
.choice:has(> .hint) { flex-wrap: wrap; }
.choice > .hint { flex-basis: 100%; margin: 0 0 0 1.625rem; }
.choice input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
input:not([type=radio], [type=checkbox], [type=hidden], [type=file]), select, textarea {
  display: block; width: 100%; min-height: 2.25rem; padding: 0.375rem 0.625rem;
  font: inherit; color: inherit; background: var(--field); border: 1px solid var(--edge); border-radius: var(--radius);
}
select { padding-inline-end: 1.75rem; text-overflow: ellipsis; }
input[type=file] { max-width: 100%; font: inherit; }
::file-selector-button {
  min-height: 2.25rem; margin-inline-end: 0.75rem; padding: 0 0.875rem; font: inherit; font-weight: 600; color: var(--accent);
  background: transparent; border: 1px solid var(--edge); border-radius: var(--radius); cursor: pointer;
}
textarea { min-height: 4.5rem; resize: vertical; }
:is(input, select, textarea)[aria-invalid] { border-color: var(--bad); }
.hint { margin: 0.25rem 0 0; color: var(--quiet); font-size: 0.8125rem; }
.wrong { margin: 0.25rem 0 0; color: var(--bad); }
.hint:has(+ button, + .button, + .buttons, + .links, + .line, + .fields) { margin-bottom: 0.75rem; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.375rem; min-height: 2.25rem; padding: 0.25rem 0.875rem;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent);
  border: 1px solid var(--accent); border-radius: var(--radius); cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-over); border-color: var(--accent-over); }
a.button:hover { color: var(--on-accent); }
button.quiet, .button.quiet { color: var(--accent); background: transparent; border-color: var(--edge); }
button.quiet:hover, .button.quiet:hover { background: var(--tint); color: var(--accent); border-color: var(--accent); }
.button.bare { color: var(--quiet); border-color: transparent; }
button.bad { color: var(--bad); background: transparent; border-color: var(--bad); }
button.bad:hover { background: var(--bad-ground); }
form > button:has(+ a.button) { margin: 0 0.25rem 0.375rem 0; }
.status form { margin: 0; }
@media (max-width: 47.99rem) {
  button, .button, input:not([type=radio], [type=checkbox]), select, .chips a { min-height: 2.75rem; }
  .links { gap: 0.5rem 0.375rem; }
  .links > .button.quiet { padding-inline: 0.625rem; }
  .links > .button.bare { padding-inline: 0.25rem; }
  .links > .bare:first-child { margin-inline-start: -0.25rem; }
  dl.facts { align-items: baseline; }
  dl.facts :is(a[href^="tel:"], a[href^="mailto:"]) { display: block; padding-block: 0.625rem; }
  ::file-selector-button { min-height: 2.75rem; }
  main summary { padding-block: 0.625rem; }
  :is(main, .folds) > details { margin-bottom: 0; }
  button + details { margin-top: 0; }
  :not(.pair) > .choice label { flex: 1; padding-block: 0.6875rem; }
  .choice > .hint { margin-top: -0.5rem; }
  .rows > li > a:not(.button) { min-width: 0; line-height: 2.75rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .rows > li > a[href^="mailto:"] { flex: 1 1 8rem; }
  .rows .what > a { display: block; position: relative; padding-block: 0.6875rem; margin-block: -0.5rem -0.6875rem; }
  .rows .what:not(:has(> .sub)) > a { margin-bottom: -0.1875rem; }
}
@media (forced-colors: active) { .mark path { stroke: Canvas; } }
@media (prefers-reduced-motion: no-preference) { .status { animation: appear 0.2s; } @keyframes appear { from { opacity: 0; } } }
@media print {
  .banner, nav.main, .skip, form, button, .button, summary, details:not([open]), .links, .pages, .all,
  .sheet:not(:has(> :not(form))) { display: none !important; }
  body { display: block; background: none; }
  main { max-width: none; padding: 0; }
  .board, .tabs { flex-wrap: wrap; overflow: visible; }
  .scroll { overflow: visible; }
  li, tr, h2, dl.facts > * { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;

export const style = tokens + base + frame + boardCounts + parts + controls + swatches;
