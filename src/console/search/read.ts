/** Searches all kinds of records, in one round trip. */
import { ok } from "../../core/answer.ts";
import { countMatches } from "../../core/text.ts";
import { foundAccounts } from "../../customers/accounts/global_search.ts";
import { foundContacts } from "../../customers/contacts/global_search.ts";
import type { Context } from "../../db/context.ts";
import { foundFiles } from "../../library/files/list.ts";
import type { FoundKind, FoundRecord } from "../../lists/global_search.ts";
import { type ListReads, prepareReads } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { searchSelection } from "../../lists/search.ts";
import { intersectSelections, type Selection } from "../../lists/selection.ts";
import { foundCases } from "../../sales/cases/global_search.ts";
import { foundLeads } from "../../sales/leads/global_search.ts";
import { type FoundType, foundTypes, type SearchQuery } from "./schema.ts";

const kinds: Readonly<Record<FoundType, FoundKind>> = {
  account: foundAccounts,
  contact: foundContacts,
  case: foundCases,
  lead: foundLeads,
  file: foundFiles,
};

/** Returns the first records of each kind that the caller's lists would find, and how many there are. */
export async function searchAll(ctx: Context, { q, types = [...foundTypes], limit = 5 }: SearchQuery) {
  const { caller: { companyId: company }, deps: { db } } = ctx;
  const text = q.trim();
  const asked = foundTypes.filter((type) => types.includes(type)).map((type) => ({
    type,
    kind: kinds[type],
    reads: prepareReadsOfKind(ctx, kinds[type], text, limit),
  }));
  const all = asked.flatMap(({ reads }) => reads);
  const effort = all.some(({ effort }) => effort === "scan") ? "scan" : "few";
  const results = await db.readOnThread(all.flatMap(({ statements }) => statements), { effort, company });
  let from = 0;
  const takePage = (reads: ListReads) => reads.takePage(results.slice(from, from += reads.statements.length));
  const groups = asked.flatMap(({ type, kind, reads }) => {
    const [found, exact, both] = reads.map(takePage);
    const total = found!.total! + (exact?.total ?? 0) - (both?.total ?? 0);
    if (total === 0) return [];
    const records = [...exact?.rows ?? [], ...found!.rows].map((row) => kind.present(row, ctx));
    const distinct = [...new Map(records.map((record) => [record.id, record])).values()];
    const items = distinct.slice(0, limit).map((record) => makeItem(record, text));
    return [{ isExact: exact !== undefined && exact.rows.length > 0, group: { type, total, items } }];
  });
  const data = groups.toSorted((one, other) => Number(other.isExact) - Number(one.isExact))
    .map(({ group }) => group);
  return ok({ data, query: q });
}

/**
 * Reads the records with the words. Where the text can be an exact name, also the record of that name, and whether
 * it has the words too.
 */
function prepareReadsOfKind(ctx: Context, kind: FoundKind, text: string, limit: number): ListReads[] {
  const { list, index, request, exact } = kind;
  const words = searchSelection(index, `c${ctx.caller.companyId}z`, text);
  const named = exact?.(text) ?? null;
  const reads = (selection: Selection, most: number) =>
    prepareReads(list, { ...request(ctx), paging: makeFirstPaging(kind, most), selection });
  if (!named) return [reads(words, limit)];
  const only: Selection = { conditions: [named], paths: () => [] };
  return [reads(words, limit), reads(only, 1), reads(intersectSelections(only, words), 1)];
}

function makeFirstPaging({ list: { order, sorts } }: FoundKind, most: number): Paging {
  const sort = { column: sorts[order.replace(/^-/, "")]!, descending: order.startsWith("-") };
  return { page: 1, per_page: most, sort, after: null, offset: 0 };
}

/** Names the field with the most words of the search; of several the first. */
function makeItem({ texts, ...item }: FoundRecord, text: string) {
  const wanted = text.toLowerCase();
  let [matched, most] = [texts[0]![0], 0];
  for (const [name, value] of texts) {
    if (value === null) continue;
    const isExact = value.toLowerCase() === wanted;
    const matches = isExact ? Infinity : countMatches(text, value);
    if (matches > most) [matched, most] = [name, matches];
  }
  return { ...item, matched };
}
