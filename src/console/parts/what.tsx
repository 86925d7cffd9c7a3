/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/**
 * The name of a record in a row of a list, with what else is known. On a desk both stand on one line, as two columns;
 * what has no room is cut, and the title says it whole.
 */
interface Props {
  readonly href: string;
  readonly name: string;
  /** What else is known, the most important first. Empty parts are left out. */
  readonly about?: readonly (string | null | undefined | false)[];
}

export function What({ href, name, about = [] }: Props) {
  const parts = about.filter((part): part is string => typeof part === "string" && part !== "");
  return (
    <div class="what short" title={name}>
      <a href={href}>
        <bdi>{name}</bdi>
      </a>
      {parts.length === 0 ? null : (
        <span class="sub" title={parts.join(separator)}>
          {parts.map((part, index) => (
            <>
              {index === 0 ? null : separator}
              <bdi key={part}>{part}</bdi>
            </>
          ))}
        </span>
      )}
    </div>
  );
}

/** Its first space does not break, so that no line begins with the dot. */
export const separator = "\u00a0· ";
