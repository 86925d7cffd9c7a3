/**
 * The rights, as the specification has them, to be read and checked by people: whether users have one by
 * default, whether a role may give it, what it depends on, the user types it works for (`-`: all), and the
 * operations that it opens. `rights.test.ts` holds the service to it in both directions.
 */
export const rightsTable = `
right               group           default  assignable  dependencies      user_types                    opens
customers.create    customers       yes      yes         -                 -                             createAccount createContact
customers.update    customers       yes      yes         -                 -                             updateAccount updateContact attachAccountFiles detachAccountFiles attachContactFiles detachContactFiles
customers.delete    customers       no       yes         customers.update  -                             deleteAccount getAccountDeleteImpact deleteContact getContactDeleteImpact mergeAccounts mergeContacts undoMerge
cases.create        cases           yes      yes         -                 -                             createCase
cases.update        cases           yes      yes         -                 -                             createActivity createTask updateTask deleteTask createTimelineEvent updateCase declineCase setChanceOfSuccess setEstimatedCloseDate attachCaseFiles detachCaseFiles cancelCaseAutomatedCommunication
leads.create        leads           yes      yes         -                 -                             createLead updateLead attachLeadFiles detachLeadFiles
leads.delete        leads           no       yes         leads.create      -                             deleteLead
agency              leads           no       yes         -                 -                             assignLead assignLeadToTeam callLead listAssignableLeads listRejectedLeads listEscalatedLeads listCalledLeads listRevokedLeads listAssignableTeams listDealers getDealer
products.manage     products        no       yes         -                 -                             createProductCategory updateProductCategory deleteProductCategory createProduct updateProduct deleteProduct
templates.manage    messages        yes      yes         -                 -                             createTemplate updateTemplate deleteTemplate getTemplateDeleteImpact
campaigns.manage    messages        no       yes         -                 -                             getCampaignSettings updateCampaignSettings listRefusals liftRefusals createCampaign updateCampaign deleteCampaign copyCampaign countCampaignRecipients testNewCampaign testCampaign getCampaignLetters
campaigns.send      messages        no       yes         campaigns.manage  -                             stopCampaign
automations.manage  messages        no       yes         -                 admin,group_admin,team_admin  createAutomatedCommunication updateAutomatedCommunication deleteAutomatedCommunication
files.publish       files           no       yes         -                 -                             publishPicture
reports.view        reports         yes      yes         -                 -                             listIndicators listIndicatorSets createIndicatorSet getIndicatorSet updateIndicatorSet deleteIndicatorSet getIndicatorSetDeleteImpact getMetrics getTimeSeries getAverages getMetricsChart getTimeSeriesChart createChart getPipeline getMilestonePipeline listMilestoneCases getPerformance notifyPerformance exportPerformance
reports.export      reports         no       yes         reports.view      -                             exportReport createReportExport getReportExport createExport listExports getExport
reports.schedule    reports         no       yes         reports.view      -                             createScheduledReport updateScheduledReport deleteScheduledReport sendScheduledReport
ranks.manage        gamification    no       yes         -                 admin,group_admin,team_admin  createRank updateRank deleteRank
notifications.send  notifications   yes      yes         -                 -                             sendNotification
webhooks.manage     integration     no       yes         -                 -                             createWebhook deleteWebhook updateWebhook recover testWebhook redeliver restoreWebhook listEvents streamEvents
imports.manage      integration     no       yes         -                 -                             listImports createImport getImport listImportErrors downloadImportErrors listImportKept startImport cancelImport revertImport
applications.manage integration     no       yes         -                 admin                         listApplications getApplication createApplication updateApplication deleteApplication rotateApplicationSecret
admin               administration  no       no          -                 admin                         explainAccess
`;

export interface RightLine {
  readonly right: string;
  readonly group: string;
  readonly isDefault: boolean;
  readonly assignable: boolean;
  readonly dependencies: readonly string[];
  /** Null: all. */
  readonly userTypes: readonly string[] | null;
  /** Operations. */
  readonly opens: readonly string[];
}

export function readRights(text: string): RightLine[] {
  return text.trim().split("\n").slice(1).map((line) => {
    const [right, group, given, assignable, dependencies, userTypes, ...opens] = line.trim().split(/\s+/);
    if (!right || !group || !dependencies || !userTypes) {
      throw new Error(`A line of rights is not whole: ${line}`);
    }
    return {
      right,
      group,
      isDefault: given === "yes",
      assignable: assignable === "yes",
      dependencies: dependencies === "-" ? [] : dependencies.split(","),
      userTypes: userTypes === "-" ? null : userTypes.split(","),
      opens,
    };
  });
}
