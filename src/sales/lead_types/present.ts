/** Lead type → wire shape. */
import { list, object } from "../../core/json.ts";
import type { Row } from "../../platform/database/database.ts";
import { type PathRecord, presentPath } from "../relations_paths/present.ts";
import type { LeadTypeRow } from "./table.ts";

export interface TeamSetting {
  readonly [key: string]: string | number | null;
  readonly team_id: number;
  readonly relations_path_id: string | null;
  readonly user_id: number | null;
}

/** A lead type with its paths in order. An acceptance takes the first by default. */
export interface LeadTypeRecord extends Omit<LeadTypeRow, "escalation_user_ids" | "team_settings"> {
  readonly escalation_user_ids: readonly number[];
  readonly team_settings: readonly TeamSetting[];
  readonly relations_paths: readonly PathRecord[];
}

/** Reads a row of `leadTypeById`. */
export function leadTypeOfRow(row: Row): LeadTypeRecord {
  return {
    ...row,
    escalation_user_ids: JSON.parse(row.escalation_user_ids as string),
    team_settings: JSON.parse(row.team_settings as string),
    relations_paths: JSON.parse(row.relations_paths as string),
  } as LeadTypeRecord;
}

/** Reads the JSON of `leadTypeJson`. */
export function leadTypeOfJson(text: string): LeadTypeRecord {
  const row = JSON.parse(text) as LeadTypeRow & { relations_paths: PathRecord[] };
  return {
    ...row,
    escalation_user_ids: JSON.parse(row.escalation_user_ids),
    team_settings: JSON.parse(row.team_settings),
  };
}

/** The columns of the record's row. */
export function columnsOf({ relations_paths: _, ...type }: LeadTypeRecord): LeadTypeRow {
  return {
    ...type,
    escalation_user_ids: JSON.stringify(type.escalation_user_ids),
    team_settings: JSON.stringify(type.team_settings),
  };
}

export function presentLeadType(type: LeadTypeRecord) {
  return object({
    id: type.id,
    name: type.name,
    icon: type.icon,
    entity_type: type.entity_type,
    team_id: type.team_id,
    relations_paths: list(type.relations_paths.map(presentPath)),
    escalation_accept: type.escalation_accept,
    escalation_activity: type.escalation_activity,
    escalation_ignore_weekends: type.escalation_ignore_weekends === 1,
    escalation_user_ids: type.escalation_user_ids,
    disabled: type.disabled === 1,
    highlighted: type.highlighted === 1,
    team_settings: type.team_settings,
    created_at: type.created_at,
    updated_at: type.updated_at,
  });
}
