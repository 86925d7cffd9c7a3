/** A custom field of contacts: a single choice with common and rare options. */
import { formatTimestamp } from "../../core/time.ts";
import { insert, selectLastId, sql } from "../../db/statements.ts";
import { fields } from "../../customers/fields/table.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Organisation } from "./organisation.ts";
import type { Random } from "./random.ts";

export interface ChoiceField {
  readonly id: string;
  /** The row id of the field. */
  readonly seq: number;
  /** Chooses an option by its share; undefined when the contact chose none. */
  readonly choose: () => string | undefined;
}

/** Percentage of contacts with each option. */
const models = { Estate: 25, Saloon: 18, Hatchback: 12, Van: 6, Cabriolet: 2, Pickup: 1 };

export async function makeChoiceField(
  db: Database,
  random: Random,
  { companyId, adminId }: Organisation,
  begin: number,
): Promise<ChoiceField> {
  const at = formatTimestamp(begin);
  const id = random.uuid(begin);
  const shares = Object.entries(models).map(([value, percent]) => ({
    id: random.uuid(begin),
    value,
    percent,
  }));
  await db.write([insert(fields, {
    id,
    company_id: companyId,
    owner_type: "contact",
    name: "preferred_model",
    label: "Preferred model",
    type: "single_choice",
    options: JSON.stringify(shares.map(({ id, value }, index) => ({ id, value, sort: index + 1 }))),
    created_by: adminId,
    created_at: at,
    updated_at: at,
  })]);
  const [made] = await db.read([sql`select ${selectLastId(fields)} as seq`]);
  return {
    id,
    seq: Number(made!.rows[0]!.seq),
    choose() {
      let drawn = random.below(100);
      return shares.find(({ percent }) => (drawn -= percent) < 0)?.id;
    },
  };
}
