/** Kinds of members that many records have; a record spells out what differs from them. */
import { integer, type SQLiteColumnBuilderBase, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { serialId } from "../db/columns.ts";
import { filledLine, lineText, optional } from "../http/zod.ts";

/** How the document describes a member. */
interface Meta {
  readonly description?: string;
  readonly example?: unknown;
}

/** A column that neither answers nor bodies have. */
export function internal<C extends SQLiteColumnBuilderBase>(column: C): { readonly column: C } {
  return { column };
}

/** A column that answers show, and no body sets. */
export function readOnly<C extends SQLiteColumnBuilderBase, S extends z.ZodType>(
  column: C,
  shown: S,
): { readonly column: C; readonly shown: S } {
  return { column, shown };
}

/** A member of answers that ordinary code computes. */
export function computed<S extends z.ZodType>(shown: S): { readonly shown: S } {
  return { shown };
}

/** A member of bodies that ordinary code reads. */
export function writeOnly<S extends z.ZodType>(given: S): { readonly create: S; readonly change: S } {
  return { create: given, change: given };
}

/** An integer id, which is never used again. */
export function numberedId(example: number) {
  return readOnly(serialId(), z.int().meta({ example }));
}

/** One line of text with at least one visible character; every record has it. */
export function requiredLine(max: number, meta: Meta = {}) {
  const create = filledLine(max).meta({ ...meta });
  return {
    column: text().notNull(),
    shown: z.string().meta({ ...meta }),
    create,
    change: create.optional(),
  };
}

/** One line of text; null clears it. */
export function optionalLine(max: number, meta: Meta = {}) {
  const given = optional(lineText(max)).meta({ ...meta });
  return { column: text(), shown: z.string().nullable().meta({ ...meta }), create: given, change: given };
}

/** A boolean that is false unless a body sets it; null resets it. */
export function optionalFlag(meta: Meta = {}) {
  const given = optional(z.boolean()).meta({ ...meta });
  return {
    column: integer().notNull().default(0),
    shown: z.boolean().meta({ ...meta }),
    create: given,
    change: given,
    otherwise: 0,
    stored: "flag",
  } as const;
}

/** The times of creation and of the last change. */
export function stamps(meta: Meta = { example: "2026-01-31 10:00:00" }) {
  const stamp = () => readOnly(text().notNull(), z.string().meta({ ...meta }));
  return { created_at: stamp(), updated_at: stamp() };
}

/** The version that a change guards; see `db/columns.ts`. */
export const versioned = {
  version: { column: integer().notNull().default(1), otherwise: 1 },
} as const;
