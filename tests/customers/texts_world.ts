/** What the tests of the indexes of texts share. */
import { foldTexts } from "../../src/core/text.ts";
import { composeCaseFold } from "../../src/db/case_fold.ts";
import { planTrigramPath } from "../../src/filters/trigram_index.ts";
import { indexTexts } from "../../src/customers/texts/index_texts.ts";
import { textIndexes } from "../../src/customers/texts/texts.ts";
import type { Database, Statement } from "../../src/platform/database/database.ts";
import { sql } from "../../src/db/statements.ts";
import { selectRows } from "../support/rows.ts";
import { foldCase } from "../support/case_folding.ts";

/** Brings the indexes up to date, in steps of so many rows. */
export function indexAll(db: Database, rows = 1000): Promise<number> {
  return indexTexts({ db }, { rows, until: Infinity });
}

/** Returns how many rows the index of the table has, and how many wait for it. */
export async function countIndexed(db: Database, table: "accounts" | "contacts"): Promise<[number, number]> {
  const [row] = await selectRows(
    db,
    `select (select count(*) from ${table}_trigrams_docsize) as indexed, (select count(*) from ${table}_trigrams_stale) as stale`,
  );
  return [Number(row!.indexed), Number(row!.stale)];
}

const stamps = "'2026-01-01 00:00:00', '2026-01-01 00:00:00'";

/** A company with an account, and contacts with those last names. */
export async function insertCompany(
  db: Database,
  id: number,
  names: readonly string[],
  first = 1,
): Promise<void> {
  await db.write([
    {
      sql: "insert into companies (id, name, timezone, locale, language, currency, created_at, updated_at) " +
        `values (?, 'Firm', 'UTC', 'en-GB', 'en', 'EUR', ${stamps})`,
      args: [id],
    },
    {
      sql:
        "insert into accounts (id, company_id, name, name_key, last_activity_at, created_at, updated_at) " +
        `values (?, ?, 'Firm', 'firm', '2026-01-01 00:00:00', ${stamps})`,
      args: [`a${id}`, id],
    },
    ...insertContacts(id, names, first),
  ]);
}

/** Inserts contacts of the company, numbered from `first` on. */
export function insertContacts(companyId: number, names: readonly string[], first: number): Statement[] {
  const rows = names.map((name, i) => [first + i, name, foldTexts({ last_name: name })]);
  return [{
    sql: "insert into contacts (seq, id, company_id, account_id, last_name, folded, b2c, last_name_key, " +
      "last_activity_at, created_at, updated_at) select value ->> 0, 'c' || (value ->> 0), ?, ?, value ->> 1, " +
      `value ->> 2, 0, 'x', '2026-01-01 00:00:00', ${stamps} from json_each(?)`,
    args: [companyId, `a${companyId}`, JSON.stringify(rows)],
  }];
}

/**
 * Returns the contacts of the company whose last name has the part, as a filter finds them; null if it reads
 * all.
 */
export async function findContacts(db: Database, companyId: number, part: string): Promise<number[] | null> {
  const column = "last_name";
  const value = {
    kind: "column",
    sql: (own: string) => composeCaseFold(own, column),
    parts: { index: textIndexes.contact, column },
  } as const;
  const relation = {
    name: "contact",
    above: null,
    many: false,
    table: "contacts",
    link: () => sql`1`,
    counts: null,
    indexes: [],
  };
  const field = { type: "text", relation, value } as const;
  const parted = planTrigramPath(
    [{ kind: "condition", field, operator: "ct", negated: false, value: foldCase(part) }],
    companyId,
    true,
  );
  if (!parted) return null;
  const rows = await selectRows(db, `${parted.rowIds.sql} order by seq`, ...parted.rowIds.args);
  return rows.map(({ seq }) => Number(seq));
}
