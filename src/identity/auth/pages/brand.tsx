/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The product's mark, and icons that illustrate messages. The text does not depend on them. */

const way = "M7 10.5l4.5 11.5 4.5-9 4.5 9 4.5-11.5";

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d={way} />
    </svg>
  );
}

/** The mark in the browser tab. Its colours work on light and dark. */
export const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="8" fill="#0b5cad"/>' +
  `<path d="${way}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Whether a page reports success or failure. */
export type Tone = "good" | "bad";

const signs: Readonly<Record<Tone, string>> = {
  good: "M9.5 16.5l4.5 4.5 8.5-9.5",
  bad: "M16 9v8.5m0 4.9v.1",
};

export function Sign({ tone }: { tone: Tone }) {
  return (
    <svg class={`sign ${tone}`} viewBox="0 0 32 32" width="40" height="40" aria-hidden="true">
      <circle cx="16" cy="16" r="15" />
      <path d={signs[tone]} />
    </svg>
  );
}
