/** Facts of notes, and of notes that name somebody. */
import { mentionsOther } from "../../core/fact_kinds.ts";
import { type FactSql, makeFactTrigger, toEpochSeconds } from "../../facts/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";
import { describeCaseDims } from "../cases/facts.ts";

/**
 * Bits of `notes.mentions`. `some`: the note names users or teams; `other`: somebody other than its author is
 * among them.
 */
export const mentions = { some: 1, other: 2 } as const;

const base: Omit<FactSql, "kind"> = {
  company: "new.company_id",
  at: toEpochSeconds("new.created_at"),
  user: "new.user_id",
  team: "new.team_id",
};

/** A note on a case has the properties of the case; any other note has none. */
const onCase: Omit<FactSql, "kind"> = {
  ...base,
  dims: describeCaseDims("c"),
  from: "cases c",
  where: "c.id = new.case_id",
};
const elsewhere: Omit<FactSql, "kind"> = { ...base, where: "new.case_id is null" };

const mention = {
  kind: "mention",
  flags: `iif(new.mentions & ${mentions.other}, ${mentionsOther}, 0)`,
} as const;

export const noteFacts: readonly SchemaObject[] = [
  makeFactTrigger(
    "facts_note_created",
    "after insert on notes",
    { ...onCase, kind: "note" },
    { ...elsewhere, kind: "note" },
  ),
  makeFactTrigger(
    "facts_note_mentions",
    "after insert on notes when new.mentions > 0",
    { ...onCase, ...mention },
    { ...elsewhere, ...mention },
  ),
  makeFactTrigger(
    "facts_note_mentions_later",
    "after update of mentions on notes when old.mentions = 0 and new.mentions > 0",
    { ...onCase, ...mention },
    { ...elsewhere, ...mention },
  ),
  // A note counts as a mention only once, so this fact has weight 0. It lets badges count a mention of
  // somebody other than the author.
  makeFactTrigger(
    "facts_note_mentions_other",
    `after update of mentions on notes when old.mentions = ${mentions.some} and new.mentions & ${mentions.other}`,
    { ...onCase, ...mention, weight: "0" },
    { ...elsewhere, ...mention, weight: "0" },
  ),
];
