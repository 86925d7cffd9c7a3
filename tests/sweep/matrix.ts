/**
 * Who gets which status where: one line an operation and situation, made by hand from the specification, to
 * be read and checked by people. `matrix.test.ts` calls every one of them over HTTP.
 *
 * The callers, by column:
 *   none         sends no token
 *   client       an ordinary client that acts for no user and belongs to no company
 *   trusted      a trusted client that acts for no user and belongs to no company
 *   user, team_admin, group_admin
 *                users of these types with the default rights. All three belong to one team, whose group has a
 *                second team. Default rights are always in force, so nobody stands here without those
 *   admin        an admin of the company, who belongs to no team
 *   foreign      an admin of another company, who sends what the admin sent
 *   deleted      an admin who has been deleted, with the token from before
 *   revoked      an admin, with a token that has been revoked
 * From `user` on, ordinary clients call.
 *
 * The situation, words behind the operation:
 *   (none), own  the call is about the callers' own team and its records
 *   group        about the other team of the group and its records
 *   other        about a team of another group and its records
 *   shared       about records of no team, which the whole company shares
 *   +right       user, team_admin and group_admin have a role with this right
 *   trusted      trusted clients call from `user` on
 *   allowed      the company's settings let teams and groups write relations paths
 *   self         about the caller, or what the caller made; `client` and the like name the admin's
 *   another word is explained where `situations.ts` makes the call
 *
 * 401 comes before 403, that of a missing user, trust, right or type before 404, and what the caller cannot
 * see is 404, before any other refusal. Ids in a body that the caller may not use are 422.
 */
export const matrix = `
                                    none client trusted   user team_admin group_admin admin   foreign deleted revoked

# Companies
createCompany                        401    403     201    403        403         403   403       403     401     401
createCompany trusted                401    403     201    201        201         201   201       201     401     401
getCompany                           401    403     403    200        200         200   200       404     401     401
updateCompany                        401    403     403    403        403         403   200       404     401     401
deleteCompany                        401    403     403    403        403         403   204       404     401     401
setCompanyLogos                      401    403     403    403        403         403   200       200     401     401
getSettings                          401    403     403    200        200         200   200       404     401     401
updateSettings                       401    403     403    403        403         403   200       404     401     401
getSso                               401    403     403    403        403         403   200       404     401     401
updateSso                            401    403     403    403        403         403   200       404     401     401

# Several calls in one
batch                                401    403     403    200        200         200   200       200     401     401

# The event feed
listEvents                           401    403     403    403        403         403   200       200     401     401
listEvents +webhooks.manage          401    403     403    200        200         200   200       200     401     401
streamEvents                         401    403     403    403        403         403   200       200     401     401
streamEvents +webhooks.manage        401    403     403    200        200         200   200       200     401     401

# Users
getMe                                401    403     403    200        200         200   200       200     401     401
getCounts                            401    403     403    200        200         200   200       200     401     401
getPreferences                       401    403     403    200        200         200   200       200     401     401
changePreferences                    401    403     403    200        200         200   200       200     401     401
listRecent                           401    403     403    200        200         200   200       200     401     401
searchAll                            401    403     403    200        200         200   200       200     401     401
listUsers                            401    403     403    200        200         200   200       404     401     401
createUser own                       401    403     403    403        201         201   201       404     401     401
createUser group                     401    403     403    403        403         201   201       404     401     401
createUser other                     401    403     403    403        403         403   201       404     401     401
createUser teamless                  401    403     403    403        403         403   201       404     401     401
createUser own role                  401    403     403    403        403         201   201       404     401     401
createUser own agency_role           401    403     403    403        403         403   201       404     401     401
createUser own agency_role +agency   401    403     403    403        403         201   201       404     401     401
getUser own                          401    403     403    200        200         200   200       404     401     401
getUser other                        401    403     403    200        200         200   200       404     401     401
updateUser self                      401    403     403    200        200         200   200       404     401     401
updateUser self raised               401    403     403    403        403         403   200       404     401     401
updateUser own                       401    403     403    403        200         200   200       404     401     401
updateUser group                     401    403     403    403        403         200   200       404     401     401
updateUser other                     401    403     403    403        403         403   200       404     401     401
updateUser teamless                  401    403     403    403        403         403   200       404     401     401
updateUser own an_admin              401    403     403    403        403         403   200       404     401     401
updateUser own a_group_admin         401    403     403    403        403         200   200       404     401     401
updateUser own to_team_admin         401    403     403    403        403         200   200       404     401     401
updateUser own to_admin              401    403     403    403        403         403   200       404     401     401
updateUser own role                  401    403     403    403        403         200   200       404     401     401
updateUser own agency_role           401    403     403    403        403         403   200       404     401     401
updateUser own agency_role +agency   401    403     403    403        403         200   200       404     401     401
updateUser own into_group            401    403     403    403        403         200   200       404     401     401
updateUser own into_other            401    403     403    403        403         403   200       404     401     401
updateUser own repeated              401    403     403    403        200         200   200       404     401     401
setProfilePicture self               401    403     403    200        200         200   200       404     401     401
setProfilePicture own                401    403     403    403        200         200   200       404     401     401
setProfilePicture group              401    403     403    403        403         200   200       404     401     401
setProfilePicture other              401    403     403    403        403         403   200       404     401     401
setProfilePicture teamless           401    403     403    403        403         403   200       404     401     401
setProfilePicture an_admin           401    403     403    403        403         403   200       404     401     401
deleteUser own                       401    403     403    403        403         403   204       404     401     401
deleteUser other                     401    403     403    403        403         403   204       404     401     401
changePassword self                  401    403     403    200        200         200   200       404     401     401
changePassword own                   401    403     403    403        403         403   403       404     401     401
listTeamsOfUser own                  401    403     403    200        200         200   200       404     401     401
listTeamsOfUser other                401    403     403    200        200         200   200       404     401     401
switchTeam own                       401    403     403    200        200         200   422       422     401     401
switchTeam group                     401    403     403    422        422         422   422       422     401     401
listInvitations                      401    403     403    403        200         200   200       404     401     401
createInvitation own                 401    403     403    403        201         201   201       404     401     401
createInvitation group               401    403     403    403        403         201   201       404     401     401
createInvitation other               401    403     403    403        403         403   201       404     401     401
createInvitation teamless            401    403     403    403        403         403   201       404     401     401
createInvitation own role            401    403     403    403        403         201   201       404     401     401
createInvitation own agency_role     401    403     403    403        403         403   201       404     401     401
createInvitation own agency_role +agency 401 403     403    403        403         201   201       404     401     401
withdrawInvitation self              401    403     403    403        204         204   204       404     401     401
withdrawInvitation own               401    403     403    403        404         404   204       404     401     401
resendInvitation self                401    403     403    403        202         202   202       404     401     401
resendInvitation own                 401    403     403    403        404         404   202       404     401     401
acceptInvitation                     401    403     201    403        403         403   403       403     401     401
acceptInvitation trusted             401    403     201    201        201         201   201       201     401     401
requestPasswordReset                 401    403     204    403        403         403   403       403     401     401
requestPasswordReset trusted         401    403     204    204        204         204   204       204     401     401
resetPassword                        401    404     200    200        200         200   200       404     401     401

# Teams
listTeams                            401    403     403    200        200         200   200       200     401     401
createTeam own                       401    403     403    403        403         201   201       422     401     401
createTeam other                     401    403     403    403        403         403   201       422     401     401
createTeam groupless                 401    403     403    403        403         403   201       201     401     401
getTeam own                          401    403     403    200        200         200   200       404     401     401
getTeam other                        401    403     403    200        200         200   200       404     401     401
updateTeam own                       401    403     403    403        200         200   200       404     401     401
updateTeam group                     401    403     403    403        403         200   200       404     401     401
updateTeam other                     401    403     403    403        403         403   200       404     401     401
deleteTeam own                       401    403     403    403        403         204   204       404     401     401
deleteTeam other                     401    403     403    403        403         403   204       404     401     401
getTeamDeleteImpact own              401    403     403    403        403         200   200       404     401     401
getTeamDeleteImpact group            401    403     403    403        403         200   200       404     401     401
getTeamDeleteImpact other            401    403     403    403        403         403   200       404     401     401

# Groups
listGroups                           401    403     403    200        200         200   200       200     401     401
createGroup                          401    403     403    403        403         403   201       201     401     401
getGroup own                         401    403     403    200        200         200   200       404     401     401
getGroup other                       401    403     403    200        200         200   200       404     401     401
updateGroup own                      401    403     403    403        403         403   200       404     401     401
deleteGroup                          401    403     403    403        403         403   204       404     401     401
attachTeamToGroup own                401    403     403    403        403         403   204       404     401     401
detachTeamFromGroup own              401    403     403    403        403         403   204       404     401     401

# Roles and rights
listRightsGroups                     401    403     403    200        200         200   200       200     401     401
listRoles                            401    403     403    200        200         200   200       200     401     401
createRole                           401    403     403    403        403         403   201       201     401     401
getRole                              401    403     403    200        200         200   200       404     401     401
updateRole                           401    403     403    403        403         403   200       404     401     401
deleteRole                           401    403     403    403        403         403   204       404     401     401
getRoleDeleteImpact                  401    403     403    200        200         200   200       404     401     401

# Applications: the right works for admins only, even if a role gives it
listApplications                     401    403     403    403        403         403   200       200     401     401
listApplications +applications.manage  401  403     403    403        403         403   200       200     401     401
getApplication                       401    403     403    403        403         403   200       404     401     401
getApplication +applications.manage  401    403     403    403        403         403   200       404     401     401
createApplication                    401    403     403    403        403         403   403       403     401     401
createApplication trusted            401    403     403    403        403         403   201       201     401     401
createApplication trusted +applications.manage  401 403 403 403       403         403   201       201     401     401
updateApplication                    401    403     403    403        403         403   403       403     401     401
updateApplication trusted            401    403     403    403        403         403   200       404     401     401
updateApplication trusted +applications.manage  401 403 403 403       403         403   200       404     401     401
rotateApplicationSecret              401    403     403    403        403         403   403       403     401     401
rotateApplicationSecret trusted      401    403     403    403        403         403   200       404     401     401
rotateApplicationSecret trusted +applications.manage  401 403 403 403 403         403   200       404     401     401
deleteApplication                    401    403     403    403        403         403   204       404     401     401
deleteApplication +applications.manage  401 403     403    403        403         403   204       404     401     401

# Tokens and devices
activateDevice                       401    403     403    204        204         204   204       204     401     401
listTokens                           401    403     403    200        200         200   200       200     401     401
listSessions                         401    403     403    200        200         200   200       200     401     401
endOtherSessions                     401    403     403    204        204         204   204       204     401     401
endSession self                      401    403     403    204        204         204   204       404     401     401
endSession own                       401    403     403    404        404         404   404       404     401     401
deleteToken self                     401    403     403    204        204         204   204       404     401     401
deleteToken own                      401    403     403    404        404         404   404       404     401     401

# Views
listViews                            401    403     403    200        200         200   200       200     401     401
createView private                   401    403     403    201        201         201   201       201     401     401
createView own                       401    403     403    201        201         201   201       422     401     401
createView group                     401    403     403    422        422         201   201       422     401     401
createView other                     401    403     403    422        422         422   201       422     401     401
createView into_company              401    403     403    403        403         403   201       201     401     401
getView own                          401    403     403    200        200         200   200       404     401     401
getView group                        401    403     403    200        200         200   200       404     401     401
getView other                        401    403     403    404        404         404   200       404     401     401
changeView own                       401    403     403    200        200         200   200       404     401     401
changeView group                     401    403     403    403        403         200   200       404     401     401
changeView other                     401    403     403    404        404         404   200       404     401     401
changeView own into_company          401    403     403    403        403         403   200       404     401     401
deleteView own                       401    403     403    204        204         204   204       404     401     401
deleteView group                     401    403     403    403        403         204   204       404     401     401
deleteView other                     401    403     403    404        404         404   204       404     401     401

# Filters
listAccountFilterFields              401    403     403    200        200         200   200       200     401     401
listContactFilterFields              401    403     403    200        200         200   200       200     401     401
filterAccounts                       401    403     403    200        200         200   200       200     401     401
findContactDuplicates                401    403     403    200        200         200   200       200     401     401
findAccountDuplicates                401    403     403    200        200         200   200       200     401     401
filterContacts                       401    403     403    200        200         200   200       200     401     401
listAccountFilters                   401    403     403    200        200         200   200       200     401     401
createAccountFilter                  401    403     403    201        201         201   201       201     401     401
getAccountFilter own                 401    403     403    200        200         200   200       404     401     401
getAccountFilter group               401    403     403    200        200         200   200       404     401     401
getAccountFilter other               401    403     403    404        404         404   200       404     401     401
updateAccountFilter own              401    403     403    200        200         200   200       404     401     401
updateAccountFilter group            401    403     403    200        200         200   200       404     401     401
updateAccountFilter other            401    403     403    404        404         404   200       404     401     401
deleteAccountFilter own              401    403     403    204        204         204   204       404     401     401
deleteAccountFilter group            401    403     403    204        204         204   204       404     401     401
deleteAccountFilter other            401    403     403    404        404         404   204       404     401     401
listContactFilters                   401    403     403    200        200         200   200       200     401     401
createContactFilter                  401    403     403    201        201         201   201       201     401     401
getContactFilter own                 401    403     403    200        200         200   200       404     401     401
getContactFilter group               401    403     403    200        200         200   200       404     401     401
getContactFilter other               401    403     403    404        404         404   200       404     401     401
updateContactFilter own              401    403     403    200        200         200   200       404     401     401
updateContactFilter group            401    403     403    200        200         200   200       404     401     401
updateContactFilter other            401    403     403    404        404         404   200       404     401     401
deleteContactFilter own              401    403     403    204        204         204   204       404     401     401
deleteContactFilter group            401    403     403    204        204         204   204       404     401     401
deleteContactFilter other            401    403     403    404        404         404   204       404     401     401

# Accounts
listAccounts                         401    403     403    200        200         200   200       422     401     401
createAccount own                    401    403     403    201        201         201   201       422     401     401
createAccount group                  401    403     403    422        422         201   201       422     401     401
createAccount other                  401    403     403    422        422         422   201       422     401     401
getAccount own                       401    403     403    200        200         200   200       404     401     401
getAccount group                     401    403     403    200        200         200   200       404     401     401
getAccount other                     401    403     403    404        404         404   200       404     401     401
getAccount shared                    401    403     403    200        200         200   200       404     401     401
updateAccount own                    401    403     403    200        200         200   200       404     401     401
updateAccount group                  401    403     403    200        200         200   200       404     401     401
updateAccount other                  401    403     403    404        404         404   200       404     401     401
updateAccount shared                 401    403     403    200        200         200   200       404     401     401
putAccount own                       401    403     403    201        201         201   201       422     401     401
putAccount group                     401    403     403    422        422         201   201       422     401     401
putAccount other                     401    403     403    422        422         422   201       422     401     401
getAccountDeleteImpact own           401    403     403    403        403         403   200       404     401     401
getAccountDeleteImpact own +customers.delete 401 403 403    200        200         200   200       404     401     401
getAccountDeleteImpact group +customers.delete 401 403 403  200        200         200   200       404     401     401
getAccountDeleteImpact other +customers.delete 401 403 403  404        404         404   200       404     401     401
deleteAccount own                    401    403     403    403        403         403   204       404     401     401
deleteAccount own +customers.delete 401 403 403    204        204         204   204       404     401     401
deleteAccount group +customers.delete 401 403 403  204        204         204   204       404     401     401
deleteAccount other +customers.delete 401 403 403  404        404         404   204       404     401     401

# Contacts
listContacts                         401    403     403    200        200         200   200       422     401     401
getContact own                       401    403     403    200        200         200   200       404     401     401
getContact group                     401    403     403    200        200         200   200       404     401     401
getContact other                     401    403     403    404        404         404   200       404     401     401
getContact shared                    401    403     403    200        200         200   200       404     401     401
listContactsOfAccount own            401    403     403    200        200         200   200       404     401     401
listContactsOfAccount other          401    403     403    404        404         404   200       404     401     401
createContact own                    401    403     403    201        201         201   201       404     401     401
createContact group                  401    403     403    201        201         201   201       404     401     401
createContact other                  401    403     403    404        404         404   201       404     401     401
getContactOfAccount own              401    403     403    200        200         200   200       404     401     401
getContactOfAccount other            401    403     403    404        404         404   200       404     401     401
updateContact own                    401    403     403    200        200         200   200       404     401     401
updateContact group                  401    403     403    200        200         200   200       404     401     401
updateContact other                  401    403     403    404        404         404   200       404     401     401
putContact own                       401    403     403    201        201         201   201       404     401     401
putContact group                     401    403     403    201        201         201   201       404     401     401
putContact other                     401    403     403    404        404         404   201       404     401     401
getContactDeleteImpact own           401    403     403    403        403         403   200       404     401     401
getContactDeleteImpact own +customers.delete 401 403 403    200        200         200   200       404     401     401
getContactDeleteImpact group +customers.delete 401 403 403  200        200         200   200       404     401     401
getContactDeleteImpact other +customers.delete 401 403 403  404        404         404   200       404     401     401
deleteContact own                    401    403     403    403        403         403   204       404     401     401
deleteContact own +customers.delete 401 403 403    204        204         204   204       404     401     401
deleteContact group +customers.delete 401 403 403  204        204         204   204       404     401     401
deleteContact other +customers.delete 401 403 403  404        404         404   204       404     401     401

# Imports
listImports                          401    403    403    403    403    403    200    200    401    401
listImports +imports.manage          401    403    403    200    200    200    200    200    401    401
createImport                         401    403    403    403    403    403    201    201    401    401
createImport +imports.manage         401    403    403    201    201    201    201    201    401    401
getImport                            401    403    403    403    403    403    200    404    401    401
getImport +imports.manage            401    403    403    404    404    404    200    404    401    401
getImport self +imports.manage       401    403    403    200    200    200    200    404    401    401
listImportErrors                     401    403    403    403    403    403    200    404    401    401
listImportErrors +imports.manage     401    403    403    404    404    404    200    404    401    401
listImportErrors self +imports.manage 401    403    403    200    200    200    200    404    401    401
downloadImportErrors                 401    403    403    403    403    403    200    404    401    401
downloadImportErrors +imports.manage 401    403    403    404    404    404    200    404    401    401
downloadImportErrors self +imports.manage 401    403    403    200    200    200    200    404    401    401
listImportKept                       401    403    403    403    403    403    200    404    401    401
listImportKept +imports.manage       401    403    403    404    404    404    200    404    401    401
listImportKept self +imports.manage  401    403    403    200    200    200    200    404    401    401
startImport                          401    403    403    403    403    403    202    404    401    401
startImport +imports.manage          401    403    403    404    404    404    202    404    401    401
startImport self +imports.manage     401    403    403    202    202    202    202    404    401    401
cancelImport                         401    403    403    403    403    403    200    404    401    401
cancelImport +imports.manage         401    403    403    404    404    404    200    404    401    401
cancelImport self +imports.manage    401    403    403    200    200    200    200    404    401    401
revertImport                         401    403    403    403    403    403    202    404    401    401
revertImport +imports.manage         401    403    403    404    404    404    202    404    401    401
revertImport self +imports.manage    401    403    403    202    202    202    202    404    401    401
listImportFields                     401    403     403    403        403         403   200       200     401     401
listImportFields +imports.manage     401    403     403    200        200         200   200       200     401     401
listImportFields +reports.export     401    403     403    200        200         200   200       200     401     401

# Explanations of access
explainAccess                        401    403     403    403        403         403   200       422     401     401
explainAccess +admin                 401    403     403    403        403         403   200       422     401     401

# Exports
createExport                         401    403     403    403        403         403   201       201     401     401
createExport +reports.export         401    403     403    201        201         201   201       201     401     401
listExports                          401    403     403    403        403         403   200       200     401     401
listExports +reports.export          401    403     403    200        200         200   200       200     401     401
getExport                            401    403     403    403        403         403   404       404     401     401
getExport +reports.export            401    403     403    404        404         404   404       404     401     401
getExport self +reports.export       401    403     403    200        200         200   200       404     401     401

# Merges
mergeAccounts own                    401    403    403    403    403    403    200    404    401    401
mergeAccounts own +customers.delete  401    403    403    200    200    200    200    404    401    401
mergeAccounts group +customers.delete 401    403    403    200    200    200    200    404    401    401
mergeAccounts other +customers.delete 401    403    403    404    404    404    200    404    401    401
mergeContacts own                    401    403    403    403    403    403    200    404    401    401
mergeContacts own +customers.delete  401    403    403    200    200    200    200    404    401    401
mergeContacts group +customers.delete 401    403    403    200    200    200    200    404    401    401
mergeContacts other +customers.delete 401    403    403    404    404    404    200    404    401    401
undoMerge own                        401    403    403    403    403    403    200    404    401    401
undoMerge own +customers.delete      401    403    403    200    200    200    200    404    401    401
undoMerge group +customers.delete    401    403    403    200    200    200    200    404    401    401
undoMerge other +customers.delete    401    403    403    404    404    404    200    404    401    401
listMerges                           401    403    403    200    200    200    200    200    401    401
getMerge own                         401    403    403    200    200    200    200    404    401    401
getMerge group                       401    403    403    200    200    200    200    404    401    401
getMerge other                       401    403    403    404    404    404    200    404    401    401

# Custom fields: seen by the team or group that they belong to, and by admins
getFieldSort                         401    403     403    200        200         200   200       200     401     401
putFieldSort own                     401    403     403    403        200         200   200       422     401     401
putFieldSort group                   401    403     403    403        422         422   200       422     401     401
putFieldSort other                   401    403     403    403        422         422   200       422     401     401
putFieldSort company                 401    403     403    403        200         200   200       200     401     401
listFields                           401    403     403    200        200         200   200       200     401     401
createField own                      401    403     403    403        201         201   201       422     401     401
createField group                    401    403     403    403        422         422   201       422     401     401
createField other                    401    403     403    403        422         422   201       422     401     401
getField own                         401    403     403    200        200         200   200       404     401     401
getField group                       401    403     403    404        404         404   200       404     401     401
getField other                       401    403     403    404        404         404   200       404     401     401
getField shared                      401    403     403    200        200         200   200       404     401     401
updateField own                      401    403     403    403        200         200   200       404     401     401
updateField other                    401    403     403    403        404         404   200       404     401     401
updateField shared                   401    403     403    403        403         403   200       404     401     401
deleteField own                      401    403     403    403        204         204   204       404     401     401
deleteField other                    401    403     403    403        404         404   204       404     401     401
deleteField shared                   401    403     403    403        403         403   204       404     401     401
putFieldLinks own                    401    403     403    403        200         200   200       404     401     401
createFieldOption own                401    403     403    403        201         201   201       404     401     401
updateFieldOption own                401    403     403    403        201         201   201       404     401     401
deleteFieldOption own                401    403     403    403        204         204   204       404     401     401

# Products and their categories: everybody sees them
listProductCategories                401    403     403    200        200         200   200       200     401     401
createProductCategory                401    403     403    403        403         403   201       201     401     401
createProductCategory +products.manage  401    403     403    201        201         201   201       201     401     401
getProductCategory                   401    403     403    200        200         200   200       404     401     401
updateProductCategory                401    403     403    403        403         403   200       404     401     401
updateProductCategory +products.manage  401    403     403    200        200         200   200       404     401     401
deleteProductCategory                401    403     403    403        403         403   204       404     401     401
deleteProductCategory +products.manage  401    403     403    204        204         204   204       404     401     401
listProducts                         401    403     403    200        200         200   200       200     401     401
createProduct                        401    403     403    403        403         403   201       422     401     401
createProduct +products.manage       401    403     403    201        201         201   201       422     401     401
getProduct                           401    403     403    200        200         200   200       404     401     401
updateProduct                        401    403     403    403        403         403   200       404     401     401
updateProduct +products.manage       401    403     403    200        200         200   200       404     401     401
deleteProduct                        401    403     403    403        403         403   204       404     401     401
deleteProduct +products.manage       401    403     403    204        204         204   204       404     401     401

# Relations paths and lead types: those of a team are for its members, and who administers its group
listRelationsPaths                   401    403     403    200        200         200   200       200     401     401
createRelationsPath own              401    403     403    403        403         403   201       422     401     401
createRelationsPath own allowed      401    403     403    403        201         201   201       422     401     401
createRelationsPath group allowed    401    403     403    403        422         201   201       422     401     401
createRelationsPath other allowed    401    403     403    403        422         422   201       422     401     401
createRelationsPath teamless allowed 401    403     403    403        403         403   201       201     401     401
getRelationsPath own                 401    403     403    200        200         200   200       404     401     401
getRelationsPath group               401    403     403    404        404         200   200       404     401     401
getRelationsPath other               401    403     403    404        404         404   200       404     401     401
updateRelationsPath own              401    403     403    403        403         403   200       404     401     401
updateRelationsPath own allowed      401    403     403    403        200         200   200       404     401     401
updateRelationsPath group allowed    401    403     403    403        404         200   200       404     401     401
updateRelationsPath other allowed    401    403     403    403        404         404   200       404     401     401
updateRelationsPath shared allowed   401    403     403    403        403         403   200       404     401     401
updateRelationsPath of_group allowed 401    403     403    403        403         200   200       404     401     401
updateRelationsPath own into_group allowed 401 403  403    403        422         200   200       404     401     401
updateRelationsPath own into_other allowed 401 403  403    403        422         422   200       404     401     401
updateRelationsPath own into_company allowed 401 403 403   403        403         403   200       404     401     401
getRelationsPathDeleteImpact own     401    403     403    403        403         403   200       404     401     401
getRelationsPathDeleteImpact own allowed 401    403     403    403        200         200   200       404     401     401
getRelationsPathDeleteImpact group allowed 401    403     403    403        404         200   200       404     401     401
getRelationsPathDeleteImpact other allowed 401    403     403    403        404         404   200       404     401     401
getRelationsPathDeleteImpact shared allowed 401    403     403    403        403         403   200       404     401     401
deleteRelationsPath own              401    403     403    403        403         403   204       404     401     401
deleteRelationsPath own allowed      401    403     403    403        204         204   204       404     401     401
deleteRelationsPath group allowed    401    403     403    403        404         204   204       404     401     401
deleteRelationsPath other allowed    401    403     403    403        404         404   204       404     401     401
deleteRelationsPath shared allowed   401    403     403    403        403         403   204       404     401     401
listLeadTypes                        401    403     403    200        200         200   200       200     401     401
createLeadType own                   401    403     403    403        403         403   201       422     401     401
createLeadType own allowed           401    403     403    403        201         201   201       422     401     401
createLeadType group allowed         401    403     403    403        422         201   201       422     401     401
createLeadType other allowed         401    403     403    403        422         422   201       422     401     401
createLeadType teamless allowed      401    403     403    403        403         403   201       422     401     401
getLeadType own                      401    403     403    200        200         200   200       404     401     401
getLeadType group                    401    403     403    404        404         200   200       404     401     401
getLeadType other                    401    403     403    404        404         404   200       404     401     401
updateLeadType own                   401    403     403    403        403         403   200       404     401     401
updateLeadType own allowed           401    403     403    403        200         200   200       404     401     401
updateLeadType group allowed         401    403     403    403        404         200   200       404     401     401
updateLeadType other allowed         401    403     403    403        404         404   200       404     401     401
updateLeadType shared allowed        401    403     403    403        403         403   200       404     401     401
updateLeadType own into_group allowed 401   403     403    403        422         200   200       404     401     401
updateLeadType own into_company allowed 401 403     403    403        403         403   200       404     401     401
getLeadTypeDeleteImpact own          401    403     403    403        403         403   200       404     401     401
getLeadTypeDeleteImpact own allowed  401    403     403    403        200         200   200       404     401     401
getLeadTypeDeleteImpact group allowed 401    403     403    403        404         200   200       404     401     401
getLeadTypeDeleteImpact other allowed 401    403     403    403        404         404   200       404     401     401
getLeadTypeDeleteImpact shared allowed 401    403     403    403        403         403   200       404     401     401
deleteLeadType own                   401    403     403    403        403         403   204       404     401     401
deleteLeadType own allowed           401    403     403    403        204         204   204       404     401     401
deleteLeadType group allowed         401    403     403    403        404         204   204       404     401     401
deleteLeadType other allowed         401    403     403    403        404         404   204       404     401     401
deleteLeadType shared allowed        401    403     403    403        403         403   204       404     401     401

# Leads: the team of a lead works on it; agency users see and assign those of their agency team
listLeads                            401    403     403    200        200         200   200       200     401     401
listLeadSources                      401    403     403    200        200         200   200       200     401     401
filterLeads                          401    403     403    403        403         403   200       200     401     401
filterLeadsByFilter                  401    403     403    403        403         403   200       200     401     401
createLead own                       401    403     403    201        201         201   201       422     401     401
createLead for_other                 401    403     403    201        201         201   201       422     401     401
getLead own                          401    403     403    200        200         200   200       404     401     401
listLeadDuplicates own               401    403     403    200        200         200   200       404     401     401
explainLead        own               401    403     403    200        200         200   200       404     401     401
getLead group                        401    403     403    200        200         200   200       404     401     401
listLeadDuplicates group             401    403     403    200        200         200   200       404     401     401
explainLead        group             401    403     403    200        200         200   200       404     401     401
getLead other                        401    403     403    404        404         404   200       404     401     401
listLeadDuplicates other             401    403     403    404        404         404   200       404     401     401
explainLead        other             401    403     403    404        404         404   200       404     401     401
getLead own unassigned               401    403     403    404        404         404   200       404     401     401
listLeadDuplicates own unassigned    401    403     403    404        404         404   200       404     401     401
explainLead        own unassigned    401    403     403    404        404         404   200       404     401     401
getLead own unassigned +agency       401    403     403    200        200         200   200       404     401     401
listLeadDuplicates own unassigned +agency 401    403     403    200        200         200   200       404     401     401
explainLead        own unassigned +agency 401    403     403    200        200         200   200       404     401     401
getLead other unassigned +agency     401    403     403    404        404         404   200       404     401     401
listLeadDuplicates other unassigned +agency 401    403     403    404        404         404   200       404     401     401
explainLead        other unassigned +agency 401    403     403    404        404         404   200       404     401     401
updateLead own                       401    403     403    200        200         200   200       404     401     401
updateLead group                     401    403     403    200        200         200   200       404     401     401
updateLead other                     401    403     403    404        404         404   200       404     401     401
deleteLead own                       401    403     403    403        403         403   204       404     401     401
deleteLead own +leads.delete         401    403     403    204        204         204   204       404     401     401
deleteLead group +leads.delete       401    403     403    204        204         204   204       404     401     401
deleteLead other +leads.delete       401    403     403    404        404         404   204       404     401     401
acceptLead own                       401    403     403    200        200         200   200       404     401     401
acceptLead group                     401    403     403    403        403         403   200       404     401     401
acceptLead other                     401    403     403    404        404         404   200       404     401     401
rejectLead own                       401    403     403    200        200         200   200       404     401     401
rejectLead group                     401    403     403    403        403         403   200       404     401     401
rejectLead other                     401    403     403    404        404         404   200       404     401     401
assignLead own                       401    403     403    403        403         403   201       404     401     401
assignLead own +agency               401    403     403    201        201         201   201       404     401     401
assignLead other +agency             401    403     403    404        404         404   201       404     401     401
assignLeadToTeam own                 401    403     403    403        403         403   200       404     401     401
assignLeadToTeam own +agency         401    403     403    200        200         200   200       404     401     401
assignLeadToTeam other +agency       401    403     403    404        404         404   200       404     401     401
callLead own                         401    403     403    403        403         403   200       404     401     401
callLead own +agency                 401    403     403    200        200         200   200       404     401     401
callLead other +agency               401    403     403    404        404         404   200       404     401     401
listAssignableLeads                  401    403    403     403    403        403         200     200     401     401
listAssignableLeads +agency          401    403    403     200    200        200         200     200     401     401
listRejectedLeads                    401    403    403     403    403        403         200     200     401     401
listRejectedLeads +agency            401    403    403     200    200        200         200     200     401     401
listEscalatedLeads                   401    403    403     403    403        403         200     200     401     401
listEscalatedLeads +agency           401    403    403     200    200        200         200     200     401     401
listCalledLeads                      401    403    403     403    403        403         200     200     401     401
listCalledLeads +agency              401    403    403     200    200        200         200     200     401     401
listRevokedLeads                     401    403    403     403    403        403         200     200     401     401
listRevokedLeads +agency             401    403    403     200    200        200         200     200     401     401
listDealers                          401    403    403     403    403        403         200     200     401     401
listDealers +agency                  401    403    403     200    200        200         200     200     401     401
getDealer                            401    403    403     403    403        403         200     404     401     401
getDealer +agency                    401    403    403     200    200        200         200     404     401     401
listAssignableTeams own              401    403    403     403    403        403         200     404     401     401
listAssignableTeams own +agency      401    403    403     200    200        200         200     404     401     401
listAssignableTeams group +agency    401    403    403     403    403        403         200     404     401     401
listAssignableTeams other +agency    401    403    403     404    404        404         200     404     401     401

# Cases and activities
listCases                            401    403     403    200        200         200   200       200     401     401
getBoard                             401    403     403    200        200         200   200       422     401     401
createCase own                       401    403     403    201        201         201   201       422     401     401
createCase group                     401    403     403    422        422         201   201       422     401     401
createCase other                     401    403     403    422        422         422   201       422     401     401
getCase own                          401    403     403    200        200         200   200       404     401     401
getCase group                        401    403     403    200        200         200   200       404     401     401
getCase other                        401    403     403    404        404         404   200       404     401     401
getCase shared                       401    403     403    200        200         200   200       404     401     401
listCasesOfAccount own               401    403     403    200        200         200   200       404     401     401
listCasesOfAccount group             401    403     403    200        200         200   200       404     401     401
listCasesOfAccount shared            401    403     403    200        200         200   200       404     401     401
listCasesOfAccount other             401    403     403    404        404         404   200       404     401     401
declineCase own                      401    403     403    200        200         200   200       404     401     401
declineCase group                    401    403     403    200        200         200   200       404     401     401
declineCase shared                   401    403     403    200        200         200   200       404     401     401
declineCase other                    401    403     403    404        404         404   200       404     401     401
setChanceOfSuccess own               401    403     403    200        200         200   200       404     401     401
setChanceOfSuccess group             401    403     403    200        200         200   200       404     401     401
setChanceOfSuccess shared            401    403     403    200        200         200   200       404     401     401
setChanceOfSuccess other             401    403     403    404        404         404   200       404     401     401
setEstimatedCloseDate own            401    403     403    200        200         200   200       404     401     401
setEstimatedCloseDate group          401    403     403    200        200         200   200       404     401     401
setEstimatedCloseDate shared         401    403     403    200        200         200   200       404     401     401
setEstimatedCloseDate other          401    403     403    404        404         404   200       404     401     401
updateCase own                       401    403     403    200        200         200   200       404     401     401
updateCase group                     401    403     403    200        200         200   200       404     401     401
updateCase other                     401    403     403    404        404         404   200       404     401     401
updateCase shared                    401    403     403    200        200         200   200       404     401     401
updateCase own to_group              401    403     403    422        422         200   200       404     401     401
updateCase own to_other              401    403     403    422        422         422   200       404     401     401
deleteCase own                       401    403     403    403        204         204   204       404     401     401
deleteCase group                     401    403     403    403        204         204   204       404     401     401
deleteCase shared                    401    403     403    403        204         204   204       404     401     401
deleteCase other                     401    403     403    403        404         404   204       404     401     401
listActivities own                   401    403     403    200        200         200   200       404     401     401
listActivities other                 401    403     403    404        404         404   200       404     401     401
createActivity own                   401    403     403    201        201         201   201       404     401     401
createActivity group                 401    403     403    201        201         201   201       404     401     401
createActivity other                 401    403     403    404        404         404   201       404     401     401
getActivity own                      401    403     403    200        200         200   200       404     401     401
getActivity other                    401    403     403    404        404         404   200       404     401     401
listCorrespondences own              401    403     403    200        200         200   200       404     401     401
listCorrespondences other            401    403     403    404        404         404   200       404     401     401
getCorrespondence own                401    403     403    200        200         200   200       404     401     401
getCorrespondence other              401    403     403    404        404         404   200       404     401     401
getLetter own                        401    403     403    303        303         303   303       404     401     401
getLetter other                      401    403     403    404        404         404   303       404     401     401
notifyOfCorrespondence own           401    403     403    202        202         202   202       404     401     401
notifyOfCorrespondence other         401    403     403    404        404         404   202       404     401     401

# Tasks and the timeline: of those who see the case
listTasks                            401    403     403    200        200         200   200       200     401     401
createTask own                       401    403     403    201        201         201   201       404     401     401
createTask group                     401    403     403    201        201         201   201       404     401     401
createTask other                     401    403     403    404        404         404   201       404     401     401
createTask shared                    401    403     403    201        201         201   201       404     401     401
getTask own                          401    403     403    200        200         200   200       404     401     401
getTask group                        401    403     403    200        200         200   200       404     401     401
getTask other                        401    403     403    404        404         404   200       404     401     401
getTask shared                       401    403     403    200        200         200   200       404     401     401
updateTask own                       401    403     403    200        200         200   200       404     401     401
updateTask group                     401    403     403    200        200         200   200       404     401     401
updateTask other                     401    403     403    404        404         404   200       404     401     401
updateTask shared                    401    403     403    200        200         200   200       404     401     401
deleteTask own                       401    403     403    204        204         204   204       404     401     401
deleteTask group                     401    403     403    204        204         204   204       404     401     401
deleteTask other                     401    403     403    404        404         404   204       404     401     401
listTimeline own                     401    403     403    200        200         200   200       404     401     401
listTimeline group                   401    403     403    200        200         200   200       404     401     401
listTimeline other                   401    403     403    404        404         404   200       404     401     401
listTimeline shared                  401    403     403    200        200         200   200       404     401     401
createTimelineEvent own              401    403     403    201        201         201   201       404     401     401
createTimelineEvent group            401    403     403    201        201         201   201       404     401     401
createTimelineEvent other            401    403     403    404        404         404   201       404     401     401

# Templates: a user writes those of own teams, a group admin those of own groups and of their teams
listTemplates                        401    403     403    200        200         200   200       200     401     401
listPlaceholders                     401    403     403    200        200         200   200       200     401     401
createTemplate own                   401    403     403    201        201         201   201       422     401     401
createTemplate group                 401    403     403    422        422         201   201       422     401     401
createTemplate other                 401    403     403    422        422         422   201       422     401     401
createTemplate into_company          401    403     403    403        403         403   201       201     401     401
previewTemplate own                  401    403     403    200        200         200   200       422     401     401
previewTemplate group                401    403     403    200        200         200   200       422     401     401
previewTemplate other                401    403     403    422        422         422   200       422     401     401
getTemplate own                      401    403     403    200        200         200   200       404     401     401
getTemplate group                    401    403     403    200        200         200   200       404     401     401
getTemplate other                    401    403     403    404        404         404   200       404     401     401
getTemplate shared                   401    403     403    200        200         200   200       404     401     401
updateTemplate own                   401    403     403    200        200         200   200       404     401     401
updateTemplate group                 401    403     403    403        403         200   200       404     401     401
updateTemplate other                 401    403     403    404        404         404   200       404     401     401
updateTemplate shared                401    403     403    403        403         403   200       404     401     401
updateTemplate own into_group        401    403     403    422        422         200   200       404     401     401
updateTemplate own into_company      401    403     403    403        403         403   200       404     401     401
getTemplateDeleteImpact own          401    403     403    200        200         200   200       404     401     401
getTemplateDeleteImpact group        401    403     403    403        403         200   200       404     401     401
getTemplateDeleteImpact other        401    403     403    404        404         404   200       404     401     401
getTemplateDeleteImpact shared       401    403     403    403        403         403   200       404     401     401
deleteTemplate own                   401    403     403    204        204         204   204       404     401     401
deleteTemplate group                 401    403     403    403        403         204   204       404     401     401
deleteTemplate other                 401    403     403    404        404         404   204       404     401     401
deleteTemplate shared                401    403     403    403        403         403   204       404     401     401

# Automated communications: as templates, with a right that ordinary users cannot use
listAutomatedCommunications          401     403     403     200     200     200     200     200     401     401
createAutomatedCommunication own     401     403     403     403     403     403     201     422     401     401
createAutomatedCommunication own +automations.manage 401     403     403     403     201     201     201     422     401     401
createAutomatedCommunication group +automations.manage 401     403     403     403     422     201     201     422     401     401
createAutomatedCommunication other +automations.manage 401     403     403     403     422     422     201     422     401     401
createAutomatedCommunication into_company +automations.manage 401     403     403     403     403     403     201     201     401     401
getAutomatedCommunication own        401     403     403     200     200     200     200     404     401     401
getAutomatedCommunication group      401     403     403     200     200     200     200     404     401     401
getAutomatedCommunication other      401     403     403     404     404     404     200     404     401     401
getAutomatedCommunication shared     401     403     403     200     200     200     200     404     401     401
updateAutomatedCommunication own     401     403     403     403     403     403     200     404     401     401
updateAutomatedCommunication own +automations.manage 401     403     403     403     200     200     200     404     401     401
updateAutomatedCommunication group +automations.manage 401     403     403     403     403     200     200     404     401     401
updateAutomatedCommunication other +automations.manage 401     403     403     403     404     404     200     404     401     401
updateAutomatedCommunication shared +automations.manage 401     403     403     403     403     403     200     404     401     401
updateAutomatedCommunication own into_group +automations.manage 401     403     403     403     422     200     200     404     401     401
updateAutomatedCommunication own into_company +automations.manage 401     403     403     403     403     403     200     404     401     401
deleteAutomatedCommunication own     401     403     403     403     403     403     204     404     401     401
deleteAutomatedCommunication own +automations.manage 401     403     403     403     204     204     204     404     401     401
deleteAutomatedCommunication group +automations.manage 401     403     403     403     403     204     204     404     401     401
deleteAutomatedCommunication other +automations.manage 401     403     403     403     404     404     204     404     401     401
deleteAutomatedCommunication shared +automations.manage 401     403     403     403     403     403     204     404     401     401
listCaseAutomatedCommunications own  401     403     403     200     200     200     200     404     401     401
listCaseAutomatedCommunications group 401     403     403     200     200     200     200     404     401     401
listCaseAutomatedCommunications other 401     403     403     404     404     404     200     404     401     401
listCaseAutomatedCommunications shared 401     403     403     200     200     200     200     404     401     401
cancelCaseAutomatedCommunication own 401     403     403     204     204     204     204     404     401     401
cancelCaseAutomatedCommunication group 401     403     403     204     204     204     204     404     401     401
cancelCaseAutomatedCommunication other 401     403     403     404     404     404     204     404     401     401
cancelCaseAutomatedCommunication shared 401     403     403     204     204     204     204     404     401     401

# Campaigns: as templates, with a right
getCampaignSettings                  401    403     403    403        403         403   200       200     401     401
getCampaignSettings +campaigns.manage 401   403     403    200        200         200   200       200     401     401
updateCampaignSettings               401    403     403    403        403         403   200       200     401     401
updateCampaignSettings +campaigns.manage 401 403    403    200        200         200   200       200     401     401
listRefusals                         401    403     403    403        403         403   200       200     401     401
listRefusals +campaigns.manage       401    403     403    200        200         200   200       200     401     401
liftRefusals                         401    403     403    403        403         403   204       204     401     401
liftRefusals +campaigns.manage       401    403     403    204        204         204   204       204     401     401
listCampaigns                        401    403     403    200        200         200   200       200     401     401
createCampaign own                   401    403     403    403        403         403   201       422     401     401
createCampaign own +campaigns.manage 401    403     403    201        201         201   201       422     401     401
createCampaign group +campaigns.manage 401  403     403    422        422         201   201       422     401     401
createCampaign other +campaigns.manage 401  403     403    422        422         422   201       422     401     401
createCampaign into_company +campaigns.manage 401 403 403  403        403         403   201       201     401     401
createCampaign own approved +campaigns.manage 401 403 403  403        403         403   201       422     401     401
createCampaign own approved +campaigns.send 401 403 403    201        201         201   201       422     401     401
getCampaign own                      401    403     403    200        200         200   200       404     401     401
getCampaign group                    401    403     403    200        200         200   200       404     401     401
getCampaign other                    401    403     403    404        404         404   200       404     401     401
getCampaign shared                   401    403     403    200        200         200   200       404     401     401
updateCampaign own                   401    403     403    403        403         403   200       404     401     401
updateCampaign own +campaigns.manage 401    403     403    200        200         200   200       404     401     401
updateCampaign group +campaigns.manage 401  403     403    403        403         200   200       404     401     401
updateCampaign other +campaigns.manage 401  403     403    404        404         404   200       404     401     401
updateCampaign shared +campaigns.manage 401 403     403    403        403         403   200       404     401     401
updateCampaign own into_group +campaigns.manage 401 403 403 422       422         200   200       404     401     401
updateCampaign own into_company +campaigns.manage 401 403 403 403     403         403   200       404     401     401
deleteCampaign own                   401    403     403    403        403         403   204       404     401     401
deleteCampaign own +campaigns.manage 401    403     403    204        204         204   204       404     401     401
deleteCampaign group +campaigns.manage 401  403     403    403        403         204   204       404     401     401
deleteCampaign other +campaigns.manage 401  403     403    404        404         404   204       404     401     401
deleteCampaign shared +campaigns.manage 401 403     403    403        403         403   204       404     401     401
copyCampaign own                     401    403     403    403        403         403   201       404     401     401
copyCampaign own +campaigns.manage   401    403     403    201        201         201   201       404     401     401
copyCampaign group +campaigns.manage 401    403     403    201        201         201   201       404     401     401
copyCampaign other +campaigns.manage 401    403     403    404        404         404   201       404     401     401
copyCampaign shared +campaigns.manage 401   403     403    201        201         201   201       404     401     401
testNewCampaign own                  401    403     403    403        403         403   202       422     401     401
testNewCampaign own +campaigns.manage 401   403     403    202        202         202   202       422     401     401
testCampaign own                     401    403     403    403        403         403   202       404     401     401
testCampaign own +campaigns.manage   401    403     403    202        202         202   202       404     401     401
testCampaign other +campaigns.manage 401    403     403    404        404         404   202       404     401     401
countCampaignRecipients own          401    403     403    403        403         403   200       404     401     401
countCampaignRecipients own +campaigns.manage 401 403 403  200        200         200   200       404     401     401
countCampaignRecipients group +campaigns.manage 401 403 403 200       200         200   200       404     401     401
countCampaignRecipients other +campaigns.manage 401 403 403 404       404         404   200       404     401     401
countCampaignRecipients shared +campaigns.manage 401 403 403 200      200         200   200       404     401     401
stopCampaign own                     401    403     403    403        403         403   200       404     401     401
stopCampaign own +campaigns.send     401    403     403    200        200         200   200       404     401     401
stopCampaign group +campaigns.send   401    403     403    403        403         200   200       404     401     401
stopCampaign other +campaigns.send   401    403     403    404        404         404   200       404     401     401
stopCampaign shared +campaigns.send  401    403     403    403        403         403   200       404     401     401
stopCampaign other                   401    403     403    403        403         403   200       404     401     401
getCampaignLetters own               401    403     403    403        403         403   202       404     401     401
getCampaignLetters own +campaigns.manage 401 403   403    202        202         202   202       404     401     401
getCampaignLetters other +campaigns.manage 401 403 403    404        404         404   202       404     401     401
listCampaignMessages own             401    403     403    200        200         200   200       404     401     401
listCampaignMessages group           401    403     403    200        200         200   200       404     401     401
listCampaignMessages other           401    403     403    404        404         404   200       404     401     401
listCampaignMessages shared          401    403     403    200        200         200   200       404     401     401
getCampaignMessage own               401    403     403    200        200         200   200       404     401     401
getCampaignMessage group             401    403     403    200        200         200   200       404     401     401
getCampaignMessage other             401    403     403    404        404         404   200       404     401     401
getCampaignMessage shared            401    403     403    200        200         200   200       404     401     401

# Notes: seen with their case or contact; their author changes and deletes them, an admin deletes them
listNotes                            401    403     403    200        200         200   200       200     401     401
createNote own                       401    403     403    201        201         201   201       422     401     401
createNote group                     401    403     403    201        201         201   201       422     401     401
createNote other                     401    403     403    422        422         422   201       422     401     401
createNote shared                    401    403     403    201        201         201   201       422     401     401
getNote own                          401    403     403    200        200         200   200       404     401     401
getNote group                        401    403     403    200        200         200   200       404     401     401
getNote other                        401    403     403    404        404         404   200       404     401     401
getNote shared                       401    403     403    200        200         200   200       404     401     401
updateNote self                      401    403     403    201        201         201   201       404     401     401
updateNote own                       401    403     403    403        403         403   403       404     401     401
updateNote other                     401    403     403    404        404         404   403       404     401     401
deleteNote self                      401    403     403    204        204         204   204       404     401     401
deleteNote own                       401    403     403    403        403         403   204       404     401     401
deleteNote group                     401    403     403    403        403         403   204       404     401     401
deleteNote other                     401    403     403    404        404         404   204       404     401     401

# Files: read by their owner, those of their permissions, and admins; changed by the owner and admins
listFiles                            401    403     403    200        200         200   200       200     401     401
createFile                           401    403     403    201        201         201   201       201     401     401
createFile public                    401    403     403    403        403         403   201       201     401     401
createFile public +files.publish     401    403     403    201        201         201   201       201     401     401
getFileUsage                         401    403     403    200        200         200   200       200     401     401
getFile own                          401    403     403    200        200         200   200       404     401     401
getFile group                        401    403     403    404        404         404   200       404     401     401
getFile other                        401    403     403    404        404         404   200       404     401     401
getFile shared                       401    403     403    200        200         200   200       404     401     401
getFile self                         401    403     403    200        200         200   200       404     401     401
downloadFile own                     401    403     403    303        303         303   303       404     401     401
downloadFile group                   401    403     403    404        404         404   303       404     401     401
downloadFile other                   401    403     403    404        404         404   303       404     401     401
downloadFile shared                  401    403     403    303        303         303   303       404     401     401
downloadFile self                    401    403     403    303        303         303   303       404     401     401
updateFile own                       401    403     403    403        403         403   200       404     401     401
updateFile group                     401    403     403    404        404         404   200       404     401     401
updateFile other                     401    403     403    404        404         404   200       404     401     401
updateFile shared                    401    403     403    403        403         403   200       404     401     401
updateFile self                      401    403     403    200        200         200   200       404     401     401
replaceFile own                      401    403     403    403        403         403   200       404     401     401
replaceFile group                    401    403     403    404        404         404   200       404     401     401
replaceFile other                    401    403     403    404        404         404   200       404     401     401
replaceFile shared                   401    403     403    403        403         403   200       404     401     401
replaceFile self                     401    403     403    200        200         200   200       404     401     401
deleteFile own                       401    403     403    403        403         403   204       404     401     401
deleteFile group                     401    403     403    404        404         404   204       404     401     401
deleteFile other                     401    403     403    404        404         404   204       404     401     401
deleteFile shared                    401    403     403    403        403         403   204       404     401     401
deleteFile self                      401    403     403    204        204         204   204       404     401     401
updateFile self public               401    403     403    403        403         403   200       404     401     401
updateFile self public +files.publish 401    403     403    200        200         200   200       404     401     401

# Files of records: read with the record, attached and detached by those who may update it
listAccountFiles own                 401    403     403    200        200         200   200       404     401     401
listAccountFiles group               401    403     403    200        200         200   200       404     401     401
listAccountFiles other               401    403     403    404        404         404   200       404     401     401
listAccountFiles shared              401    403     403    200        200         200   200       404     401     401
attachAccountFiles own               401    403     403    204        204         204   204       404     401     401
attachAccountFiles group             401    403     403    204        204         204   204       404     401     401
attachAccountFiles other             401    403     403    404        404         404   204       404     401     401
attachAccountFiles shared            401    403     403    204        204         204   204       404     401     401
detachAccountFiles own               401    403     403    204        204         204   204       404     401     401
detachAccountFiles group             401    403     403    204        204         204   204       404     401     401
detachAccountFiles other             401    403     403    404        404         404   204       404     401     401
detachAccountFiles shared            401    403     403    204        204         204   204       404     401     401
getAccountFile own                   401    403     403    200        200         200   200       404     401     401
getAccountFile group                 401    403     403    200        200         200   200       404     401     401
getAccountFile other                 401    403     403    404        404         404   200       404     401     401
getAccountFile shared                401    403     403    200        200         200   200       404     401     401
downloadAccountFile own              401    403     403    303        303         303   303       404     401     401
downloadAccountFile group            401    403     403    303        303         303   303       404     401     401
downloadAccountFile other            401    403     403    404        404         404   303       404     401     401
downloadAccountFile shared           401    403     403    303        303         303   303       404     401     401
listContactFiles own                 401    403     403    200        200         200   200       404     401     401
listContactFiles group               401    403     403    200        200         200   200       404     401     401
listContactFiles other               401    403     403    404        404         404   200       404     401     401
listContactFiles shared              401    403     403    200        200         200   200       404     401     401
attachContactFiles own               401    403     403    204        204         204   204       404     401     401
attachContactFiles group             401    403     403    204        204         204   204       404     401     401
attachContactFiles other             401    403     403    404        404         404   204       404     401     401
attachContactFiles shared            401    403     403    204        204         204   204       404     401     401
detachContactFiles own               401    403     403    204        204         204   204       404     401     401
detachContactFiles group             401    403     403    204        204         204   204       404     401     401
detachContactFiles other             401    403     403    404        404         404   204       404     401     401
detachContactFiles shared            401    403     403    204        204         204   204       404     401     401
getContactFile own                   401    403     403    200        200         200   200       404     401     401
getContactFile group                 401    403     403    200        200         200   200       404     401     401
getContactFile other                 401    403     403    404        404         404   200       404     401     401
getContactFile shared                401    403     403    200        200         200   200       404     401     401
downloadContactFile own              401    403     403    303        303         303   303       404     401     401
downloadContactFile group            401    403     403    303        303         303   303       404     401     401
downloadContactFile other            401    403     403    404        404         404   303       404     401     401
downloadContactFile shared           401    403     403    303        303         303   303       404     401     401
listCaseFiles own                    401    403     403    200        200         200   200       404     401     401
listCaseFiles group                  401    403     403    200        200         200   200       404     401     401
listCaseFiles other                  401    403     403    404        404         404   200       404     401     401
listCaseFiles shared                 401    403     403    200        200         200   200       404     401     401
attachCaseFiles own                  401    403     403    204        204         204   204       404     401     401
attachCaseFiles group                401    403     403    204        204         204   204       404     401     401
attachCaseFiles other                401    403     403    404        404         404   204       404     401     401
attachCaseFiles shared               401    403     403    204        204         204   204       404     401     401
detachCaseFiles own                  401    403     403    204        204         204   204       404     401     401
detachCaseFiles group                401    403     403    204        204         204   204       404     401     401
detachCaseFiles other                401    403     403    404        404         404   204       404     401     401
detachCaseFiles shared               401    403     403    204        204         204   204       404     401     401
getCaseFile own                      401    403     403    200        200         200   200       404     401     401
getCaseFile group                    401    403     403    200        200         200   200       404     401     401
getCaseFile other                    401    403     403    404        404         404   200       404     401     401
getCaseFile shared                   401    403     403    200        200         200   200       404     401     401
downloadCaseFile own                 401    403     403    303        303         303   303       404     401     401
downloadCaseFile group               401    403     403    303        303         303   303       404     401     401
downloadCaseFile other               401    403     403    404        404         404   303       404     401     401
downloadCaseFile shared              401    403     403    303        303         303   303       404     401     401
listLeadFiles own                    401    403     403    200        200         200   200       404     401     401
listLeadFiles group                  401    403     403    200        200         200   200       404     401     401
listLeadFiles other                  401    403     403    404        404         404   200       404     401     401
attachLeadFiles own                  401    403     403    204        204         204   204       404     401     401
attachLeadFiles group                401    403     403    204        204         204   204       404     401     401
attachLeadFiles other                401    403     403    404        404         404   204       404     401     401
detachLeadFiles own                  401    403     403    204        204         204   204       404     401     401
detachLeadFiles group                401    403     403    204        204         204   204       404     401     401
detachLeadFiles other                401    403     403    404        404         404   204       404     401     401
getLeadFile own                      401    403     403    200        200         200   200       404     401     401
getLeadFile group                    401    403     403    200        200         200   200       404     401     401
getLeadFile other                    401    403     403    404        404         404   200       404     401     401
downloadLeadFile own                 401    403     403    303        303         303   303       404     401     401
downloadLeadFile group               401    403     403    303        303         303   303       404     401     401
downloadLeadFile other               401    403     403    404        404         404   303       404     401     401

# Files of folders: of the company, read by all and written by admins; of teams by those who read and write them
listFolderFiles                      401    403     403    200        200         200   200       404     401     401
listFolderFiles in_team              401    403     403    200        200         200   200       404     401     401
listFolderFiles group in_team        401    403     403    404        404         200   200       404     401     401
listFolderFiles other in_team        401    403     403    404        404         404   200       404     401     401
attachFolderFiles                    401    403     403    403        403         403   204       404     401     401
attachFolderFiles self               401    403     403    204        204         204   204       404     401     401
attachFolderFiles self in_team       401    403     403    403        204         204   204       404     401     401
attachFolderFiles group self in_team 401    403     403    404        404         204   204       404     401     401
attachFolderFiles other self in_team 401    403     403    404        404         404   204       404     401     401
detachFolderFiles                    401    403     403    403        403         403   204       404     401     401
detachFolderFiles in_team            401    403     403    403        204         204   204       404     401     401
detachFolderFiles other in_team      401    403     403    404        404         404   204       404     401     401
getFolderFile                        401    403     403    200        200         200   200       404     401     401
downloadFolderFile                   401    403     403    303        303         303   303       404     401     401

# File manager: the company's folders and files are read by all and written by admins
listFileManager                      401    403     403    200        200         200   200       200     401     401
createFolder                         401    403     403    403        403         403   200       200     401     401
createFolder in_team                 401    403     403    403        200         200   200       422     401     401
getFolder                            401    403     403    200        200         200   200       404     401     401
updateFolder                         401    403     403    403        403         403   200       404     401     401
deleteFolder                         401    403     403    403        403         403   204       404     401     401
uploadCompanyFile                    401    403     403    403        403         403   201       201     401     401
uploadGroupFile                      401    403     403    403        403         201   201       422     401     401
uploadTeamFile                       401    403     403    403        201         201   201       422     401     401
uploadUserFile                       401    403     403    201        201         201   201       201     401     401
uploadFileToFolder                   401    403     403    403        403         403   201       404     401     401
downloadManagedFile                  401    403     403    303        303         303   303       404     401     401
updateManagedFile                    401    403     403    403        403         403   200       404     401     401
deleteManagedFile                    401    403     403    403        403         403   204       404     401     401
deleteManagedFiles                   401    403     403    404        404         404   204       404     401     401

# Published pictures: of files that the caller may change. Withdrawing needs no right
publishPicture                       401    403     403    403        403         403   201       422     401     401
publishPicture +files.publish        401    403     403    403        403         403   201       422     401     401
publishPicture other +files.publish  401    403     403    422        422         422   201       422     401     401
publishPicture self                  401    403     403    403        403         403   201       422     401     401
publishPicture self +files.publish   401    403     403    201        201         201   201       422     401     401
withdrawPicture                      401    403     403    403        403         403   204       404     401     401
withdrawPicture other                401    403     403    404        404         404   204       404     401     401
withdrawPicture self                 401    403     403    204        204         204   204       404     401     401

# Notifications: each user's own. The last user to register a device has it
listNotifications                    401    403     403    200        200         200   200       200     401     401
sendNotification own                 401    403     403    202        202         202   202       422     401     401
sendNotification other               401    403     403    202        202         202   202       422     401     401
readNotification                     401    403     403    404        404         404   404       404     401     401
readNotification self                401    403     403    204        204         204   204       404     401     401
reopenNotification                   401    403     403    404        404         404   404       404     401     401
reopenNotification self              401    403     403    204        204         204   204       404     401     401
readAllNotifications                 401    403     403    204        204         204   204       204     401     401
getNotificationPreferences           401    403     403    200        200         200   200       200     401     401
updateNotificationPreferences        401    403     403    200        200         200   200       200     401     401
registerDevice                       401    403     403    204        204         204   204       204     401     401
removeDevice                         401    403     403    404        404         404   404       404     401     401
removeDevice self                    401    403     403    204        204         204   204       404     401     401

# Reports: figures are of what the caller sees
listIndicators                       401    403     403    200        200         200   200       200     401     401
listIndicatorSets                    401    403     403    200        200         200   200       200     401     401
createIndicatorSet private           401    403     403    200        200         200   200       200     401     401
createIndicatorSet own               401    403     403    200        200         200   200       422     401     401
createIndicatorSet group             401    403     403    422        422         200   200       422     401     401
createIndicatorSet other             401    403     403    422        422         422   200       422     401     401
createIndicatorSet into_company      401    403     403    403        403         403   200       200     401     401
getIndicatorSet own                  401    403     403    200        200         200   200       404     401     401
getIndicatorSet group                401    403     403    200        200         200   200       404     401     401
getIndicatorSet other                401    403     403    404        404         404   200       404     401     401
getIndicatorSet shared               401    403     403    200        200         200   200       404     401     401
updateIndicatorSet own               401    403     403    200        200         200   200       404     401     401
updateIndicatorSet group             401    403     403    403        403         200   200       404     401     401
updateIndicatorSet other             401    403     403    404        404         404   200       404     401     401
updateIndicatorSet shared            401    403     403    403        403         403   200       404     401     401
updateIndicatorSet own into_group    401    403     403    422        422         200   200       404     401     401
updateIndicatorSet own into_company  401    403     403    403        403         403   200       404     401     401
updateIndicatorSet own private       401    403     403    403        403         403   403       404     401     401
getIndicatorSetDeleteImpact own      401    403     403    200        200         200   200       404     401     401
getIndicatorSetDeleteImpact group    401    403     403    403        403         200   200       404     401     401
getIndicatorSetDeleteImpact other    401    403     403    404        404         404   200       404     401     401
getIndicatorSetDeleteImpact shared   401    403     403    403        403         403   200       404     401     401
deleteIndicatorSet own               401    403     403    204        204         204   204       404     401     401
deleteIndicatorSet group             401    403     403    403        403         204   204       404     401     401
deleteIndicatorSet other             401    403     403    404        404         404   204       404     401     401
deleteIndicatorSet shared            401    403     403    403        403         403   204       404     401     401
listScheduledReports                 401    403    403     200    200        200         200   200     401     401
createScheduledReport own            401    403    403     403    403        403         200   422     401     401
createScheduledReport own +reports.schedule 401    403    403     200    200        200         200   422     401     401
createScheduledReport groups +reports.schedule 401    403    403     403    403        403         200   422     401     401
createScheduledReport teams +reports.schedule 401    403    403     403    403        200         200   422     401     401
getScheduledReport                   401    403    403     404    404        404         200   404     401     401
getScheduledReport self              401    403    403     200    200        200         200   404     401     401
updateScheduledReport                401    403    403     403    403        403         200   404     401     401
updateScheduledReport +reports.schedule 401    403    403     404    404        404         200   404     401     401
deleteScheduledReport                401    403    403     403    403        403         204   404     401     401
deleteScheduledReport +reports.schedule 401    403    403     404    404        404         204   404     401     401
sendScheduledReport                  401    403    403     403    403        403         202   404     401     401
sendScheduledReport +reports.schedule 401    403    403     404    404        404         202   404     401     401
getReportDelivery                    401    403    403     404    404        404         200   404     401     401
getReportDelivery self               401    403    403     200    200        200         200   404     401     401
getPipeline                          401    403    403     200    200        200         200   200     401     401
getMilestonePipeline                 401    403    403     200    200        200         200   404     401     401
listMilestoneCases                   401    403    403     200    200        200         200   404     401     401
getPerformance                       401    403    403     200    200        200         200   200     401     401
notifyPerformance                    401    403    403     204    204        204         204   422     401     401
exportPerformance                    401    403    403     200    200        200         200   200     401     401
getMetrics                           401    403     403    200        200         200   200       200     401     401
exportReport                         401    403     403    403        403         403   200       200     401     401
exportReport +reports.export         401    403     403    200        200         200   200       200     401     401
createReportExport                   401    403     403    403        403         403   200       200     401     401
createReportExport +reports.export   401    403     403    200        200         200   200       200     401     401
getReportExport                      401    403     403    403        403         403   404       404     401     401
getReportExport +reports.export      401    403     403    404        404         404   404       404     401     401
getReportExport self +reports.export 401    403     403    200        200         200   200       404     401     401
getTimeSeries                        401    403     403    200        200         200   200       200     401     401
getMetricsChart                      401    403     403    200        200         200   200       200     401     401
getTimeSeriesChart                   401    403     403    200        200         200   200       200     401     401
createChart                          401    403     403    200        200         200   200       200     401     401
getAverages                          401    403     403    200        200         200   200       200     401     401

# Gamification: the stream shows colleagues of own teams and groups, and admins everybody
listBadges                           401    403     403    200        200         200   200       200     401     401
getLevel                             401    403     403    200        200         200   200       200     401     401
listStream                           401    403     403    200        200         200   200       200     401     401
giveHighFive own                     401    403     403    204        204         204   204       404     401     401
giveHighFive group                   401    403     403    204        204         204   204       404     401     401
giveHighFive other                   401    403     403    404        404         404   204       404     401     401
giveHighFive shared                  401    403     403    404        404         404   204       404     401     401
listHighFives own                    401    403     403    200        200         200   200       404     401     401
listHighFives group                  401    403     403    200        200         200   200       404     401     401
listHighFives other                  401    403     403    404        404         404   200       404     401     401
listHighFives shared                 401    403     403    404        404         404   200       404     401     401

# Gamification: ranks are seen as templates are; a right that ordinary users cannot use. Team admins write for their active team
listRanks                            401    403     403    200        200         200   200       200     401     401
createRank own                       401    403     403    403        403         403   201       422     401     401
createRank own +ranks.manage         401    403     403    403        201         201   201       422     401     401
createRank group +ranks.manage       401    403     403    403        422         201   201       422     401     401
createRank other +ranks.manage       401    403     403    403        422         422   201       422     401     401
createRank into_company +ranks.manage 401   403     403    403        403         403   201       201     401     401
getRank own                          401    403     403    200        200         200   200       404     401     401
getRank group                        401    403     403    200        200         200   200       404     401     401
getRank other                        401    403     403    404        404         404   200       404     401     401
getRank shared                       401    403     403    200        200         200   200       404     401     401
updateRank own                       401    403     403    403        403         403   200       404     401     401
updateRank own +ranks.manage         401    403     403    403        200         200   200       404     401     401
updateRank group +ranks.manage       401    403     403    403        403         200   200       404     401     401
updateRank other +ranks.manage       401    403     403    403        404         404   200       404     401     401
updateRank shared +ranks.manage      401    403     403    403        403         403   200       404     401     401
deleteRank own                       401    403     403    403        403         403   204       404     401     401
deleteRank own +ranks.manage         401    403     403    403        204         204   204       404     401     401
deleteRank group +ranks.manage       401    403     403    403        403         204   204       404     401     401
deleteRank other +ranks.manage       401    403     403    403        404         404   204       404     401     401
deleteRank shared +ranks.manage      401    403     403    403        403         403   204       404     401     401
getRankScores own                    401    403     403    200        200         200   200       404     401     401
getRankScores group                  401    403     403    200        200         200   200       404     401     401
getRankScores other                  401    403     403    404        404         404   200       404     401     401
getRankScores shared                 401    403     403    200        200         200   200       404     401     401

# Webhooks: everybody sees their own, an admin all of the company
listWebhookEvents                    401    403     403    200        200         200   200       200     401     401
listWebhooks                         401    403     403    200        200         200   200       200     401     401
createWebhook                        401    403     403    403        403         403   201       201     401     401
createWebhook +webhooks.manage       401    403     403    201        201         201   201       201     401     401
getWebhook                           401    403     403    404        404         404   200       404     401     401
getWebhook self +webhooks.manage     401    403     403    200        200         200   200       404     401     401
deleteWebhook                        401    403     403    403        403         403   204       404     401     401
deleteWebhook +webhooks.manage       401    403     403    404        404         404   204       404     401     401
deleteWebhook self +webhooks.manage  401    403     403    204        204         204   204       404     401     401
listAllDeliveries                    401    403     403    200        200         200   200       200     401     401
listDeliveries                       401    403     403    404        404         404   200       404     401     401
listDeliveries self +webhooks.manage 401    403     403    200        200         200   200       404     401     401
getDelivery                          401    403     403    404        404         404   200       404     401     401
getDelivery self +webhooks.manage    401    403     403    200        200         200   200       404     401     401
updateWebhook                        401    403     403    403        403         403   200       404     401     401
updateWebhook +webhooks.manage       401    403     403    404        404         404   200       404     401     401
updateWebhook self +webhooks.manage  401    403     403    200        200         200   200       404     401     401
recover                              401    403     403    403        403         403   202       404     401     401
recover +webhooks.manage             401    403     403    404        404         404   202       404     401     401
recover self +webhooks.manage        401    403     403    202        202         202   202       404     401     401
testWebhook                          401    403     403    403        403         403   202       404     401     401
testWebhook +webhooks.manage         401    403     403    404        404         404   202       404     401     401
testWebhook self +webhooks.manage    401    403     403    202        202         202   202       404     401     401
redeliver                            401    403     403    403        403         403   202       404     401     401
redeliver +webhooks.manage           401    403     403    404        404         404   202       404     401     401
redeliver self +webhooks.manage      401    403     403    202        202         202   202       404     401     401
restoreWebhook                       401    403     403    403        403         403   200       404     401     401
restoreWebhook +webhooks.manage      401    403     403    404        404         404   200       404     401     401
restoreWebhook self +webhooks.manage 401    403     403    200        200         200   200       404     401     401
`;

/** A column of the matrix. */
export type Who =
  | "none"
  | "client"
  | "trusted"
  | "user"
  | "team_admin"
  | "group_admin"
  | "admin"
  | "foreign"
  | "deleted"
  | "revoked";

export const columns: readonly Who[] = [
  "none",
  "client",
  "trusted",
  "user",
  "team_admin",
  "group_admin",
  "admin",
  "foreign",
  "deleted",
  "revoked",
];

export interface Line {
  readonly operation: string;
  /** The words of the situation. */
  readonly words: readonly string[];
  /** By column. */
  readonly expected: readonly number[];
  /** As it is written. */
  readonly text: string;
}

/** Reads a table with these columns. Throws for an incomplete line. */
export function readMatrix(text: string, columns: readonly string[]): Line[] {
  const [header, ...rows] = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (header?.trim().split(/\s+/).join() !== columns.join()) throw new Error(`The columns are: ${header}`);
  return rows.map((row) => {
    const [operation = "", ...rest] = row.trim().split(/\s+/);
    const words = rest.slice(0, -columns.length);
    const expected = rest.slice(-columns.length).map(Number);
    const whole = expected.length === columns.length &&
      expected.every((status) => status >= 200 && status < 500);
    if (!whole || words.some((word) => /^\d/.test(word))) {
      throw new Error(`A line needs an operation, words, and ${columns.length} statuses: ${row}`);
    }
    return { operation, words, expected, text: row };
  });
}
