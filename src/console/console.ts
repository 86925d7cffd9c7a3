/**
 * The console at `/app`: pages for people, made of the calls of the API with the rights of the person.
 */
import type { Hono } from "hono";
import { notFound } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { serveRaw } from "../http/raw_routes.ts";
import { findAsset, loadAssets } from "./assets.ts";
import type { Action, Page } from "./page.ts";
import { type Console, serveAction, servePage, serveRest } from "./serve.ts";
import { accountActions } from "./account/actions.ts";
import { deleteAccountPage } from "./account/delete.tsx";
import { editAccountPage, newAccountPage } from "./account/form.tsx";
import { accountPage } from "./account/page.tsx";
import { contactActions } from "./contact/actions.ts";
import { deleteContactPage } from "./contact/delete.tsx";
import { editContactPage, newContactPage } from "./contact/form.tsx";
import { contactPage } from "./contact/page.tsx";
import { customersPage } from "./customers/page.tsx";
import { saveViewAction } from "./customers/save_view.ts";
import { deleteViewPage, editViewPage, viewActions } from "./customers/view_pages.tsx";
import { newCaseAction, newCasePage } from "./new_case/page.tsx";
import { downloadPage } from "./parts/files.tsx";
import { moveAction, movePage } from "./case_move/page.tsx";
import { adminPage } from "./admin/page.tsx";
import { deletionActions, deletionPages } from "./admin_deletion/page.tsx";
import { leadTypeActions, leadTypePage, leadTypesPage, newLeadTypePage } from "./admin_lead_types/page.tsx";
import { processActions } from "./admin_processes/actions.ts";
import { newProcessPage, processesPage, processPage } from "./admin_processes/page.tsx";
import { newTeamPage, teamActions, teamPage, teamsPage } from "./admin_teams/page.tsx";
import { userActions } from "./admin_users/actions.ts";
import { deleteUserPage, invitePage, newUserPage, userPage } from "./admin_users/form.tsx";
import { usersPage } from "./admin_users/page.tsx";
import { caseActions } from "./case/actions.ts";
import { correspondencePage, letterPage } from "./case/correspondence.tsx";
import { casePage } from "./case/page.tsx";
import { casesPage } from "./cases/page.tsx";
import { exportActions } from "./exports/actions.ts";
import { exportPage, exportsPage } from "./exports/page.tsx";
import { importActions } from "./imports/actions.ts";
import { errorRowsPage, importPage, revertPage } from "./imports/import.tsx";
import { importsPage, newImportPage } from "./imports/page.tsx";
import { kitPage } from "./kit/page.tsx";
import { leadActions } from "./lead/actions.ts";
import { deleteLeadAction, deleteLeadPage } from "./lead/delete.tsx";
import { leadPage } from "./lead/page.tsx";
import { leadsPage } from "./leads/page.tsx";
import { mergeActions } from "./merge/actions.tsx";
import { mergePage } from "./merge/merge.tsx";
import { mergePages } from "./merge/page.tsx";
import { meActions } from "./me/actions.ts";
import { mePage } from "./me/page.tsx";
import { newLeadActions } from "./new_lead/actions.ts";
import { newLeadPage } from "./new_lead/page.tsx";
import { notificationsPage } from "./notifications/page.tsx";
import { searchPage } from "./search/page.tsx";
import { serveSetup } from "./setup/serve.tsx";
import { todayActions } from "./today/actions.ts";
import { todayPage } from "./today/page.tsx";

export const pages: readonly Page[] = [
  todayPage,
  leadsPage,
  newLeadPage,
  leadPage,
  deleteLeadPage,
  casesPage,
  newCasePage,
  movePage,
  casePage,
  correspondencePage,
  letterPage,
  customersPage,
  editViewPage,
  deleteViewPage,
  newAccountPage,
  accountPage,
  editAccountPage,
  deleteAccountPage,
  newContactPage,
  contactPage,
  editContactPage,
  deleteContactPage,
  ...mergePages,
  mergePage,
  exportsPage,
  exportPage,
  importsPage,
  newImportPage,
  importPage,
  revertPage,
  errorRowsPage,
  downloadPage,
  adminPage,
  usersPage,
  newUserPage,
  invitePage,
  userPage,
  deleteUserPage,
  teamsPage,
  newTeamPage,
  teamPage,
  processesPage,
  newProcessPage,
  processPage,
  leadTypesPage,
  newLeadTypePage,
  leadTypePage,
  ...deletionPages,
  mePage,
  notificationsPage,
  searchPage,
];
export const actions: readonly Action[] = [
  ...todayActions,
  ...newLeadActions,
  ...leadActions,
  deleteLeadAction,
  ...caseActions,
  moveAction,
  newCaseAction,
  saveViewAction,
  ...viewActions,
  ...accountActions,
  ...contactActions,
  ...mergeActions,
  ...exportActions,
  ...importActions,
  ...userActions,
  ...meActions,
  ...teamActions,
  ...processActions,
  ...leadTypeActions,
  ...deletionActions,
];

/** Adds the console to the app. `kit`: with the page of its parts. */
export function serveConsole(
  app: Hono,
  deps: Deps,
  endpoints: readonly Endpoint[],
  { kit }: { readonly kit: boolean },
): void {
  const operations = new Map(endpoints.map((endpoint) => [endpoint.declared.operation, endpoint]));
  const console: Console = { deps, operations, inFlight: new Map() };
  serveRaw(app, deps, "/app/assets/:file", async (c) => {
    await loadAssets();
    const asset = findAsset(c.req.param("file") ?? "");
    if (!asset) throw notFound("There is no such file.");
    const headers = { "Cache-Control": "public, max-age=31536000, immutable" };
    return { type: asset.type, text: asset.text, headers };
  });
  for (const page of kit ? [...pages, kitPage] : pages) servePage(app, console, page);
  for (const action of actions) serveAction(app, console, action);
  serveSetup(app, deps);
  serveRest(app, console, [...pages, ...actions]);
}
