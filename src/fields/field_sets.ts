/** The fields of a company's records as a caller sees them: fixed fields and custom fields. */
import {
  type CustomField,
  type CustomValues,
  type FieldDefinitions,
  type FieldOrder,
  isChoice,
  seesField,
  type ShownField,
  type Viewer,
} from "./custom_fields.ts";
import { BoundedMap } from "../core/bounded_map.ts";
import { type FixedField, fixedFields, type OwnerType, ownerTypes } from "./fixed_fields.ts";
import { Json } from "../core/json.ts";
import { type FieldFrame, presentField, presentFrame } from "./frames.ts";

export type Fields = { readonly [owner in OwnerType]: FieldSet };

/** All fields of a company, as in events, and those that one caller sees. */
export interface CompanyFields {
  /** The country whose phone numbers are typed without its code; null: unknown. */
  readonly country: string | null;
  readonly all: Fields;
  readonly seen: Fields;
  /** Whether teams or groups own some fields, so that callers see different ones. */
  readonly scoped: boolean;
  /** Approximate bytes of `seen` in memory, when it is this caller's alone. */
  readonly bytes: number;
}

/** The fields of one kind of record, in order. */
export class FieldSet {
  /** The custom fields that the viewer sees. */
  readonly custom: readonly CustomField[];
  readonly fixed: readonly FixedField[];
  /** Positions of all fields, fixed and custom, by id; from 1. */
  readonly places: ReadonlyMap<string | number, number>;
  /** Whether options have the member `checked`. */
  readonly #checks: boolean;
  /** Whether values come without the options of their fields. */
  readonly #isBrief: boolean;
  #brief: FieldSet | null = null;
  #fixedFrames: FieldFrame[] | null = null;
  #customFrames: FieldFrame[] | null = null;

  /**
   * Keeps the custom fields that `sees` accepts; positions count all fields. Options of a product have
   * `checked`. With `whole`, keeps the fields of that set and leaves out their options.
   */
  constructor(
    fixed: readonly FixedField[],
    custom: readonly CustomField[],
    order: FieldOrder | null,
    sees: (field: CustomField) => boolean = () => true,
    checks = false,
    whole: FieldSet | null = null,
  ) {
    this.#checks = checks;
    this.#isBrief = whole !== null;
    if (whole) {
      [this.fixed, this.custom, this.places] = [whole.fixed, whole.custom, whole.places];
      return;
    }
    const places = new Map<string | number, number>();
    for (const { type, value } of order?.items ?? []) {
      const id = type === "field" ? value : fixed.find(({ name }) => name === value)?.id;
      const known = type === "property" || custom.some((field) => field.id === id);
      if (id !== undefined && known && !places.has(id)) places.set(id, places.size + 1);
    }
    for (const { id } of [...fixed, ...custom]) if (!places.has(id)) places.set(id, places.size + 1);
    const comparePlaces = (one: { id: string | number }, other: { id: string | number }) =>
      places.get(one.id)! - places.get(other.id)!;
    this.fixed = fixed.toSorted(comparePlaces);
    this.custom = custom.filter(sees).toSorted(comparePlaces);
    this.places = places;
  }

  /** The same fields, whose values come without the member `options`. */
  get brief(): FieldSet {
    return this.#brief ??= new FieldSet([], [], null, undefined, this.#checks, this);
  }

  /** Presents `fixed_fields` of a record from its values by name. */
  presentFixed<V extends { readonly [K in keyof V]: string | number | null }>(
    record: V,
  ): readonly ShownField[] {
    const values = record as Readonly<Record<string, string | number | null>>;
    this.#fixedFrames ??= this.fixed.map((field) =>
      presentFrame({
        ...field,
        hidden: false,
        read_only: false,
        options: field.options?.() ?? null,
        constant: field.options !== null,
      }, { sortOrder: this.places.get(field.id)!, checks: this.#checks, brief: this.#isBrief })
    );
    return this.#fixedFrames.map((frame) => presentField(frame, values[frame.key] ?? null));
  }

  /** Presents `custom_fields` of a record from the JSON of its `CustomValues`. */
  presentCustom(values: string): readonly ShownField[] {
    if (this.custom.length === 0) return none;
    this.#customFrames ??= this.custom.map((field) => {
      const { is_hidden: hidden, is_read_only: read_only } = field;
      const options = isChoice(field.type) ? field.options : null;
      return presentFrame({ ...field, hidden, read_only, options, required: false, key: field.id }, {
        sortOrder: this.places.get(field.id)!,
        checks: this.#checks,
        brief: this.#isBrief,
      });
    });
    const stored = values === "{}" ? {} : JSON.parse(values) as CustomValues;
    return this.#customFrames.map((frame) => presentField(frame, stored[frame.key] ?? null));
  }
}

/** Returns the same fields, whose values come without the member `options`. */
export function pickBriefFields(fields: Fields): Fields {
  return Object.fromEntries(ownerTypes.map((owner) => [owner, fields[owner].brief])) as Record<
    OwnerType,
    FieldSet
  >;
}

/** The fields of a company without custom fields. */
export const plainFields: Fields = makeSets({ fields: [], orders: [] }, () => true, () => null);
export const noCompanyFields: CompanyFields = {
  country: null,
  all: plainFields,
  seen: plainFields,
  scoped: false,
  bytes: 0,
};

type Owned = Pick<CustomField, "team_id" | "group_id">;

/**
 * Parsed definitions by their JSON text. With the definitions and the JSON templates, an entry takes `copies`
 * times the bytes of the text.
 */
const parsed = new BoundedMap<{ definitions: FieldDefinitions; all: Fields }>(64 * 1024 * 1024);
const copies = 8;

/**
 * Returns the fields that the viewer sees. `text`: the JSON of the company's `FieldDefinitions`; null: without
 * custom fields.
 */
export function readCompanyFields(text: string | null, viewer: Viewer | null): CompanyFields {
  if (text === null) return noCompanyFields;
  let known = parsed.get(text);
  if (!known) {
    const definitions = JSON.parse(text) as FieldDefinitions;
    known = { definitions, all: makeSets(definitions, () => true, chooseCompanyOrder) };
    parsed.set(text, known, text.length * copies);
  }
  const { definitions, all } = known;
  const { country = null } = definitions;
  const hasOwner = (each: Owned) => each.team_id !== null || each.group_id !== null;
  const scoped = definitions.fields.some(hasOwner);
  const shared = viewer === null || !(scoped || definitions.orders.some(hasOwner));
  if (shared) return { country, all, seen: all, scoped, bytes: 0 };
  return {
    country,
    all,
    scoped,
    bytes: text.length * copies,
    seen: makeSets(definitions, (field) => seesField(viewer, field), (orders) => orderFor(viewer, orders)),
  };
}

/**
 * Returns a record as the caller sees it. The body of its event has all fields, and is returned unchanged if
 * the caller sees the same fields.
 */
export function asSeen<T>(
  { all, seen }: CompanyFields,
  event: unknown,
  present: (fields: Fields) => T,
): T | Json<T> {
  return seen === all ? event as T | Json<T> : present(seen);
}

/** Returns the values of a record's company-wide text fields, by which searches find the record. */
export function listSearchableValues(fields: FieldSet, values: string): string[] {
  return listSearchableTexts(fields, values).map(([, value]) => value);
}

/** Returns the same values, each with the name of its field as filters write it. */
export function listSearchableTexts(fields: FieldSet, values: string): [string, string][] {
  if (fields.custom.length === 0 || values === "{}") return [];
  const stored = JSON.parse(values) as CustomValues;
  return fields.custom
    .filter(({ type, team_id, group_id }) => type === "text" && team_id === null && group_id === null)
    .flatMap(({ id, name }) => {
      const value = stored[id];
      return typeof value === "string" ? [[`custom.${name}`, value] as [string, string]] : [];
    });
}

function makeSets(
  { fields, orders }: FieldDefinitions,
  sees: (field: CustomField) => boolean,
  chooseOrder: (orders: readonly FieldOrder[]) => FieldOrder | null,
): Fields {
  return Object.fromEntries(ownerTypes.map((owner) => {
    const custom = fields.filter((field) => field.owner_type === owner);
    const order = chooseOrder(orders.filter(({ owner_type }) => owner_type === owner));
    return [owner, new FieldSet(fixedFields[owner], custom, order, sees, owner === "product")];
  })) as Record<OwnerType, FieldSet>;
}

function chooseCompanyOrder(orders: readonly FieldOrder[]): FieldOrder | null {
  return orders.find(({ team_id, group_id }) => team_id === null && group_id === null) ?? null;
}

/** The order of the active team comes first, then that of an own group, then the company's. */
function orderFor(viewer: Viewer, orders: readonly FieldOrder[]): FieldOrder | null {
  return orders.find(({ team_id }) => team_id !== null && team_id === viewer.activeTeamId) ??
    orders.find(({ group_id }) => group_id !== null && viewer.groupIds.includes(group_id)) ??
    chooseCompanyOrder(orders);
}

const none: readonly ShownField[] = [];
