/** Automated communication → wire shape. */
import type { Row } from "../../platform/database/database.ts";
import type { AutomatedMessageRow, AutomatedRow } from "./table.ts";

export type { AutomatedMessageRow, AutomatedRow };

/** An e-mail of a definition. Its attachments are the files that still exist. */
export type Communication = Omit<AutomatedMessageRow, "company_id" | "definition_id" | "position">;

export interface AutomatedRecord extends AutomatedRow {
  readonly communications: readonly Communication[];
}

/** Reads a row with the columns of `automatedColumns`. */
export function readAutomatedRow(row: Row): AutomatedRecord {
  return { ...row, communications: JSON.parse(row.communications as string) } as AutomatedRecord;
}

/** Lists show communications without their attachments. */
export function presentListedCommunication(of: AutomatedRecord) {
  return {
    ...pickHead(of),
    communications: of.communications.map((each) => presentMembers(each)),
    ...pickTimes(of),
  };
}

export function presentAutomated(of: AutomatedRecord) {
  return {
    ...pickHead(of),
    communications: of.communications.map((each) => ({
      ...presentMembers(each),
      attachments: JSON.parse(each.attachments) as string[],
    })),
    ...pickTimes(of),
  };
}

function pickHead({ id, team_id, group_id, name, description, icon }: AutomatedRecord) {
  return { id, team_id, group_id, name, description, icon };
}

function pickTimes({ created_at, updated_at }: AutomatedRecord) {
  return { created_at, updated_at };
}

function presentMembers(
  { id, name, delay_days, offset_from_midnight, template_id, subject, content }: Communication,
) {
  return {
    id,
    name,
    delay: { days: delay_days, offset_from_midnight },
    template_id: template_id ?? 0,
    subject,
    content,
  };
}
