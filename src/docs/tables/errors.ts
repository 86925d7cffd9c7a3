/** The codes of problems. */
import { meanings } from "../../http/problem_meanings.ts";
import { renderMarkdownTable } from "../content.ts";

export function renderProblemTable(): string {
  return renderMarkdownTable(
    ["Status", "Code", "Meaning"],
    Object.entries(meanings).map(([code, meaning]) => {
      const [, status, words] = /^(\d+)\. (.*)$/s.exec(meaning) ?? [];
      return [status ?? "", `\`${code}\``, words ?? meaning];
    }),
  );
}
