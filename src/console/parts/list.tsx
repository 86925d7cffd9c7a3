/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Lists of records, with their total, and links to their pages. */
import type { PropsWithChildren } from "hono/jsx";
import type { Visit } from "../visit.ts";
import { type InnerList, nameOfPage } from "./parameters.ts";

export interface Pagination {
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
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

/**
 * Links to the next and the previous page of a list. `of`: the list, where the page has several; it is the id of its
 * heading, too.
 */
export function Pages({ visit, pagination, of }: {
  readonly visit: Visit;
  readonly pagination: Pagination;
  readonly of?: InnerList;
}) {
  const { total, page, per_page } = pagination;
  const last = Math.max(1, Math.ceil(total / per_page));
  if (last <= 1 && page <= 1) return null;
  const at = (number: number) => {
    const query = new URLSearchParams(visit.query);
    query.set(of ? nameOfPage(of) : "page", String(number));
    return `${visit.address.split("?", 1)[0]}?${query}${of ? `#${of}` : ""}`;
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
  readonly of: { readonly data: readonly unknown[]; readonly pagination: { readonly total: number } };
  readonly href: string;
}) {
  if (data.length >= pagination.total) return null;
  return (
    <p class="all">
      <a href={href}>{visit.texts.showAll(visit.formats.number(pagination.total))}</a>
    </p>
  );
}
