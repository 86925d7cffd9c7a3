/** The records that exports read: how each kind is listed, seen, filtered and shown. */
import type { Caller } from "../../core/access.ts";
import type { CompanyFields, Fields } from "../../fields/field_sets.ts";
import { isInScope, makeCompanyScope, makeLeadScope, makeTeamScope } from "../../db/scope.ts";
import { identifier, joinSql, type Sql, sql } from "../../db/statements.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import { presentAccount, readShownAccount } from "../../customers/accounts/present.ts";
import { accountList } from "../../customers/accounts/queries.ts";
import { presentContact, readShownContact } from "../../customers/contacts/present.ts";
import { contactList } from "../../customers/contacts/queries.ts";
import { buildCatalogue, type Contribution } from "../../customers/filter_catalogue.ts";
import { accountFields, fixedFields } from "../../fields/fixed_fields.ts";
import type { ShownField } from "../../fields/custom_fields.ts";
import { compileFilter } from "../../filters/compile.ts";
import { parseFilter } from "../../filters/parse.ts";
import { selectTeamJson } from "../../identity/teams/queries.ts";
import type { List } from "../../lists/list.ts";
import type { Row } from "../../platform/database/database.ts";
import { leadList } from "../../sales/leads/list.ts";
import { isLiveLead, makeLeadCatalogue } from "../../sales/leads/filter_fields.ts";
import { presentLead } from "../../sales/leads/present.ts";
import { readLeadRow } from "../../sales/leads/parts.ts";
import { productList, readProductRow } from "../../sales/products/queries.ts";
import { presentProduct } from "../../sales/products/record.ts";
import type { ImportEntity } from "../columns/entities.ts";

/** Who reads, and when. */
export interface Viewing {
  readonly caller: Caller;
  readonly fields: CompanyFields;
  /** The moment in epoch milliseconds, and as a timestamp. */
  readonly now: number;
  readonly at: string;
}

/** The values of a record by which its cells are made. */
export interface Shown {
  readonly fixed: Readonly<Record<"self" | "account" | "contact", readonly ShownField[]>>;
  readonly custom: Readonly<Record<"self" | "account" | "contact", readonly ShownField[]>>;
  /** What has a name of its own, such as `b2c`; also `id`, `status`, `updated_at`, `user` and `team`. */
  readonly properties: Readonly<Record<string, string | number | boolean | null>>;
  readonly accountProperties: Readonly<Record<string, string | null>>;
  readonly consent: Readonly<Record<string, { readonly consent_given: boolean | null }>>;
  readonly categories: readonly string[];
  readonly lead_data: readonly { readonly key: string; readonly value: string | readonly unknown[] }[];
}

interface Kind {
  readonly list: List;
  /** Candidates of a step: rows of leads are large. */
  readonly most: number;
  /** The columns of its table whose texts may be long. */
  readonly texts: readonly string[];
  /** SQL of further columns of the list. */
  readonly more: Sql;
  /** SQL: whether GET shows the record to the caller. */
  readonly isSeen: (viewing: Viewing) => Sql;
  readonly show: (row: Row, fields: Fields, viewing: Viewing) => Shown;
}

const nothing: Shown = {
  fixed: { self: [], account: [], contact: [] },
  custom: { self: [], account: [], contact: [] },
  properties: {},
  accountProperties: {},
  consent: {},
  categories: [],
  lead_data: [],
};

const selectTeam = (alias: string) => sql`${selectTeamJson(identifier(alias, "team_id"))} as export_team`;
const nameOfTeam = (row: Row) =>
  row.export_team === null ? null : (JSON.parse(String(row.export_team)) as { name: string }).name;

/** The account of a contact, as far as the columns of its file show it. */
const itsAccount = joinSql(
  ["external_id", "team_id", ...accountFields.map(({ name }) => name)].map((name) =>
    sql`${identifier("its_account", name)} as ${identifier(`account__${name}`)}`
  ),
  ", ",
);

const kinds: Readonly<Record<ImportEntity, Kind>> = {
  accounts: {
    list: accountList,
    most: 1_000,
    texts: ["custom", ...fixedFields.account.map(({ name }) => name)],
    more: selectTeam("account"),
    isSeen: ({ caller }) =>
      sql`${isInScope(makeTeamScope(caller), "account")} and ${isNotBeingDeleted(sql`account.id`)}`,
    show(row, fields) {
      const account = readShownAccount(row);
      const shown = presentAccount(account, fields);
      return {
        ...nothing,
        // A consumer's account without a name shows that of its contact, which is not its own.
        fixed: {
          ...nothing.fixed,
          self: shown.fixed_fields.map((field) =>
            field.name === "name" ? { ...field, value: account.name } : field
          ),
        },
        custom: { ...nothing.custom, self: shown.custom_fields },
        properties: showProperties(row, account.user_name),
      };
    },
  },
  contacts: {
    list: contactList,
    most: 1_000,
    texts: ["custom", ...fixedFields.contact.map(({ name }) => name)],
    more: sql`${selectTeam("contact")}, ${itsAccount}`,
    isSeen: ({ caller }) =>
      sql`${isInScope(makeTeamScope(caller), "contact")} and ${isNotBeingDeleted(sql`contact.account_id`)}`,
    show(row, fields) {
      const contact = readShownContact(row);
      const shown = presentContact(contact, fields);
      const account = Object.fromEntries(
        accountFields.map(({ name }) => [name, row[`account__${name}`] as string | null]),
      );
      return {
        ...nothing,
        fixed: { self: shown.fixed_fields, account: fields.account.presentFixed(account), contact: [] },
        custom: { ...nothing.custom, self: shown.custom_fields },
        properties: showProperties(row, contact.user_name),
        accountProperties: { external_id: row.account__external_id as string | null },
        consent: shown.consent,
      };
    },
  },
  products: {
    list: productList,
    most: 1_000,
    texts: ["custom", "name"],
    more: sql`null as export_team`,
    isSeen: ({ caller }) => isInScope(makeCompanyScope(caller), "product"),
    show(row, fields) {
      const product = readProductRow(row);
      const shown = presentProduct(product, fields);
      return {
        ...nothing,
        fixed: { ...nothing.fixed, self: shown.fixed_fields },
        custom: { ...nothing.custom, self: shown.custom_fields },
        properties: showProperties(row, null),
        categories: shown.categories.map(({ name }) => name),
      };
    },
  },
  leads: {
    list: leadList,
    most: 200,
    texts: ["lead_data", "account", "contact", "interest"],
    more: sql`${selectTeam("leads")},
      (select u.first_name || ' ' || u.last_name from users u where u.id = leads.user_id) as export_user`,
    isSeen: ({ caller, at }) =>
      sql`${isInScope(makeLeadScope(caller), "leads")} and ${isLiveLead("leads", at, false)}`,
    show(row, fields, { now }) {
      const lead = readLeadRow(row);
      const shown = presentLead(lead, now, fields);
      return {
        ...nothing,
        fixed: { self: [], account: shown.account.fixed_fields, contact: shown.contact.fixed_fields },
        custom: { self: [], account: shown.account.custom_fields, contact: shown.contact.custom_fields },
        properties: {
          ...showProperties(row, row.export_user as string | null),
          b2c: shown.b2c,
          lead_type: lead.type.record.name,
          lead_source: shown.lead_source,
          interest: shown.interest,
          external_weight: shown.external_weight,
          status: shown.status,
        },
        consent: shown.contact.consent,
        lead_data: shown.lead_data ?? [],
      };
    },
  },
};

function showProperties(row: Row, user: string | null): Shown["properties"] {
  return {
    id: row.id as string,
    external_id: (row.external_id ?? null) as string | null,
    b2c: row.b2c === 1,
    created_at: row.created_at as string,
    updated_at: row.updated_at as string,
    status: (row.status ?? null) as string | null,
    user,
    team: nameOfTeam(row),
  };
}

export function findKind(entity: ImportEntity): Kind {
  return kinds[entity];
}

/** A filter as it is stored. `kept`: it comes from a saved filter. */
export interface StoredFilter {
  readonly nodes: unknown;
  readonly kept: boolean;
}

/** Returns SQL of the filter over the list's alias. Throws 422 when it names what the caller does not see. */
export function compileExportFilter(
  entity: ImportEntity,
  { nodes, kept }: StoredFilter,
  { caller, fields, now, at }: Viewing,
  contributions: readonly Contribution[],
): Sql {
  const catalogue = entity === "leads"
    ? makeLeadCatalogue({ caller, fields, at })
    : buildCatalogue({ caller, fields, at }, entity === "accounts" ? "account" : "contact", contributions);
  const parsed = parseFilter(nodes, catalogue, now, { kept });
  const { conditions } = compileFilter(parsed.nodes, {
    root: catalogue.root,
    companyId: caller.companyId,
    now: at,
  });
  const { alias } = kinds[entity].list;
  return joinSql([sql`1`, ...conditions.map(({ test }) => test(alias))], " and ");
}
