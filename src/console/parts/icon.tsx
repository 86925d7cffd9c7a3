/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Icons. They illustrate words and never stand alone for people who do not see them. */
import { getAssetPath } from "../assets.ts";

export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" aria-hidden="true" width="18" height="18">
      <use href={`${getAssetPath("icons.svg")}#${name}`} />
    </svg>
  );
}
