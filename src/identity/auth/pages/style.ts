/** The one stylesheet of the pages. */
export const style = `:root {
  color-scheme: light dark;
  --ground: #f3f5f8;
  --sheet: #ffffff;
  --text: #17202b;
  --quiet: #51606f;
  --line: #c3ccd6;
  --accent: #0b5cad;
  --on-accent: #ffffff;
  --bad: #b3261e;
  --bad-ground: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10161d;
    --sheet: #1a232d;
    --text: #e8edf3;
    --quiet: #a5b3c1;
    --line: #44535f;
    --accent: #7db8f5;
    --on-accent: #0b1a2a;
    --bad: #ffb4ab;
    --bad-ground: #3c1d1b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  padding: 1.5rem 1rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
header { margin-bottom: 1rem; color: var(--quiet); font-weight: 600; letter-spacing: 0.02em; }
main {
  width: 100%;
  max-width: 26rem;
  padding: 2rem;
  background: var(--sheet);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
main > :last-child, form > :last-child { margin-bottom: 0; }
form { margin: 0 0 1rem; }
label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
input {
  width: 100%;
  margin-bottom: 1rem;
  padding: 0.625rem 0.75rem;
  font: inherit;
  color: inherit;
  background: var(--ground);
  border: 1px solid var(--quiet);
  border-radius: 0.5rem;
}
input.code { font-size: 1.5rem; letter-spacing: 0.15em; text-align: center; }
button, .button {
  display: block;
  width: 100%;
  margin-bottom: 0.75rem;
  padding: 0.75rem;
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
button.second { color: var(--accent); background: transparent; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
.bad { padding: 0.75rem; color: var(--bad); background: var(--bad-ground); border-radius: 0.5rem; }
@media (max-width: 30rem) {
  body { justify-content: flex-start; }
  main { padding: 1.25rem; }
}
`;
