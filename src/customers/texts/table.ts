import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * Which contacts the index of their texts does not have as they are now, by `keySql`. Triggers put them here and
 * take those away that are deleted.
 */
export const contactsStale = sqliteTable("contacts_trigrams_stale", { key: integer().primaryKey() });

/** The same of accounts. */
export const accountsStale = sqliteTable("accounts_trigrams_stale", { key: integer().primaryKey() });
