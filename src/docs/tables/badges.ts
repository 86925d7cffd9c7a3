/** The badges of users. */
import {
  type BadgeName,
  badgeNames,
  badgeSizes,
  findBadgeId,
  isSpecial,
} from "../../insight/gamification/badges.ts";
import { renderMarkdownTable } from "../content.ts";

const takes: Readonly<Record<BadgeName, string>> = {
  nice_and_tidy: "contacts that have an address, an e-mail address and a phone number when they are created",
  clean_sheet: "tasks completed in time in a row; a late one ends the row, one never completed does not",
  the_communicator: "activities by e-mail, letter, phone or chat",
  the_fast_and_furious: "leads accepted within 5 minutes of their assignment",
  the_consistent: "days from Monday to Friday in a row with an activity; filling one in later counts",
  the_explorer:
    "one each of a created contact, an activity, a note, a completed task, a saved filter and a sent notification",
  the_seller: "own cases closed",
  the_helper: "notes that mention somebody else",
  the_notifier: "notifications sent",
  the_early_bird: "days with an activity before 08:00",
  the_fisherman: "leads accepted",
  the_hard_worker: "activities on one day",
  the_workaholic: "activities",
  the_off_duty_performer: "activities on Saturdays and Sundays",
  lead_commander:
    "leads accepted in a row before they escalate; the escalation of an own lead, and accepting an escalated one, " +
    "end the row",
};

export function renderBadgeTable(): string {
  return renderMarkdownTable(
    ["Id", "Badge", "Of", "Counts"],
    badgeNames.map((name) => [
      String(findBadgeId(name)),
      `\`${name}\`${isSpecial(name) ? " (special)" : ""}`,
      String(badgeSizes[name]),
      takes[name],
    ]),
  );
}
