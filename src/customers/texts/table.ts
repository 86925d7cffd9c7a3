import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Keys (`composeKey`) of contacts with a stale trigram index. Triggers add them, and remove deleted contacts. */
export const contactsStale = sqliteTable("contacts_trigrams_stale", { key: integer().primaryKey() });

/** The same of accounts. */
export const accountsStale = sqliteTable("accounts_trigrams_stale", { key: integer().primaryKey() });
