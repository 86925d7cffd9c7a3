/** Says whether a user sees a record, and by which rule: by the reads and the conditions of the user's own GET. */
import { belongsToAgency, type Caller, isAdmin, type Member } from "../../core/access.ts";
import { fieldError, invalid, notFound, Problem } from "../../core/errors.ts";
import { isUuid } from "../../core/ids.ts";
import { ok } from "../../core/answer.ts";
import { requireAccount, selectAccountById } from "../../customers/accounts/queries.ts";
import { requireContact, selectContactById } from "../../customers/contacts/queries.ts";
import { readMemberRow, selectMemberById } from "../../db/caller_guard.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { isKeptFor } from "../../identity/owners.ts";
import {
  type FileFacts,
  listPermitted,
  makeReader,
  readFileRow,
  requireReadableFile,
  selectFileById,
} from "../../library/access.ts";
import { mayReadPlace } from "../../library/place.ts";
import { requireAutomated, selectAutomated } from "../../messages/automated/queries.ts";
import { requireCampaign, selectCampaignById } from "../../messages/campaigns/queries.ts";
import { readVisibleTemplate, selectTemplateById } from "../../messages/templates/queries.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { readFullCase, requireVisibleCase, selectCaseById } from "../../sales/cases/queries.ts";
import { requireLead, selectLeadById } from "../../sales/leads/queries.ts";
import { requireNote, selectNoteById } from "../../sales/notes/queries.ts";
import type { AccessEntity, AccessRule } from "./access_schema.ts";

/** How GET reads a record and decides. */
interface Kind {
  readonly hasNumber?: true;
  readonly read: (ctx: Context, id: string) => readonly Statement[];
  /** Returns the record, seen or not; undefined: there is none. */
  readonly readFound: (results: readonly Result[]) => object | undefined;
  /** Throws 404, or returns null, unless the caller sees the record. */
  readonly see: (ctx: Context, results: readonly Result[]) => unknown;
  readonly rule: (member: Member, record: object, at: string) => AccessRule;
  readonly hidden: (member: Member, record: object, at: string) => AccessRule;
}

/** The facts about a record by which its conditions decide. */
interface Owned {
  readonly team_id?: number | null;
  readonly group_id?: number | null;
  readonly kept_for?: number | null;
  readonly agency_team_id?: number | null;
  readonly expires_at?: string | null;
}

const takeFirstRow = ([result]: readonly Result[]): Row | undefined => result!.rows[0];

const ofTeam = { readFound: takeFirstRow, rule: teamRule, hidden: teamHidden };

const kinds: Readonly<Record<AccessEntity, Kind>> = {
  accounts: {
    ...ofTeam,
    read: ({ caller }, id) => [selectAccountById(caller.companyId, id)],
    see: (ctx, [found]) => requireAccount(ctx, found!),
  },
  contacts: {
    ...ofTeam,
    read: ({ caller }, id) => [selectContactById(caller.companyId, id)],
    see: (ctx, [found]) => requireContact(ctx, found!),
  },
  cases: {
    ...ofTeam,
    read: ({ caller }, id) => selectCaseById(caller.companyId, id),
    readFound: (results) => readFullCase(results) ?? undefined,
    see: requireVisibleCase,
  },
  leads: {
    ...ofTeam,
    read: ({ caller }, id) => [selectLeadById(caller.companyId, id)],
    readFound(results) {
      const row = takeFirstRow(results);
      return row?.deleted_at === null ? row : undefined;
    },
    see: (ctx, [found]) => requireLead(ctx, found!),
    rule: (member, record) => leadRule(member, record),
    hidden(_, record, at) {
      const { team_id, expires_at } = record as Owned;
      if (expires_at && expires_at <= at) return "expired";
      return team_id === null ? "no_team" : "other_team";
    },
  },
  notes: {
    ...ofTeam,
    hasNumber: true,
    read: ({ caller }, id) => [selectNoteById(caller.companyId, Number(id))],
    see: (ctx, [found]) => requireNote(ctx, found!),
  },
  files: {
    read: (ctx, id) => [selectFileById(makeReader(ctx), id)],
    readFound(results) {
      const row = takeFirstRow(results);
      const file = row && readFileRow(row);
      return file?.place?.removed ? undefined : file;
    },
    see: ({ caller }, results) => requireReadableFile(caller, takeFirstRow(results)),
    rule: (member, record) => fileRule(member, record as FileFacts),
    hidden: (_, record) => (record as FileFacts).place?.belongs_to === "user" ? "private" : "not_shared",
  },
  campaigns: {
    ...ofTeam,
    read: ({ caller }, id) => [selectCampaignById(caller.companyId, id)],
    see: ({ caller }, [found]) => requireCampaign(caller, found!),
  },
  "automated-communications": {
    ...ofTeam,
    read: ({ caller }, id) => [selectAutomated(caller.companyId, id)],
    see: ({ caller }, [found]) => requireAutomated(caller, found!),
  },
  templates: {
    ...ofTeam,
    hasNumber: true,
    read: ({ caller }, id) => [selectTemplateById(caller.companyId, Number(id))],
    see: ({ caller }, [found]) => readVisibleTemplate(caller, found!),
  },
};

function teamRule(member: Member, record: object): AccessRule {
  const { team_id = null, group_id = null, ...owned } = record as Owned;
  if (isAdmin(member)) return "admin";
  if (isKeptFor(member, { ...owned })) return "owner";
  if (team_id !== null) return member.teamIds.includes(team_id) ? "own_team" : "group";
  return group_id === null ? "shared" : "group";
}

function teamHidden(_: Member, record: object): AccessRule {
  const { group_id = null, kept_for = null } = record as Owned;
  if (kept_for !== null) return "private";
  return group_id === null ? "other_team" : "not_shared";
}

function leadRule(member: Member, record: object): AccessRule {
  const { team_id = null, agency_team_id = null } = record as Owned;
  if (isAdmin(member)) return "admin";
  if (team_id !== null && member.teamIds.includes(team_id)) return "own_team";
  if (team_id !== null && member.visibleTeamIds.includes(team_id)) return "group";
  return belongsToAgency(member, agency_team_id) ? "agency" : "shared";
}

function fileRule(member: Member, file: FileFacts): AccessRule {
  const { place, permissions } = file;
  if (isAdmin(member) && place?.belongs_to !== "user") return "admin";
  if (file.user_id === member.userId) return "owner";
  const permitted = listPermitted(member);
  const isPermitted = permissions.some(({ type, value }) =>
    permitted.some(([given, id]) => given === type && id === value)
  );
  if (isPermitted) return "permission";
  if (file.is_attached) return "attached";
  return place !== null && mayReadPlace(member, place) ? "folder" : "public";
}

/** What each rule says, after "The user". */
const sentences: Readonly<Record<AccessRule, string>> = {
  admin: "sees it as an admin",
  owner: "sees it as its owner",
  own_team: "sees it as a member of its team",
  group: "sees it through a group that the user's teams are in",
  shared: "sees it because it belongs to no team, so that the whole company shares it",
  agency: "sees it as an agency user who looks after it",
  permission: "sees it by one of its permissions",
  attached: "sees it because it is attached to a record that the user sees, or was delivered to the user",
  folder: "sees it because the user may read its folder",
  public: "sees it because it is public",
  other_team: "does not see it: it belongs to a team that is neither the user's nor in the user's groups",
  no_team: "does not see it: it has no team yet, and the user does not look after it for the agency",
  expired: "does not see it: it has expired",
  private: "does not see it: it is somebody else's own",
  not_shared: "does not see it: it is not shared with the user",
  deleted_user: "is deleted and sees nothing",
};

interface Asked {
  readonly user_id: number;
  readonly entity: AccessEntity;
  readonly id: string;
}

/** For admins. Throws 422 for a user of another company, and 404 for a record that the company has not. */
export async function explainAccess(ctx: Context, { user_id, entity, id }: Asked) {
  const { deps, caller } = ctx;
  const kind = kinds[entity];
  const [users, members] = await deps.db.read([
    sql`select u.id from users u where u.id = ${user_id} and u.company_id = ${caller.companyId}`,
    selectMemberById(user_id),
  ]);
  if (!users!.rows[0]) throw invalid(fieldError("query.user_id", "exists", "There is no such user."));
  if (!(kind.hasNumber ? /^[1-9]\d{0,15}$/ : { test: isUuid }).test(id)) throw notFound();
  const row = members!.rows[0];
  const member = row ? readMemberRow(row) : null;
  // A deleted user has no sight of its own; whether there is such a record is for the admin to see.
  const viewer: Caller = member ? { ...member, tokenId: "", clientId: "", trusted: false } : caller;
  const seen: Context = { ...ctx, caller: viewer };
  const results = await deps.db.read(kind.read(seen, id.toLowerCase()));
  const record = kind.readFound(results);
  if (!record) throw notFound();
  const visible = member !== null && isSeen(kind, seen, results);
  const rule = member === null
    ? "deleted_user"
    : visible
    ? kind.rule(member, record, ctx.at)
    : kind.hidden(member, record, ctx.at);
  return ok({ user_id, entity, id, visible, rule, why: `The user ${sentences[rule]}.` });
}

/** Whether the GET of the caller would answer with the record. */
function isSeen({ see }: Kind, ctx: Context, results: readonly Result[]): boolean {
  try {
    return see(ctx, results) !== null;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return false;
    throw error;
  }
}
