/** What surrounds each page of the console: the banner, the navigation, and where the page stands. */
export const frame = `.banner {
  grid-area: banner; position: sticky; top: 0; z-index: 2;
  display: flex; align-items: center; gap: 0.75rem;
  padding: 0.5rem 1rem; background: var(--sheet); border-bottom: 1px solid var(--line);
}
.brand { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; color: var(--text); font-weight: 600; text-decoration: none; white-space: nowrap; }
.brand .mark { width: 1.75rem; height: 1.75rem; }
.mark rect { fill: var(--accent); }
.mark path { fill: none; stroke: var(--on-accent); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
.bell, .person { display: inline-flex; align-items: center; gap: 0.5rem; min-width: 2.75rem; min-height: 2.75rem; justify-content: center; color: var(--text); text-decoration: none; }
.bell { position: relative; margin-inline-start: auto; }
.bell .count {
  position: absolute; top: 0.25rem; inset-inline-end: 0; min-width: 1.125rem; padding: 0 0.25rem;
  border-radius: 1rem; background: var(--bad); color: var(--sheet); font-size: 0.6875rem; line-height: 1.125rem; text-align: center;
}
.search { position: relative; flex: 1 1 12rem; max-width: 30rem; margin: 0 auto; }
.search > .icon { position: absolute; top: 50%; inset-inline-start: 0.625rem; translate: 0 -50%; color: var(--quiet); pointer-events: none; }
.search > input[name=q] { padding-inline-start: 2.125rem; }
.search > input[name=q]:focus-visible { outline-offset: -1px; }
.search > input[name=q]::placeholder { color: var(--quiet); opacity: 1; }
.search > input[name=q]:placeholder-shown { text-overflow: ellipsis; }
.found {
  position: absolute; inset: calc(100% + 0.25rem) 0 auto; max-height: min(70vh, 32rem); padding: 0.375rem; overflow-y: auto;
  background: var(--sheet); border: 1px solid var(--edge); border-radius: 0.75rem; box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.18);
}
.found .kind { padding: 0.5rem 0.625rem 0.125rem; color: var(--quiet); font-size: 0.75rem; font-weight: 600; }
.found [role=option] { display: flex; flex-wrap: wrap; gap: 0 0.625rem; align-items: center; min-height: var(--row); padding: 0.25rem 0.625rem; border-radius: var(--radius); cursor: pointer; }
.found [role=option]:hover { background: var(--tint); }
.found [aria-selected=true] { background: var(--tint); outline: 2px solid var(--accent); outline-offset: -2px; }
.found .sub { color: var(--quiet); font-size: 0.8125rem; }
.found > [role=option] { position: sticky; bottom: -0.375rem; margin-top: 0.25rem; color: var(--accent); background: var(--sheet); }
.all { margin: 0.5rem 0 0; }
.avatar {
  display: inline-grid; place-items: center; width: 1.875rem; height: 1.875rem; flex: none;
  border-radius: 50%; background: var(--tint); color: var(--accent); font-size: 0.75rem; font-weight: 600;
}
nav.main { grid-area: nav; padding: 0.75rem 0.5rem; border-inline-end: 1px solid var(--line); }
nav.main ul { position: sticky; top: 4.5rem; margin: 0; padding: 0; list-style: none; }
nav.main a {
  display: flex; align-items: center; gap: 0.625rem; min-height: 2.25rem; padding: 0 0.75rem;
  border-radius: var(--radius); color: var(--text); text-decoration: none;
}
nav.main a:hover { background: var(--tint); }
nav.main a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
main { grid-area: main; padding: 1.25rem clamp(1rem, 3vw, 2rem) 4rem; min-width: 0; max-width: 78rem; }
main.wide { max-width: none; }
body.alone main { margin: 8vh auto 0; max-width: 32rem; }
.status:empty { display: none; }
.status, .alert { margin: 0 0 1rem; padding: 0.625rem 0.875rem; border-radius: var(--radius); border-inline-start: 4px solid; }
.status { color: var(--good); background: var(--good-ground); display: flex; align-items: center; gap: 1rem; }
.alert { color: var(--bad); background: var(--bad-ground); }
.alert p, .alert ul { margin: 0; }
.alert a { color: inherit; }
@supports selector(::details-content) {
  @media (min-width: 48rem) {
    nav.main summary { display: none; }
    nav.main .more::details-content { content-visibility: visible; }
  }
}
@media (max-width: 47.99rem) {
  body { display: block; padding-bottom: 4.25rem; font-size: 1rem; }
  .banner { padding: 0.25rem 0.75rem; gap: 0.25rem; }
  .search { position: static; flex-basis: 6rem; min-width: 0; }
  .search > .icon { display: none; }
  .search > input[name=q] { padding-inline-start: 0.625rem; }
  .found { inset: 100% 0.5rem auto; }
  .found [role=option] { min-height: 2.75rem; }
  .brand span, .person bdi {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
  nav.main {
    position: fixed; inset: auto 0 0; z-index: 2; display: flex; padding: 0;
    background: var(--sheet); border: 0; border-top: 1px solid var(--line);
  }
  nav.main ul { position: static; display: flex; flex: 1; flex-wrap: wrap; min-width: 0; }
  nav.main li { flex: 1 1 3.75rem; }
  nav.main a { flex-direction: column; gap: 0.125rem; justify-content: center; min-height: 3.5rem; padding: 0.25rem; border-radius: 0; font-size: 0.75rem; }
  nav.main .more { display: grid; place-items: center; min-width: 3.75rem; }
  nav.main .more summary { min-height: 3.5rem; display: flex; flex-direction: column; gap: 0.125rem; align-items: center; justify-content: center; font-size: 0.75rem; }
  nav.main .more:has([aria-current]) summary { color: var(--accent); font-weight: 600; }
  nav.main .more:has([aria-current]) { background: var(--tint); }
  nav.main .more[open] ul { position: absolute; inset: auto 0 3.5rem; display: block; background: var(--sheet); border-top: 1px solid var(--line); }
  nav.main .more a { flex-direction: row; justify-content: flex-start; gap: 0.75rem; padding: 0.25rem 1rem; font-size: 1rem; }
  main { padding: 1rem 0.75rem 2rem; }
  h1 { margin-bottom: 0.5rem; }
}
`;
