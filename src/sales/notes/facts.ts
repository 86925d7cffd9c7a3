/** Facts of notes, and of those that name somebody. */
import { mentionsOther } from "../../core/fact_kinds.ts";
import { type FactSql, factTrigger, secondsOf } from "../../db/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";
import { caseDims } from "../cases/facts.ts";

/** Values of `notes.mentions`: it names users or teams; among them somebody other than its author. */
export const mentions = { some: 1, other: 2 } as const;

const base: Omit<FactSql, "kind"> = {
  company: "new.company_id",
  at: secondsOf("new.created_at"),
  user: "new.user_id",
  team: "new.team_id",
};

/** A note on a case has the properties of the case; another has none. */
const onCase: Omit<FactSql, "kind"> = {
  ...base,
  dims: caseDims("c"),
  from: "cases c",
  where: "c.id = new.case_id",
};
const elsewhere: Omit<FactSql, "kind"> = { ...base, where: "new.case_id is null" };

const mention = {
  kind: "mention",
  flags: `iif(new.mentions & ${mentions.other}, ${mentionsOther}, 0)`,
} as const;

export const noteFacts: readonly SchemaObject[] = [
  factTrigger(
    "facts_note_created",
    "after insert on notes",
    { ...onCase, kind: "note" },
    { ...elsewhere, kind: "note" },
  ),
  factTrigger(
    "facts_note_mentions",
    "after insert on notes when new.mentions > 0",
    { ...onCase, ...mention },
    { ...elsewhere, ...mention },
  ),
  factTrigger(
    "facts_note_mentions_later",
    "after update of mentions on notes when old.mentions = 0 and new.mentions > 0",
    { ...onCase, ...mention },
    { ...elsewhere, ...mention },
  ),
  // A note counts once as one that mentions; that it mentions somebody else counts for badges alone.
  factTrigger(
    "facts_note_mentions_other",
    `after update of mentions on notes when old.mentions = ${mentions.some} and new.mentions & ${mentions.other}`,
    { ...onCase, ...mention, weight: "0" },
    { ...elsewhere, ...mention, weight: "0" },
  ),
];
