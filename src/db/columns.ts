/**
 * Columns that all tables share. Properties are named like their columns, so that a row of plain SQL is a
 * `$inferSelect`. Values that clients read are stored as sent (timestamps as `Y-m-d H:i:s`); internal moments
 * are epoch milliseconds. Booleans are 0 and 1.
 */
import { integer, text } from "drizzle-orm/sqlite-core";

export const timestamps = {
  created_at: text().notNull(),
  updated_at: text().notNull(),
};

/** For rows that are read, decided on and then changed: a change guards the version that was read. */
export const version = { version: integer().notNull().default(1) };

/** Address lines of companies and teams. */
export const address = {
  address_1: text(),
  address_2: text(),
  zip_code: text(),
  city: text(),
  state: text(),
  country: text(),
};

/** Ids that are never reused, even after deletion. */
export const serialId = () => integer().primaryKey({ autoIncrement: true });

/** A column with a boolean as 0 or 1; 0 by default. */
export const flag = () => integer().notNull().default(0);
