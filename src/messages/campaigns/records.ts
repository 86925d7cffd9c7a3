/** The records that messages of a campaign take their values from. */
import { readMemberRow, selectMemberJson } from "../../db/caller_guard.ts";
import { selectFieldsJson } from "../../db/custom_values.ts";
import { type Fields, readCompanyFields } from "../../fields/field_sets.ts";
import { selectColumns, type Sql, sql } from "../../db/statements.ts";
import { type AccountFacts } from "../../customers/accounts/present.ts";
import { accountColumns, accountJoins } from "../../customers/accounts/present.ts";
import { selectContactsAmong } from "../../customers/contacts/queries.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type Facts, organisationColumns, type OrganisationFacts } from "../placeholders/catalogue.ts";
import type { Place } from "../placeholders/format.ts";
import { maySend, type Sending, sendingColumns } from "./may_send.ts";
import type { Snapshot } from "./snapshot.ts";
import { type CampaignRow, campaigns } from "./record.ts";

/** Reads what `readCampaignFacts` needs: the campaign, and contacts by their ids (a JSON list). */
export function selectCampaignFacts(campaignId: string, contactIds: string): Statement[] {
  const of = (column: Sql) => sql`(select ${column} from campaigns where id = ${campaignId})`;
  const ids = sql`select value from json_each(${contactIds})`;
  const company = of(sql`company_id`);
  const member = selectMemberJson(sql`o.user_id`);
  return [
    sql`select ${selectColumns(campaigns, "o")}, ${member} as member, ${sendingColumns},
      ${selectFieldsJson(sql`o.company_id`)} as fields,
      coalesce(s.consent_custom, 0) as is_custom, s.unsubscribe_url,
      (select c.email_tracking from companies c where c.id = o.company_id) as tracks from campaigns o
      left join campaign_settings s on s.company_id = o.company_id where o.id = ${campaignId}`,
    ...selectRecordsToCompose(ids, company),
  ];
}

/** Reads what `readRecords` needs, for contacts by their ids (a select). */
export function selectRecordsToCompose(ids: Sql, companyId: Sql): Statement[] {
  return [
    selectContactsAmong(ids),
    sql`select ${accountColumns} from accounts account ${accountJoins}
      where account.id in (select account_id from contacts where id in (${ids}))`,
    sql`select id, ${organisationColumns} from teams where id in (select team_id from contacts where id in (${ids}))`,
    sql`select ${organisationColumns}, currency from companies where id = ${companyId}`,
  ];
}

/** A campaign that is sent, with its settings. */
export interface SentCampaign extends CampaignRow {
  /** The company's own page to unsubscribe; null: the page of this service. */
  readonly custom_url: string | null;
  /** Whether the company wants to know which messages are opened: 1 or 0. */
  readonly tracks: number;
}

export interface SentCampaignFacts extends Records {
  readonly campaign: SentCampaign;
  readonly snapshot: Snapshot;
  /** Whether the campaign's user may still send it. */
  readonly maySend: boolean;
  /** The fields that the campaign's user sees. */
  readonly fields: Fields;
}

/** Reads the results of `selectCampaignFacts`. `parsed`: the snapshot of the campaign, if it was read before. */
export function readCampaignFacts(
  [sent, ...records]: readonly Result[],
  parsed?: Snapshot,
): SentCampaignFacts {
  const row = sent!.rows[0] as Sending & CampaignRow;
  const snapshot = parsed ?? JSON.parse(row.snapshot!) as Snapshot;
  const member = row.member === null ? null : readMemberRow(JSON.parse(row.member as string) as Row);
  return {
    campaign: {
      ...row,
      custom_url: row.is_custom === 1 ? row.unsubscribe_url as string | null : null,
      tracks: Number(row.tracks),
    },
    snapshot,
    maySend: member !== null && maySend(row, member),
    fields: readCompanyFields(row.fields as string | null, member ?? stranger).seen,
    ...readRecords(records, snapshot),
  };
}

export interface Records {
  readonly contacts: ReadonlyMap<string, ContactFacts>;
  /** Returns the facts of a message to a contact; null: a message without a contact. */
  readonly of: (contact: ContactFacts | null, now: number) => Omit<Facts, "subject" | "content">;
}

type Organisation = Row & OrganisationFacts & Omit<Place, "currency">;

/** Reads the results of `selectRecordsToCompose`. */
export function readRecords(
  [contacts, accounts, teams, companies]: readonly Result[],
  { user }: Pick<Snapshot, "user">,
): Records {
  const company = companies!.rows[0] as Organisation & Place;
  const [accountById, teamById] = [byId<AccountFacts>(accounts!), byId<Organisation>(teams!)];
  return {
    contacts: byId<ContactFacts>(contacts!),
    of(contact, now) {
      const team = teamById.get(String(contact?.team_id)) ?? null;
      const { locale, timezone } = team ?? company;
      return {
        now,
        place: { locale, timezone, currency: company.currency },
        contact,
        account: accountById.get(contact?.account_id ?? "") ?? null,
        user,
        team,
        company,
        case: null,
        task: null,
        products: [],
        unsubscribe_url: null,
      };
    },
  };
}

/** The viewer when the user was deleted: sees the fields that all users see. */
const stranger = { userType: "user" as const, teamIds: [], groupIds: [], activeTeamId: null };

function byId<T>({ rows }: Result): Map<string, T> {
  return new Map(rows.map((row) => [String(row.id), row as T & Row]));
}
