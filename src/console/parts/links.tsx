/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** What a person can do with the record of a page, as links below its name. */
interface Link {
  readonly href: string;
  readonly text: string;
  /** Whether it is the first thing to do on the page: only one is. */
  readonly isMain?: boolean;
  /** Whether few want it, so that it must not draw the eye. */
  readonly isRare?: boolean;
}

/** Links that are false are left out. */
export function Links({ links }: { links: readonly (Link | false | null)[] }) {
  const shown = links.filter((link): link is Link => link !== false && link !== null);
  return shown.length === 0 ? null : (
    <p class="links">
      {shown.map(({ href, text, isMain, isRare }) => (
        <a key={href} class={isMain ? "button" : isRare ? "button quiet bare" : "button quiet"} href={href}>
          {text}
        </a>
      ))}
    </p>
  );
}
