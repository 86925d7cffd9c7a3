import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { requireReach } from "../permissions.ts";
import { checkCompany } from "../users/check_company.ts";
import { invitationMailPolicy } from "../attempts/limits.ts";
import { presentInvitation } from "./present.ts";
import { invitationList, listInvitations, readInvitation } from "./queries.ts";
import { CreatedInvitation, CreateInvitation, InvitationListQuery, InvitationPage } from "./schema.ts";
import { createInvitation } from "./create.ts";
import { resendInvitation } from "./resend.ts";
import { withdrawInvitation } from "./withdraw.ts";

const tag = "Invitations";
const company = { company_id: "integer" } as const;
const one = { company_id: "integer", invitation_id: "integer" } as const;

export const invitationEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/companies/:company_id/invitations",
    operation: "listInvitations",
    tag,
    summary: "List the open invitations",
    description: "Users of type admin see all of the company, group and team admins those that they made.",
    params: company,
    query: InvitationListQuery,
    answers: { 200: { description: "A page of invitations.", schema: InvitationPage } },
  }, async (ctx, { params, query, url }) => {
    checkCompany(ctx, params.company_id);
    requireReach(ctx.caller, "users.create");
    const paging = parsePaging(query, invitationList);
    const { rows, total } = await listInvitations(ctx, paging);
    return page(
      { url, ctx },
      paging,
      rows,
      total,
      (row) => presentInvitation(readInvitation(row)),
    );
  }),
  endpoint({
    method: "post",
    path: "/v1/companies/:company_id/invitations",
    operation: "createInvitation",
    tag,
    summary: "Invite a person by mail",
    description:
      "Users who can create users can invite people, with the same teams and roles. The link works once, " +
      "for seven days. An address gets at most five mails an hour.",
    params: company,
    body: CreateInvitation,
    limits: [invitationMailPolicy],
    answers: { 201: { description: "The invitation, with its token.", schema: CreatedInvitation } },
  }, (ctx, { params, body }) => createInvitation(ctx, params.company_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/companies/:company_id/invitations/:invitation_id",
    operation: "withdrawInvitation",
    tag,
    summary: "Withdraw an invitation",
    params: one,
    answers: { 204: { description: "The link no longer works.", schema: null } },
  }, (ctx, { params }) => withdrawInvitation(ctx, params)),
  endpoint({
    method: "post",
    path: "/v1/companies/:company_id/invitations/:invitation_id/resend",
    operation: "resendInvitation",
    tag,
    summary: "Resend an invitation",
    description:
      "Sends a new link for another seven days; the old one no longer works. An address gets at most five " +
      "mails an hour.",
    params: one,
    limits: [invitationMailPolicy],
    answers: { 202: { description: "The mail will be sent.", schema: null } },
  }, (ctx, { params }) => resendInvitation(ctx, params)),
];
