/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The search box of the banner. With the script it shows records while somebody types. */
import { Icon } from "./icon.tsx";
import type { Texts } from "../texts/en.ts";

/** `asked`: what the page has searched for. */
export function SearchBox({ texts: { search }, asked }: { texts: Texts; asked: string }) {
  return (
    <form role="search" class="search" method="get" action="/app/search" data-all={search.allResults}>
      <label class="hidden" for="search">{search.title}</label>
      <Icon name="search" />
      <input
        id="search"
        type="search"
        name="q"
        value={asked}
        placeholder={search.hint}
        autocomplete="off"
        maxlength={200}
        dir="auto"
      />
    </form>
  );
}
