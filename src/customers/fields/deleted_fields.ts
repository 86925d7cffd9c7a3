/** Removes values of deleted fields and options from records, as staged work: there can be a million. */
import type { CustomValues } from "../../fields/custom_fields.ts";
import type { OwnerType } from "../../fields/fixed_fields.ts";
import type { Context } from "../../db/context.ts";
import type { CompanyFields } from "../../fields/field_sets.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import type { PlannedStep, StagedKind, Take } from "../../staged/kind.ts";
import { beginWork } from "../../staged/work.ts";

/** A kind of record with custom values; each feature contributes its own. */
export interface FieldValueOwner {
  readonly owner: OwnerType;
  readonly table: string;
  /** The column of the row id. */
  readonly key: string;
  /** Absent: no full-text index has the values. Returns the reads that `words` needs, for the records of these row ids (a select). */
  readonly reads?: (keys: Sql) => readonly Statement[];
  /** Updates the full-text index; `dropValue` returns the values that a record keeps. */
  readonly words?: (
    fields: CompanyFields,
    results: readonly Result[],
    dropValue: (values: CustomValues) => CustomValues,
  ) => Statement[];
}

/** A field, or one option of it. */
interface Deleted {
  readonly seq: number;
  readonly id: string;
  readonly owner_type: string;
  readonly option: string | null;
}

const kind = "field_values";
/** Records in a step: few enough that it holds the write lock for well under 100 ms. */
const most = 200;

export function describeFieldValueDeletion(owners: readonly FieldValueOwner[]): StagedKind {
  return {
    kind,
    step({ payload }, take) {
      const deleted: Deleted = JSON.parse(payload);
      const owner = owners.find(({ owner }) => owner === deleted.owner_type);
      if (!owner) throw new Error(`no records have values of fields of ${deleted.owner_type}`);
      return removeValues(deleted, owner, take);
    },
  };
}

/** Begins the deletion, in the commit that deletes the field or the option. */
export function beginValueDeletion(
  ctx: Context,
  { seq, id, owner_type }: Omit<Deleted, "option">,
  option: string | null,
): Statement {
  const subject = option === null ? id : `${id}/${option}`;
  const payload: Deleted = { seq, id, owner_type, option };
  return beginWork(ctx, { kind }, { company_id: ctx.caller.companyId, subject, payload });
}

function removeValues(
  { seq, id, option }: Deleted,
  { table: name, key: column, reads, words }: FieldValueOwner,
  take: Take,
): PlannedStep {
  const [table, key] = [identifier(name), identifier(column)];
  // With the table's name: `id` alone would be the column of `json_each` in the update below.
  const own = identifier(name, column);
  const those = option === null ? sql`field = ${seq}` : sql`field = ${seq} and text = ${option}`;
  const taken = take(sql`select distinct owner as id from custom_values where ${those}`, most);
  const dropValue = (values: CustomValues) => dropField(values, id, option);
  const isSearched = option === null;
  return {
    reads: [
      taken.ids,
      sql`select ${key} as owner, version, custom from ${table} where ${key} in (${taken.ids})`,
      ...(isSearched ? reads?.(taken.ids) ?? [] : []),
    ],
    apply({ fields }, [owners, records, ...rest]) {
      const list = sql`select value from json_each(${JSON.stringify(owners!.rows.map((row) => row.id!))})`;
      const after = JSON.stringify(records!.rows.map(({ owner, version, custom }) => [
        owner,
        version,
        JSON.stringify(dropValue(JSON.parse(custom as string))),
      ]));
      return {
        statements: [
          guardThat(
            "record",
            sql`not exists (select 1 from json_each(${after}) v left join ${table} t on t.${key} = v.value ->> 0
              where t.version is not v.value ->> 1)`,
          ),
          sql`update ${table} set version = version + 1, custom = (select v.value ->> 2 from json_each(${after}) v
            where v.value ->> 0 = ${own}) where ${key} in (select value ->> 0 from json_each(${after}))`,
          ...(isSearched ? words?.(fields, rest, dropValue) ?? [] : []),
          sql`delete from custom_values where ${those} and owner in (${list})`,
        ],
        events: [],
        more: owners!.rows.length >= taken.most,
        last: option === null
          ? [sql`update fields set label = '', options = '[]', links = '[]' where seq = ${seq}`]
          : [],
      };
    },
  };
}

/** Returns the values without those of the field, or without the one option of the field. */
function dropField(values: CustomValues, id: string, option: string | null): CustomValues {
  const { [id]: value, ...rest } = values;
  if (option === null || value === undefined) return rest;
  const kept = Array.isArray(value) ? value.filter((chosen) => chosen !== option) : [];
  return kept.length > 0 ? { ...rest, [id]: kept } : rest;
}
