/** The catalogue of rights. */
import { findRightEntry, groupRights } from "../../core/rights.ts";
import { renderMarkdownTable } from "../content.ts";

export function renderRightTable(): string {
  return renderMarkdownTable(
    ["Group", "Right", "Default", "Needs", "Works for"],
    [...groupRights()].flatMap(([group, names]) =>
      names.map((name) => {
        const entry = findRightEntry(name);
        return [
          group,
          `\`${name}\``,
          entry.default ? "yes" : "no",
          entry.dependencies.map((right) => `\`${right}\``).join(" "),
          entry.user_types ? entry.user_types.join(", ") : "every user type",
        ];
      })
    ),
  );
}
