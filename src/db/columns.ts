/**
 * Columns that every table shares. Property names are column names, so that a row read with plain SQL
 * is a `$inferSelect`. What a client reads is stored as it reads it (timestamps as `Y-m-d H:i:s`); what
 * only the machine compares is epoch milliseconds. Booleans are 0 and 1.
 */
import { integer, text } from "drizzle-orm/sqlite-core";

export const timestamps = {
  created_at: text().notNull(),
  updated_at: text().notNull(),
};

/** Rows that are read, decided on and then changed carry a version; the change guards it. */
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

/** Ids that are never used again, even after deletion. */
export const serialId = () => integer().primaryKey({ autoIncrement: true });

export const flag = () => integer().notNull().default(0);
