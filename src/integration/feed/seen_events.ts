/** Which events a reader sees, by the conditions of the lists, and the mark of what they see. */
import { isAdmin, type Member } from "../../core/access.ts";
import type { CompanyFields } from "../../fields/field_sets.ts";
import { makeLeadScope, makeTeamScope, type Stream } from "../../db/scope.ts";
import { joinSql, type Sql, sql } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";

/** SQL over a row `o` of the outbox: the caller sees the record as it was right after the event. */
export function seesAfter(caller: Member): Sql {
  return sees(caller, { team_id: sql`o.team_id`, agency_team_id: sql`o.agency_team_id` });
}

/** SQL over a row `o` of the outbox: the event moves the record, and the caller saw it before. */
export function wasSeenBefore(caller: Member): Sql {
  const seen = sees(caller, {
    team_id: sql`nullif(o.team_before, 0)`,
    agency_team_id: sql`nullif(o.agency_team_before, 0)`,
  });
  return sql`(o.team_before is not null and ${seen})`;
}

function sees(caller: Member, columns: Readonly<Record<string, Sql>>): Sql {
  const [ofLeads, ofOthers] = [makeLeadScope(caller).streams, makeTeamScope(caller).streams];
  if (ofLeads === null || ofOthers === null) return sql`1`;
  return sql`iif(o.entity_type = 'lead', ${inStreams(ofLeads, columns)}, ${inStreams(ofOthers, columns)})`;
}

function inStreams(streams: readonly Stream[], columns: Readonly<Record<string, Sql>>): Sql {
  const terms = streams.map(({ column, values }) => {
    const given = JSON.stringify(values.filter((value) => value !== null));
    const among = sql`coalesce(${columns[column]!} in (select value from json_each(${given})), 0)`;
    return values.includes(null) ? sql`(${columns[column]!} is null or ${among})` : among;
  });
  return sql`(${joinSql(terms, " or ")})`;
}

const marks = new WeakMap<CompanyFields["seen"], string>();

/**
 * Returns an opaque text that changes when what the caller sees changes without an event: the type, the visible teams,
 * the agency right, and the definitions of the fields that the caller sees.
 */
export function hashVisibility(caller: Member, { seen }: CompanyFields): string {
  let fields = marks.get(seen);
  if (fields === undefined) {
    const definitions = Object.values(seen).flatMap(({ custom }) => custom)
      .map(({ seq: _seq, version: _version, ...definition }) => definition)
      .toSorted((one, other) => one.id < other.id ? -1 : 1);
    marks.set(seen, fields = sha256(JSON.stringify(definitions)));
  }
  // An admin sees all teams, and leads by any agency.
  const teams = isAdmin(caller)
    ? null
    : [sortIds(caller.teamIds), sortIds(caller.visibleTeamIds), caller.rights.has("agency")];
  return sha256(JSON.stringify([caller.userType, teams, fields])).slice(0, 32);
}

function sortIds(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other);
}
