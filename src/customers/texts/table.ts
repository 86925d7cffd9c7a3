import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Contacts whose text index is stale, by `keySql`. Triggers add them, and remove deleted ones. */
export const contactsStale = sqliteTable("contacts_trigrams_stale", { key: integer().primaryKey() });

/** The same of accounts. */
export const accountsStale = sqliteTable("accounts_trigrams_stale", { key: integer().primaryKey() });
