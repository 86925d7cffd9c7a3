/** Fields that a company has made for its records, and who sees them. */
import type { Caller } from "./access.ts";
import type { FieldOption, FieldType, OwnerType, Validation } from "./fixed_fields.ts";

/** A choice in one field that limits another, which is the field that has the link. */
export interface FieldLink {
  readonly field_id: string;
  readonly option_id: string;
  readonly options_shown: readonly string[];
  readonly default_option: string | null;
}

/** A field that a company has made for its records. */
export interface CustomField {
  /** Counts the fields of all companies; short, for the many rows that name it. */
  readonly seq: number;
  readonly id: string;
  readonly owner_type: OwnerType;
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly validation: Validation | null;
  readonly is_hidden: boolean;
  readonly is_read_only: boolean;
  /** Whose it is; neither: the company's. */
  readonly team_id: number | null;
  readonly group_id: number | null;
  readonly options: readonly FieldOption[];
  readonly links: readonly FieldLink[];
  readonly version: number;
}

/** An order of fields, of a team, of a group, or of the company. A `property` is a fixed field by its name. */
export interface FieldOrder {
  readonly owner_type: OwnerType;
  readonly team_id: number | null;
  readonly group_id: number | null;
  readonly items: readonly { readonly type: "field" | "property"; readonly value: string }[];
}

/** What a company has defined. */
export interface FieldDefinitions {
  /** In the order in which they were made. */
  readonly fields: readonly CustomField[];
  readonly orders: readonly FieldOrder[];
}

/** The custom values of a record by field id: an option's id for a choice, a list of them for several. */
export type CustomValues = Readonly<Record<string, CustomValue>>;
export type CustomValue = string | number | boolean | readonly string[];

/** Who looks at fields. */
export type Viewer = Pick<Caller, "userType" | "teamIds" | "groupIds" | "activeTeamId">;

/** Whether the viewer sees a field: the company's, and those of own teams and groups; an admin all. */
export function seesField(viewer: Viewer, field: Pick<CustomField, "team_id" | "group_id">): boolean {
  if (viewer.userType === "admin") return true;
  if (field.team_id !== null) return viewer.teamIds.includes(field.team_id);
  return field.group_id === null || viewer.groupIds.includes(field.group_id);
}

export function isChoice(type: FieldType): boolean {
  return type === "single_choice" || type === "multiple_choice";
}

/** Whether a link of a field of the type may show so many options: of a single choice at most one. */
export function mayShow(type: FieldType, options: number): boolean {
  return type === "multiple_choice" || (type === "single_choice" && options <= 1);
}
