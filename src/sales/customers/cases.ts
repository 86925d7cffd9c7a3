/** Cases of deleted customers. */
import type { FieldAuthor } from "../../db/commit.ts";
import { guardVersions } from "../../db/guards.ts";
import { raw } from "../../db/statements.ts";
import { activityGone } from "../../customers/contacts/last_activity.ts";
import { leaves } from "../../customers/removal/leaving.ts";
import type { Leaving, Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { caseRows } from "../cases/gone.ts";
import { casesAmong, fullCases } from "../cases/queries.ts";
import { caseEvent, guardShown } from "../cases/write.ts";
import { taskDeleted } from "../tasks/write.ts";
import { casesLeaving } from "./leaving.ts";

/** In a step: few enough that it holds the write lock for well under 100 ms. */
const most = 30;

/** Reads what `takeCases` takes. */
export function caseReads(leaving: Leaving): Statement[] {
  const { text, args } = casesLeaving(leaving);
  return casesAmong(raw(`select id from (${text}) order by id limit ${most}`, ...args));
}

export function takeCases(author: FieldAuthor, leaving: Leaving, results: readonly Result[]): Taken {
  const cases = fullCases(results);
  const accounts = cases.map((of) => of.account_id).filter((id) => id !== leaving.account_id);
  const contacts = cases.filter(({ contact }) => !leaves(contact, leaving)).map((of) => of.contact_id);
  return {
    statements: [
      ...cases.map(guardShown),
      guardVersions("cases", cases),
      ...caseRows(cases.map(({ id }) => id)),
      ...activityGone(
        { accounts, contacts },
        (column, id) => `(select max(cs.latest_activity_at) from cases cs where cs.${column} = ${id})`,
      ),
    ],
    events: cases.flatMap((of) => [
      ...of.tasks.map((task) => taskDeleted(task, of.team_id, author.at)),
      caseEvent("case_deleted", of, author),
    ]),
    more: cases.length === most,
  };
}
