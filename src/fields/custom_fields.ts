/** Custom fields of a company, and their visibility. */
import type { Caller } from "../core/access.ts";
import type { FieldOption, FieldType, OwnerType, Validation } from "./fixed_fields.ts";

/**
 * A choice in the field `field_id` that limits the options of another field. That other field holds the link.
 */
export interface FieldLink {
  readonly field_id: string;
  readonly option_id: string;
  readonly options_shown: readonly string[];
  readonly default_option: string | null;
}

/** A field in `fixed_fields` or `custom_fields` of a record. */
export interface ShownField {
  readonly id: string | number;
  readonly type: FieldType;
  readonly name: string;
  readonly label: string;
  readonly value: string | number | boolean | ShownOption | readonly ShownOption[] | null;
  readonly validation: Validation | null;
  readonly required: boolean;
  readonly hidden: boolean;
  readonly read_only: boolean;
  readonly sort_order: number;
  readonly options: readonly ShownOption[];
}

export interface ShownOption {
  readonly id: string;
  readonly value: string;
}

/** A custom field. */
export interface CustomField {
  /** Unique over all companies; short, because many rows refer to it. */
  readonly seq: number;
  readonly id: string;
  readonly owner_type: OwnerType;
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly validation: Validation | null;
  readonly is_hidden: boolean;
  readonly is_read_only: boolean;
  /** The team or group that owns the field. If both are null, the company owns it. */
  readonly team_id: number | null;
  readonly group_id: number | null;
  readonly options: readonly FieldOption[];
  readonly links: readonly FieldLink[];
  readonly version: number;
}

/** The order of fields of a team, a group or the company. A `property` names a fixed field. */
export interface FieldOrder {
  readonly owner_type: OwnerType;
  readonly team_id: number | null;
  readonly group_id: number | null;
  readonly items: readonly { readonly type: "field" | "property"; readonly value: string }[];
}

/** All custom fields and orders of a company. */
export interface FieldDefinitions {
  /** In order of creation. */
  readonly fields: readonly CustomField[];
  readonly orders: readonly FieldOrder[];
  /** The country of the company, or else of its locale. */
  readonly country?: string;
}

/**
 * The custom values of a record by field id: the option's id for a single choice, a list of ids for multiple
 * choices.
 */
export type CustomValues = Readonly<Record<string, CustomValue>>;
export type CustomValue = string | number | boolean | readonly string[];

/** The facts about a caller that decide on visible fields. */
export type Viewer = Pick<Caller, "userType" | "teamIds" | "groupIds" | "activeTeamId">;

/**
 * Returns whether the viewer sees a field: of the company, of own teams or of own groups. An admin sees all.
 */
export function seesField(viewer: Viewer, field: Pick<CustomField, "team_id" | "group_id">): boolean {
  if (viewer.userType === "admin") return true;
  if (field.team_id !== null) return viewer.teamIds.includes(field.team_id);
  return field.group_id === null || viewer.groupIds.includes(field.group_id);
}

/** Whether values of the type are options of the field. */
export function isChoice(type: FieldType): boolean {
  return type === "single_choice" || type === "multiple_choice";
}

/**
 * Returns whether a link to a field of the type may allow this many options: a single choice allows at most
 * one.
 */
export function mayShow(type: FieldType, options: number): boolean {
  return type === "multiple_choice" || (type === "single_choice" && options <= 1);
}
