/**
 * Leaves out of an automated communication what the users who chose it may not read any more: files, and the
 * template. What earlier versions chose has no known user and stays.
 */
import type { Member } from "../../core/access.ts";
import type { Database } from "../../platform/database/database.ts";
import { seesOwner } from "../../identity/owners.ts";
import { mayRead, readFileRow, selectFilesById } from "../../library/access.ts";
import type { SendFacts } from "./records.ts";

/** Facts of a communication, and why something is left out; null: nothing is. */
export type Answerable = SendFacts & { readonly leftOut: string | null };

/** Returns the facts without what may not be sent. `at`: a wire timestamp. */
export async function keepAnswerable(db: Database, facts: SendFacts, at: string): Promise<Answerable> {
  const { text, files, send: { company_id } } = facts;
  if (text === null) return { ...facts, leftOut: null };
  const chooser = (key: string): Member | undefined =>
    Object.hasOwn(text.choosers, key) ? text.choosers[key] ?? makeNobody(company_id) : undefined;
  const judge = chooser("template");
  const hasFrame = text.frame === null || judge === undefined || seesOwner(judge, text.frameOwner);
  const judged = files.flatMap(({ id }) => {
    const member = chooser(id);
    return member === undefined ? [] : [{ id, member }];
  });
  const found = await db.read(judged.map(({ id, member }) => selectFilesById({ member, at }, [id])));
  const unreadable = new Set(
    judged.filter(({ member }, index) => !found[index]!.rows.some((row) => mayRead(member, readFileRow(row))))
      .map(({ id }) => id),
  );
  const missing = unreadable.size;
  const reasons = [
    ...(hasFrame ? [] : ["the template"]),
    ...(missing === 0 ? [] : [missing === 1 ? "a file" : `${missing} files`]),
  ];
  return {
    ...facts,
    text: hasFrame ? text : { ...text, frame: null, template_id: null },
    files: files.filter(({ id }) => !unreadable.has(id)),
    leftOut: reasons.length === 0
      ? null
      : `Left out, because the user who chose it may not read it any more: ${reasons.join(", ")}.`,
  };
}

/** Stands for a deleted user: reads what everybody in the company reads. */
function makeNobody(companyId: number): Member {
  return {
    companyId,
    userId: 0,
    userType: "user",
    rights: new Set(),
    teamIds: [],
    groupIds: [],
    visibleTeamIds: [],
    activeTeamId: null,
  };
}
