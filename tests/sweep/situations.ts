/** Calls of the matrix for which a sample is not enough, by operation and words. */
import type { Body } from "../support/app.ts";
import { ways } from "../sales/leads_states.ts";
import {
  deliveredReport,
  failedExport,
  failedRecordExport,
  followUp,
  indicatorSet,
  makeHook,
  makeRank,
  makeSchedule,
  makeWaiting,
  nameFields,
  openSession,
  pausedHook,
  pictureFile,
  type Place,
  startSending,
  textFile,
} from "./place.ts";
import { type Call, goneHook, importFor, makeDraft, merge, samples, twoAccounts } from "./samples.ts";

/** The context in which a call is built. */
export interface Around {
  /** The place, with the records of the team that the call is about. */
  readonly place: Place;
  /** The caller's user; the admin for callers without a user. */
  readonly caller: { readonly id: number; readonly token: string };
  /** The team that the call is about; null: shared. */
  readonly team: number | null;
  /** The other team of the callers' group, and one of another group. */
  readonly near: number;
  readonly far: number;
}

export type Situation = (around: Around) => Call | Promise<Call>;

/** The sample's call with another body. */
const changeSample =
  (operation: string, body: (given: Body, around: Around) => unknown): Situation => async (around) => {
    const call = await samples[operation]!(around.place);
    return { ...call, body: await body(call.body, around) };
  };

/** Changes a new user of the team and of this type with the body. */
const changing = (
  body: (around: Around) => unknown,
  type: "user" | "admin" | "group_admin" = "user",
): Situation =>
async (around) => {
  const { world, ids } = around.place;
  const { id } = await world.company.user({ type, teams: [ids.team_id] });
  return { params: { user_id: id }, body: await body(around) };
};

/** Uploads a picture for the user. */
const uploadPicture = (user: (around: Around) => number | Promise<number>): Situation => async (around) => ({
  ...await samples.setProfilePicture!(around.place),
  params: { user_id: await user(around) },
});

const path = (more: object) => ({
  name: "Old",
  activity_types: { milestones: [{ name: "Offer" }] },
  ...more,
});

/** A new path of the team, changed by the body. */
function changingPath(body: (place: Place, around: Around) => unknown): Situation {
  return async (around) => ({
    params: {
      relations_path_id: (await around.place.make("/v1/relations-paths", path({ team_id: around.team }))).id,
    },
    body: body(around.place, around),
  });
}

/** A new lead type of the team, changed by the body. */
function changingType(body: (place: Place, around: Around) => unknown): Situation {
  return async (around) => {
    const { place: { make, ids }, team } = around;
    const given = { name: "Old", team_id: team, relations_path_ids: [ids.relations_path_id] };
    return {
      params: { lead_type_id: (await make("/v1/lead-types", given)).id },
      body: body(around.place, around),
    };
  };
}

/** A new template of the team, changed by the body. */
function changingTemplate(body: (place: Place, around: Around) => unknown): Situation {
  return async (around) => {
    const given = { type: "email", title: "Old", content: "x", team_id: around.team };
    return {
      params: { template_id: (await around.place.make("/v1/templates", given)).id },
      body: body(around.place, around),
    };
  };
}

/** A new draft of a campaign of the team, changed by the body. */
function changingCampaign(body: (place: Place, around: Around) => unknown): Situation {
  return async (around) => ({
    params: { campaign_id: (await around.place.make("/v1/campaigns", makeDraft(around.team))).id },
    body: body(around.place, around),
  });
}

/** A new automated communication of the team, changed by the body. */
function changingAutomated(body: (place: Place, around: Around) => unknown): Situation {
  return async (around) => {
    const made = await around.place.make("/v1/automated-communications", followUp(around.team));
    return { params: { automated_communication_id: made.id }, body: body(around.place, around) };
  };
}

/** A new indicator set of the team, changed by the body. */
function changingSet(body: (place: Place, around: Around) => unknown): Situation {
  return async (around) => {
    const made = await around.place.make("/v1/reports/indicator-sets", indicatorSet(around.team), 200);
    return { params: { indicator_set_id: made.id }, body: body(around.place, around) };
  };
}

/** An import that the caller has made. */
function onOwnImport(dryRun: string): Situation {
  return async ({ caller, place }) => ({
    params: { import_id: await importFor(place, dryRun, caller.token) },
  });
}

/** A new view of the team. */
function onView(body: (place: Place) => unknown): Situation {
  return async ({ place, team }) => {
    const view = { name: "View", entity: "lead", team_id: team };
    return { params: { view_id: (await place.make("/v1/views", view)).id }, body: body(place) };
  };
}

/** A scheduled report over a new set of the company, with filters. */
function scheduling(filters: object | ((place: Place) => object)): Situation {
  return async ({ place, caller }) => {
    const set = await place.make("/v1/reports/indicator-sets", indicatorSet(null), 200);
    const chosen = typeof filters === "function" ? filters(place) : filters;
    return { body: { ...makeSchedule(set.id, caller.id), filters: chosen } };
  };
}

/** A scheduled report of the admin's for a user. */
async function scheduledFor({ place: { make, ids } }: Around, user: number) {
  const made = await make("/v1/reports/scheduled", makeSchedule(ids.indicator_set_id, user), 200);
  return { scheduled_report_id: made.id };
}

/** A new rank of the team, for a call that changes it. */
const changingRank: Situation = async ({ place, team }) => ({
  params: { rank_id: (await place.make("/v1/gamification/ranks", makeRank(team))).id },
  body: { name: "Renamed" },
});

const title = () => ({ job_title: "Buyer" });

/** Creates a role with a right that every user has. */
const plainRole = async ({ place: { make, next } }: Around): Promise<number> =>
  (await make("/v1/roles", { name: `Plain ${next()}`, rights: ["cases.update"] })).id;

const password = "correct horse battery";

export const situations: Readonly<Record<string, Situation>> = {
  // The company of the callers.
  "deleteCompany": () => ({}),

  "createUser teamless": changeSample("createUser", ({ team_ids: _, ...body }) => body),
  "createUser role": changeSample("createUser", async (body, around) => ({
    ...body,
    role_ids: [await plainRole(around)],
  })),
  // The role has a right that users get only from a role.
  "createUser agency_role": changeSample("createUser", (body, { place }) => ({
    ...body,
    role_ids: [place.ids.role_id],
  })),

  "createInvitation teamless": changeSample("createInvitation", ({ team_ids: _, ...body }) => body),
  "createInvitation role": changeSample("createInvitation", async (body, around) => ({
    ...body,
    role_ids: [await plainRole(around)],
  })),
  "createInvitation agency_role": changeSample("createInvitation", (body, { place }) => ({
    ...body,
    role_ids: [place.ids.role_id],
  })),
  "withdrawInvitation self": async (around) => ({
    params: { invitation_id: await createInvitation(around) },
  }),
  "resendInvitation self": async (around) => ({ params: { invitation_id: await createInvitation(around) } }),

  "updateUser": changing(title),
  "updateUser self": ({ caller, place }) => ({
    params: { user_id: caller.id },
    body: { job_title: `Title ${place.next()}` },
  }),
  // Sets the type to admin, which the admin has already.
  "updateUser self raised": ({ caller }) => ({
    params: { user_id: caller.id },
    body: { user_type: { id: 1 } },
  }),
  "updateUser teamless": async ({ place }) => ({
    params: { user_id: (await place.world.company.user()).id },
    body: title(),
  }),
  "updateUser an_admin": changing(title, "admin"),
  "updateUser a_group_admin": changing(title, "group_admin"),
  "updateUser to_team_admin": changing(() => ({ user_type: { id: 2 } })),
  "updateUser to_admin": changing(() => ({ user_type: { id: 1 } })),
  "updateUser role": changing(async (around) => ({ role_ids: [await plainRole(around)] })),
  "updateUser agency_role": changing(({ place }) => ({ role_ids: [place.ids.role_id] })),
  "updateUser into_group": changing(({ place, near }) => ({ team_ids: [place.ids.team_id, near] })),
  "updateUser into_other": changing(({ place, far }) => ({ team_ids: [place.ids.team_id, far] })),
  // Repeats the present values of fields that the caller may not change.
  "updateUser repeated": changing(({ place }) => ({
    ...title(),
    user_type: { id: 3 },
    role_ids: [],
    team_ids: [place.ids.team_id],
  })),

  "setProfilePicture self": uploadPicture(({ caller }) => caller.id),
  "setProfilePicture teamless": uploadPicture(async ({ place }) => (await place.world.company.user()).id),
  "setProfilePicture an_admin": uploadPicture(async ({ place: { world, ids } }) =>
    (await world.company.user({ type: "admin", teams: [ids.team_id] })).id
  ),

  "changePassword self": async ({ caller, place: { world: { app } } }) => {
    await app.deps.db.write([{
      sql: "update users set password_hash = ? where id = ?",
      args: [await app.deps.passwords.hash(password), caller.id],
    }]);
    return {
      params: { user_id: caller.id },
      body: { old_password: password, new_password: password },
    };
  },
  "changePassword": () => ({ body: { old_password: password, new_password: password } }),
  "switchTeam": ({ place }) => ({ body: { team_id: place.ids.team_id } }),

  // A new team of the group that the call is about.
  "deleteTeam": async ({ place: { make, ids } }) => ({
    params: { team_id: (await make("/v1/teams", { name: "Passing", group_id: ids.group_id })).id },
  }),
  "createTeam groupless": () => ({ body: { name: "Alone" } }),

  "deleteToken self": async ({ caller, place }) => ({
    params: { token: await place.world.company.token(caller.id) },
  }),
  "getImport self": onOwnImport("false"),
  "listImportErrors self": onOwnImport("false"),
  "downloadImportErrors self": onOwnImport("false"),
  "listImportKept self": onOwnImport("false"),
  "revertImport self": onOwnImport("false"),
  "startImport self": onOwnImport("true"),
  "cancelImport self": onOwnImport("true"),
  "endSession self": async ({ caller, place }) => ({
    params: { session_id: await openSession(place, caller.id) },
  }),
  "endSession": async ({ place }) => ({
    params: { session_id: await openSession(place, place.ids.user_id) },
  }),
  "deleteToken": async ({ place }) => ({
    params: { token: await place.world.company.token(place.ids.user_id) },
  }),

  // New records of the team that the call is about.
  "deleteAccount": async (around) => ({ params: { account_id: await createAccount(around) } }),
  "mergeAccounts": async ({ place, team }) => {
    const { into, from_id } = await twoAccounts(place.make, team);
    return { params: { account_id: into }, body: { from_id } };
  },
  "mergeContacts": async (around) => {
    const account_id = await createAccount(around);
    const createContact = async () =>
      (await around.place.make(`/v1/accounts/${account_id}/contacts`, {
        fixed_fields: nameFields({ last_name: "Byron" }),
      })).id;
    return { params: { contact_id: await createContact() }, body: { from_id: await createContact() } };
  },
  "getMerge": async ({ place, team }) => ({ params: { merge_id: await merge(place, team) } }),
  "undoMerge": async ({ place, team }) => ({ params: { merge_id: await merge(place, team) } }),
  "deleteContact": async (around) => {
    const account_id = await createAccount(around);
    const body = { fixed_fields: nameFields({ last_name: "Old" }) };
    const contact_id = (await around.place.make(`/v1/accounts/${account_id}/contacts`, body)).id;
    return { params: { account_id, contact_id } };
  },

  "putFieldSort": ({ team }) => ({ body: { sort: [{ type: "property", value: "city" }], team_id: team } }),
  "putFieldSort company": () => ({ body: { sort: [{ type: "property", value: "city" }] } }),
  "updateField": ({ place }) => ({ body: { label: `Size ${place.next()}` } }),
  "deleteField": async ({ place: { make, next }, team }) => ({
    params: {
      field_id:
        (await make("/v1/fields/account", { label: `Old ${next()}`, type: "text", team_id: team })).id,
    },
  }),

  "createRelationsPath teamless": changeSample("createRelationsPath", ({ team_id: _, ...body }) => body),
  // New records of the team that the call is about.
  "updateRelationsPath": changingPath(({ next }) => ({ name: `Path ${next()}` })),
  "updateRelationsPath of_group": async ({ place: { make, ids, next } }) => ({
    params: { relations_path_id: (await make("/v1/relations-paths", path({ group_id: ids.group_id }))).id },
    body: { name: `Path ${next()}` },
  }),
  "updateRelationsPath into_group": changingPath((_, { near }) => ({ team_id: near })),
  "updateRelationsPath into_other": changingPath((_, { far }) => ({ team_id: far })),
  "updateRelationsPath into_company": changingPath(() => ({ team_id: null })),
  "getRelationsPathDeleteImpact": changingPath(() => undefined),
  "deleteRelationsPath": changingPath(() => undefined),
  "createCampaign": changeSample("createCampaign", (_, { team }) => makeDraft(team)),
  "createCampaign approved": changeSample("createCampaign", (body) => ({
    ...body,
    approved: true,
    template_id: null,
    task: null,
  })),
  "createCampaign into_company": changeSample("createCampaign", () => makeDraft(null)),
  "updateCampaign": changingCampaign(({ next }) => ({ name: `Campaign ${next()}` })),
  "updateCampaign into_group": changingCampaign((_, { near }) => ({ team_id: near })),
  "updateCampaign into_company": changingCampaign(() => ({ team_id: null })),
  "deleteCampaign": changingCampaign(() => undefined),
  "getCampaignLetters": async ({ place: { make }, team }) => {
    const body = { ...makeDraft(team), type: "letter", approved: true, send_at: "2026-05-01 09:00:00" };
    return { params: { campaign_id: (await make("/v1/campaigns", body)).id } };
  },
  "createAutomatedCommunication": changeSample(
    "createAutomatedCommunication",
    (_, { team }) => followUp(team),
  ),
  "createAutomatedCommunication into_company": changeSample(
    "createAutomatedCommunication",
    () => followUp(null),
  ),
  "updateAutomatedCommunication": changingAutomated(({ next }) => ({ name: `Follow-up ${next()}` })),
  "updateAutomatedCommunication into_group": changingAutomated((_, { near }) => ({ team_id: near })),
  "updateAutomatedCommunication into_company": changingAutomated(() => ({ team_id: null })),
  "deleteAutomatedCommunication": changingAutomated(() => undefined),
  "getReportExport self": async ({ place: { ids: { company_id }, write }, caller }) => ({
    params: { export_id: await failedExport(write, { company_id, user_id: caller.id }) },
  }),
  "getExport self": async ({ place: { ids: { company_id }, write }, caller }) => ({
    params: { export_id: await failedRecordExport(write, { company_id, user_id: caller.id }) },
  }),
  "createIndicatorSet": changeSample("createIndicatorSet", (_, { team }) => indicatorSet(team)),
  "createIndicatorSet private": changeSample("createIndicatorSet", ({ team_id: _, ...body }) => body),
  "createIndicatorSet into_company": changeSample("createIndicatorSet", () => indicatorSet(null)),
  "updateIndicatorSet": changingSet(({ next }) => ({ name: `Set ${next()}` })),
  "updateIndicatorSet into_group": changingSet((_, { near }) => ({ team_id: near })),
  "updateIndicatorSet into_company": changingSet(() => ({ scope: "company" })),
  "updateIndicatorSet private": changingSet(() => ({ scope: "user" })),
  "getIndicatorSetDeleteImpact": changingSet(() => undefined),
  "deleteIndicatorSet": changingSet(() => undefined),
  "createView": changeSample("createView", (body, { team }) => ({ ...body, team_id: team })),
  "createView private": changeSample("createView", ({ team_id: _, ...body }) => body),
  "createView into_company": changeSample(
    "createView",
    ({ team_id: _, ...body }) => ({ ...body, scope: "company" }),
  ),
  "getView": onView(() => undefined),
  "changeView": onView(({ next }) => ({ name: `View ${next()}` })),
  "changeView into_company": onView(() => ({ scope: "company" })),
  "deleteView": onView(() => undefined),
  "createScheduledReport": scheduling({}),
  "createScheduledReport groups": scheduling(({ ids }) => ({ group_ids: [ids.group_id] })),
  "createScheduledReport teams": scheduling(({ ids }) => ({ team_ids: [ids.team_id] })),
  "getScheduledReport self": async (around) => ({ params: await scheduledFor(around, around.caller.id) }),
  "updateScheduledReport": async (around) => ({
    params: await scheduledFor(around, around.place.ids.user_id),
    body: { name: "Renamed" },
  }),
  "deleteScheduledReport": async (around) => ({
    params: await scheduledFor(around, around.place.ids.user_id),
  }),
  "getReportDelivery self": async ({ place: { ids: { company_id }, write }, caller }) => ({
    params: { report_id: await deliveredReport(write, { company_id, user_id: caller.id }) },
  }),
  "listMilestoneCases": async ({ place: { make }, team }) => {
    const path = await make("/v1/relations-paths", {
      name: "Used cars",
      team_id: team,
      activity_types: { milestones: [{ name: "Offer" }], supportive: [] },
    });
    return {
      params: { relations_path_id: path.id, milestone_id: path.activity_types.milestones[0].id },
    };
  },
  "createRank": changeSample("createRank", (_, { team }) => makeRank(team)),
  "createRank into_company": changeSample("createRank", () => makeRank(null)),
  "updateRank": changingRank,
  "deleteRank": changingRank,
  "stopCampaign": async ({ place: { make, write }, team }) => {
    const { id } = await make("/v1/campaigns", makeDraft(team));
    await startSending(write, id);
    return { params: { campaign_id: id } };
  },
  "updateTemplate": changingTemplate(({ next }) => ({ title: `Template ${next()}` })),
  "updateTemplate into_group": changingTemplate((_, { near }) => ({ team_id: near })),
  "updateTemplate into_company": changingTemplate(() => ({ team_id: null })),
  "getTemplateDeleteImpact": changingTemplate(() => undefined),
  "deleteTemplate": changingTemplate(() => undefined),
  "createTemplate into_company": changeSample("createTemplate", (body) => ({ ...body, team_id: null })),
  "previewTemplate": changeSample("previewTemplate", ({ content, contact_id }) => ({ content, contact_id })),
  "updateLeadType": changingType(({ next }) => ({ name: `Type ${next()}` })),
  "updateLeadType into_group": changingType((_, { near }) => ({ team_id: near })),
  "updateLeadType into_company": changingType(() => ({ team_id: null })),
  "getLeadTypeDeleteImpact": changingType(() => undefined),
  "deleteLeadType": changingType(() => undefined),
  "createLeadType teamless": changeSample("createLeadType", ({ team_id: _, ...body }) => body),

  // The lead goes to a dealer team of another group.
  "createLead for_other": changeSample("createLead", (body, { far }) => ({ ...body, team_id: far })),
  "updateLead": async ({ place }) => ({
    params: { lead_id: await ways.assigned!(place.world) },
    body: { interest: `Van ${place.next()}` },
  }),
  "deleteLead": async ({ place }) => ({ params: { lead_id: await ways.assigned!(place.world) } }),
  "listLeadDuplicates unassigned": async ({ place }) => ({
    params: { lead_id: await ways.assignable!(place.world) },
  }),
  "explainLead unassigned": async ({ place }) => ({
    params: { lead_id: await ways.assignable!(place.world) },
  }),
  "getLead unassigned": async ({ place }) => ({ params: { lead_id: await ways.assignable!(place.world) } }),

  // Records of the team that the call is about.
  "updateCase": async (around) => ({
    params: { case_id: await createCase(around) },
    body: { stock_vehicle_id: around.place.ids.account_id },
  }),
  "updateCase to_group": (around) => moving(around, around.near),
  "updateCase to_other": (around) => moving(around, around.far),
  "declineCase": async (around) => ({
    params: { case_id: await createCase(around) },
    body: { reason: "Bought elsewhere" },
  }),
  "deleteCase": async (around) => ({ params: { case_id: await createCase(around) } }),

  "updateNote self": async (around) => ({
    params: { note_id: await createNote(around) },
    body: { note: `Changed ${around.place.next()}` },
  }),
  // The note belongs to another user, for the admin too.
  "updateNote": async ({ place, caller }) => ({
    params: { note_id: await createNote({ place, caller: place.world.member }) },
    body: { note: `Not by ${caller.id}` },
  }),
  "deleteNote self": async (around) => ({ params: { note_id: await createNote(around) } }),
  "createNote": ({ place: { ids } }) => ({ body: { note: "Called", case_id: ids.case_id } }),

  "createFile": () => ({ body: textFile("mine.txt") }),
  "createFile public": () => ({ body: { ...textFile("public.txt"), public: true } }),
  ...withFile("getFile"),
  ...withFile("downloadFile"),
  ...withFile("updateFile"),
  "updateFile self public": async (around) => ({
    params: { file_id: await createFile(around, around.caller.token) },
    body: { public: true },
  }),
  ...withFile("replaceFile"),
  ...withFile("deleteFile"),

  "createFolder in_team": ({ place: { ids, next } }) => ({
    body: { name: `Folder ${next()}`, belongs_to: "team", team_id: ids.team_id },
  }),

  "listFolderFiles in_team": ({ place: { ids } }) => ({ params: { folder_id: `team:${ids.team_id}` } }),
  // A file of the caller, who may change it.
  "attachFolderFiles self": async (around) => ({
    params: { folder_id: `user:${around.caller.id}` },
    body: { file_ids: [await createFile(around, around.caller.token)] },
  }),
  "attachFolderFiles self in_team": async (around) => ({
    params: { folder_id: `team:${around.place.ids.team_id}` },
    body: { file_ids: [await createFile(around, around.caller.token)] },
  }),
  "detachFolderFiles in_team": async ({ place }) => {
    const { params, body } = await samples.detachFolderFiles!(place);
    return { params: { ...params, folder_id: `team:${place.ids.team_id}` }, body };
  },

  "publishPicture": async (around) => ({
    body: { file_id: await createPicture(around, around.place.world.admin.token) },
  }),
  "publishPicture self": async (around) => ({
    body: { file_id: await createPicture(around, around.caller.token) },
  }),
  "withdrawPicture": async (around) => ({
    params: { file_id: await createPublished(around, around.place.world.admin.token) },
  }),
  "withdrawPicture self": async (around) => ({
    params: { file_id: await createPublished(around, around.caller.token) },
  }),

  "readNotification self": async ({ caller, place: { world: { app } } }) => {
    const body = { message: "Remember", notify: { users: [caller.id] } };
    await app.call(caller.token, "POST", "/v1/notifications", body);
    const { body: { data } } = await app.call(caller.token, "GET", "/v1/notifications");
    return { params: { notification_id: data[0].id } };
  },
  "reopenNotification self": async ({ caller, place: { world: { app } } }) => {
    const body = { message: "Remember", notify: { users: [caller.id] } };
    await app.call(caller.token, "POST", "/v1/notifications", body);
    const { body: { data } } = await app.call(caller.token, "GET", "/v1/notifications");
    return { params: { notification_id: data[0].id } };
  },
  "removeDevice self": async ({ caller, place: { world: { app }, next } }) => {
    const device_token = `device:${next()}`;
    await app.call(caller.token, "POST", `/v1/notifications/devices/${device_token}`);
    return { params: { device_token } };
  },

  "getWebhook self": async (around) => ({ params: { webhook_id: await createWebhook(around) } }),
  "deleteWebhook self": async (around) => ({ params: { webhook_id: await createWebhook(around) } }),
  "updateWebhook self": async (around) => ({
    params: { webhook_id: await createWebhook(around) },
    body: { scope: "global" },
  }),
  "listDeliveries self": async (around) => ({ params: { webhook_id: await createWebhook(around) } }),
  "recover self": async (around) => ({
    params: { webhook_id: await createWebhook(around) },
    body: { since: "2026-01-31 10:00:00" },
  }),
  "testWebhook self": async (around) => ({
    params: { webhook_id: await pausedHook(byCaller(around), makeHook(around.place.next())) },
  }),
  "restoreWebhook self": async (around) => ({
    params: { webhook_id: await goneHook(around.place, byCaller(around)) },
  }),
  "getDelivery self": async (around) => ({ params: { delivery_id: await createDelivery(around) } }),
  "redeliver self": async (around) => ({ params: { delivery_id: await createDelivery(around) } }),
};

async function createCase({ team, place: { make, ids, world } }: Around): Promise<string> {
  const { contact_id } = ids;
  const body = { contact_id, relations_path_id: world.path, team_id: team };
  return (await make("/v1/cases", { ...body, ...(team === null ? {} : { user_id: ids.user_id }) })).id;
}

/** Moves a case to another team and to a user of that team. */
async function moving(around: Around, team_id: number): Promise<Call> {
  const user = await around.place.world.company.user({ teams: [team_id] });
  return { params: { case_id: await createCase(around) }, body: { team_id, user_id: user.id } };
}

async function createAccount({ team, place: { make } }: Around): Promise<string> {
  return (await make("/v1/accounts", { team_id: team, fixed_fields: nameFields({ name: "Old" }) })).id;
}

async function createWebhook({ caller, place: { world: { app }, next } }: Around): Promise<number> {
  const reply = await app.call(caller.token, "POST", "/v1/webhooks", makeHook(next()));
  return reply.body.id;
}

const byCaller = ({ caller, place: { world: { app } } }: Around) => ({
  call: (method: string, path: string, body?: unknown) => app.call(caller.token, method, path, body),
});

async function createDelivery(around: Around): Promise<string> {
  return (await makeWaiting(byCaller(around), makeHook(around.place.next()))).id;
}

/** Creates an invitation as the caller, or as the admin for callers who may create none. */
async function createInvitation(
  { caller, place: { world: { app }, ids, make, next } }: Around,
): Promise<number> {
  const path = `/v1/companies/${ids.company_id}/invitations`;
  const body = { email: `by-caller-${next()}@example.org`, team_ids: [ids.team_id] };
  const reply = await app.call(caller.token, "POST", path, body);
  return reply.status === 201 ? reply.body.id : (await make(path, body)).id;
}

/**
 * Calls about a file of the admin, or with `self` of the caller. The file is shared with the team, or else
 * with the company.
 */
function withFile(operation: string): Readonly<Record<string, Situation>> {
  const call = (token: (around: Around) => string): Situation => async (around) => ({
    ...await samples[operation]!(around.place),
    params: { file_id: await createFile(around, token(around)) },
  });
  return {
    [operation]: call(({ place }) => place.world.admin.token),
    [`${operation} self`]: call(({ caller }) => caller.token),
  };
}

async function createFile(
  { place: { world: { app }, ids }, team }: Around,
  token: string,
  bodyOf: typeof textFile = textFile,
): Promise<string> {
  const permission = team === null
    ? { type: "company", value: ids.company_id }
    : { type: "team", value: team };
  const reply = await app.call(token, "POST", "/v1/files", bodyOf("ours", [permission]));
  return reply.body.id;
}

function createPicture(around: Around, token: string): Promise<string> {
  return createFile(around, token, pictureFile);
}

/** Creates a picture that the admin has published. */
async function createPublished(around: Around, token: string): Promise<string> {
  const file_id = await createPicture(around, token);
  await around.place.make("/v1/filemanager/pictures", { file_id });
  return file_id;
}

/** Creates a note as the caller's user, or as the admin for callers without a user. */
async function createNote(
  { caller, place: { world: { app }, ids } }: Pick<Around, "caller" | "place">,
): Promise<number> {
  const reply = await app.call(caller.token, "POST", "/v1/notes", { note: "Mine", case_id: ids.case_id });
  return reply.body.id;
}
