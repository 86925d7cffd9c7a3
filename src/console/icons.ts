/**
 * The sprite of icons. Each is a few strokes in a square of 24. `lucide-static` would bring 67 MB for them, a third of
 * the installation.
 */
const shapes: Readonly<Record<string, string>> = {
  bell: "M6 17V10a6 6 0 0 1 12 0v7l2 1H4zM10 21h4",
  today:
    "M12 8a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M19 5l-1 1M6 18l-1 1",
  leads: "M3 13h5l1.5 3h5l1.5-3h5M6 5h12l3 8v6H3v-6z",
  cases: "M3 8h18v11H3zM9 8V5h6v3M3 13h18",
  customers:
    "M9 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM2 20c0-4 3-6 7-6s7 2 7 6M17 5a3.5 3.5 0 0 1 0 7M19 14.500c2 .7 3 2.5 3 5.5",
  messages: "M3 5h18v14H3zM3 6l9 7l9-7",
  files: "M3 6h6l2 2h10v11H3z",
  reports: "M4 20V4M4 20h16M9 16v-5M13 16V8M17 16v-8",
  team: "M12 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM4 20c0-4 3-6 8-6s8 2 8 6",
  administration: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  more:
    "M5 11.500a.5.5 0 1 1 0 1a.5.5 0 0 1 0-1zM12 11.500a.5.5 0 1 1 0 1a.5.5 0 0 1 0-1zM19 11.500a.5.5 0 1 1 0 1a.5.5 0 0 1 0-1z",
  search: "M10.500 4a6.500 6.500 0 1 1 0 13a6.500 6.500 0 0 1 0-13zM15.500 15.500L20 20",
  clock: "M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18zM12 7v5l3 2",
  check: "M5 12.500l4.5 4.500L19 7",
};

/** The names of the icons. */
export const sprites: readonly string[] = Object.keys(shapes);

const symbols = Object.entries(shapes).map(([name, path]) =>
  `<symbol id="${name}" viewBox="0 0 24 24"><path d="${path}" fill="none" stroke="currentColor" stroke-width="1.8" ` +
  'stroke-linecap="round" stroke-linejoin="round"/></symbol>'
).join("");

/** The icons as symbols of one picture. */
export const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${symbols}</svg>`;
