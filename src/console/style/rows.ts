/** Rows of lists: one line each in columns on a desk, and links that a finger can press on a telephone. */
export const rows =
  `.rows { margin: 0; padding: 0; list-style: none; background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 1rem; min-height: var(--row); padding: 0.5rem 0.875rem; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows + section { margin-top: 1.75rem; }
.rows .what { flex: 1 1 14rem; min-width: 0; }
.rows .what a { font-weight: 600; text-decoration: none; }
.rows .what a:hover { text-decoration: underline; }
.rows .sub { display: block; color: var(--quiet); }
.rows .whole { flex: 1 1 100%; margin: 0; }
.rows form { margin: 0; }
.rows time, .rows a[href^="tel:"] { white-space: nowrap; }
@media (max-width: 71.99rem) { .rows > li > form:last-child:not(.whole) { margin-inline-start: auto; } }
@media (min-width: 72rem) {
  main > .rows, main > section > .rows { display: grid; grid-template-columns: minmax(10rem, 1fr) repeat(7, auto); }
  main > .rows > li, main > section > .rows > li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; gap: 0.375rem 0; }
  main > .rows > li > * + *, main > section > .rows > li > * + * { margin-inline-start: 1rem; }
  .rows > li > time { white-space: normal; }
  .rows > li > .what { grid-column: 1; }
  .rows > li > .badge { grid-column: 2; justify-self: start; }
  .rows > li > .countdown { grid-column: 3; }
  .rows > li > time:not(.countdown), .rows > li > .quiet-text { grid-column: 4; }
  .rows > li > a[href^="tel:"] { grid-column: 5; }
  .rows > li > a[href^="mailto:"] { grid-column: 6; max-width: 20rem; }
  .rows > li > form { grid-column: 7; justify-self: end; }
  .rows > li > form + form { grid-column: 8; }
  .rows > li > .whole { grid-column: 1 / -1; margin-inline-start: 0 !important; }
  :is(main, main > section, article > section) > .rows > li:has(> .short) { padding-block: 0.1875rem; }
  :is(main, main > section, article > section) > .rows > li:has(> .short) button { min-height: 1.75rem; padding: 0 0.625rem; }
  .rows .short > *, .rows .short ~ a[href^="mailto:"] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .rows .short > * { display: block; }
  :is(main, main > section, article > section) > .rows:has(.short) { display: grid; grid-template-columns: minmax(0, max-content) minmax(10rem, 1fr) repeat(7, auto); }
  :is(main, main > section, article > section) > .rows:has(.short) > li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; gap: 0; }
  :is(main, main > section, article > section) > .rows > li > .short { display: grid; grid-template-columns: subgrid; grid-column: 1 / 3; gap: 0 0.75rem; align-items: baseline; }
  :is(main, main > section, article > section) > .rows > li > .short ~ * { margin-inline-start: 0.75rem; }
  .rows .short > a:has(+ .sub) { max-width: 34rem; }
  .short > :only-child { grid-column: 1 / -1; }
  .rows:has(.short) > li > .badge { grid-column: 3; }
  .rows:has(.short) > li > .countdown { grid-column: 4; }
  .rows:has(.short) > li > time:not(.countdown) { grid-column: 5; }
  .rows:has(.short) > li > a[href^="tel:"] { grid-column: 6; }
  .rows:has(.short) > li > a[href^="mailto:"] { grid-column: 7; max-width: 18rem; }
  .rows:has(.short) > li > form { grid-column: 8; }
}
@media (max-width: 47.99rem) {
  .rows > li { gap: 0.1875rem 0.625rem; padding: 0.5rem 0.75rem; }
  .rows > li > time, .rows > li > a { font-size: 0.9375rem; }
  .rows .what { flex-basis: 60%; }
  .rows > li > .badge { align-self: start; margin-inline-start: auto; }
  .rows .what:has(+ .badge) { display: contents; }
  .rows .what:has(+ .badge) > :first-child { flex: 1 1 60%; min-width: 0; }
  .rows .what:has(+ .badge) > .sub { order: 1; flex-basis: 100%; }
  .rows > li > .countdown:not(:has(+ time)), .rows > li > time:not(.countdown, .countdown + time):has(+ a + form) { flex-basis: 100%; }
  .rows > li > :not(.what, .badge) { order: 2; }
  .rows > li:has(> .what + .badge + *, > .what + :not(.badge))::after { content: ""; order: 1; flex-basis: 100%; }
  .rows button { padding: 0 0.625rem; }
}
`;
