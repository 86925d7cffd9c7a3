/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Lists of records, with their total, and links to their pages. */
import type { PropsWithChildren } from "hono/jsx";
import type { Visit } from "../visit.ts";

export interface Pagination {
  readonly total: number;
  readonly count: number;
  readonly current_page: number;
  readonly total_pages: number;
}

/** The answer of a call that lists records. */
export interface PageOf<Entry> {
  readonly data: readonly Entry[];
  readonly pagination: Pagination;
}

interface ListProps {
  /** The entity in the plural. */
  readonly of: string;
  readonly total: number;
  /** Why it is empty, and what to do. */
  readonly empty: string;
  /** A link for an empty list. */
  readonly action?: { readonly href: string; readonly text: string } | null;
}

export function List({ of, total, empty, action, children }: PropsWithChildren<ListProps>) {
  if (total === 0) {
    return (
      <div data-list={of} data-total="0">
        <p class="empty" data-empty="">
          {empty}
          {action
            ? (
              <>
                {" "}
                <a href={action.href}>{action.text}</a>
              </>
            )
            : null}
        </p>
      </div>
    );
  }
  return <ul class="rows" data-list={of} data-total={String(total)}>{children}</ul>;
}

/** Links to the next and the previous page of the list at the address. */
export function Pages({ visit, pagination }: { visit: Visit; pagination: Pagination }) {
  const { current_page: page, total_pages: last } = pagination;
  if (last <= 1 && page <= 1) return null;
  const at = (number: number) => {
    const query = new URLSearchParams(visit.query);
    query.set("page", String(number));
    return `${visit.address.split("?", 1)[0]}?${query}`;
  };
  return (
    <div class="pages">
      {page > 1 ? <a rel="prev" href={at(Math.min(page - 1, last))}>{visit.texts.previous}</a> : null}
      {page < last ? <a rel="next" href={at(page + 1)}>{visit.texts.next}</a> : null}
    </div>
  );
}

/** Leads to the whole list of records, of which the page shows the first. */
export function ShowAll({ visit, of: { data, pagination }, href }: {
  readonly visit: Visit;
  readonly of: PageOf<unknown>;
  readonly href: string;
}) {
  if (data.length >= pagination.total) return null;
  return (
    <p class="all">
      <a href={href}>{visit.texts.showAll(visit.formats.number(pagination.total))}</a>
    </p>
  );
}
