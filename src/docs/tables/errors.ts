/** The codes of problems. */
import { meanings } from "../../http/problem_meanings.ts";
import { markdownTable } from "../content.ts";

export function problemTable(): string {
  return markdownTable(
    ["Status", "Code", "Meaning"],
    Object.entries(meanings).map(([code, meaning]) => {
      const [, status, words] = /^(\d+)\. (.*)$/s.exec(meaning) ?? [];
      return [status ?? "", `\`${code}\``, words ?? meaning];
    }),
  );
}
