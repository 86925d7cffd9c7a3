/** Decides what becomes of a row of leads: the same as of a single call, for a commit of several rows. */
import { seesOwned } from "../../core/access.ts";
import { foldText } from "../../core/text.ts";
import type { UserAuthor } from "../../db/commit.ts";
import { parseValid } from "../../http/validate.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { selectNamedLeadTypes } from "../../sales/lead_types/queries.ts";
import { selectNamedRecords } from "../../sales/leads/body.ts";
import { parseCachedType } from "../../sales/leads/cached_lead_types.ts";
import { decideNewLead } from "../../sales/leads/create.ts";
import { presentLead } from "../../sales/leads/present.ts";
import { LeadBody } from "../../sales/leads/schema.ts";
import { attempt, type Deciding, failed, type Outcome, pickFields, readCreatedAt } from "./decisions.ts";
import { addFault, type Draft } from "./drafts.ts";
import { markOfLead } from "./own_values.ts";
import type { ImportRow } from "./table.ts";

const readLeadType = ({ properties }: Draft) =>
  typeof properties.lead_type === "string" ? properties.lead_type.trim() : "";

/** The reads of `LeadTypes` and the teams of the import. */
export function selectLeadReferences(
  author: UserAuthor,
  row: ImportRow,
  drafts: readonly Draft[],
): Statement[] {
  return [
    selectNamedLeadTypes(row.company_id, drafts.map(readLeadType).filter((name) => name !== "")),
    ...selectNamedRecords(author, pickTeams(row)),
  ];
}

function pickTeams({ team_id, agency_team_id }: ImportRow) {
  return { team_id, agency_team_id };
}

/** The lead types that rows name, and the teams of the import. */
export class LeadFacts {
  readonly teams: Row;
  readonly #types: readonly { readonly id: string; readonly name: string; readonly json: string }[];

  constructor({ caller }: UserAuthor, [types, teams]: readonly Result[]) {
    this.teams = teams!.rows[0]!;
    const found = types!.rows.map(({ type_json }) => String(type_json)).map((json) => ({
      json,
      record: parseCachedType(json).record,
    })).filter(({ record }) => seesOwned(caller, record));
    // Where several have one name, those that take leads go first.
    this.#types = found.toSorted((one, other) => Number(one.record.disabled) - Number(other.record.disabled))
      .map(({ json, record: { id, name } }) => ({ json, id, name }));
  }

  /** Whether a team of the import is gone. */
  isWithoutTeam({ team_id, agency_team_id }: ImportRow): boolean {
    return (team_id !== null && this.teams.team_json === null) ||
      (agency_team_id !== null && this.teams.agency === null);
  }

  /** Returns the type of an id or a name without case. */
  type(text: string) {
    const key = foldText(text);
    return this.#types.find(({ id }) => id === text.toLowerCase()) ??
      this.#types.find(({ name }) => foldText(name.trim()) === key) ?? null;
  }
}

/** Decides on a row of leads. */
export function decideLead({ author, row }: Deciding, draft: Draft, facts: LeadFacts): Outcome {
  const { properties, lead_data, account, contact } = draft;
  const text = readLeadType(draft);
  const type = text === "" ? null : facts.type(text);
  if (text !== "" && !type) addFault(draft, "self", "lead_type", "exists", "There is no such lead type.");
  const given = {
    b2c: properties.b2c === true,
    lead_source: properties.lead_source ?? undefined,
    lead_type_id: type?.id,
    interest: properties.interest,
    external_weight: properties.external_weight,
    created_at: readCreatedAt(draft),
    lead_data: Object.entries(lead_data).map(([key, value]) => ({ key, value })),
    account: pickFields(account),
    contact: { ...pickFields(contact), consent: contact.consent },
    ...pickTeams(row),
  };
  const named = [{ rows: [{ ...facts.teams, type_json: type?.json ?? null }], changes: 0 }];
  const decided = attempt(
    draft,
    "self",
    "",
    () => decideNewLead(author, parseValid(LeadBody, given, ""), named),
  );
  if (!decided || draft.faults.length > 0) return failed;
  const { lead, change } = decided;
  return {
    action: "create",
    record: () => presentLead(lead, author.now, author.fields.seen),
    statements: change.statements,
    events: change.events ?? [],
    notifications: change.notifications ?? [],
    changes: [{
      row: draft.row,
      entity: "leads",
      record_id: lead.row.id,
      before: null,
      after: markOfLead(lead),
    }],
  };
}
