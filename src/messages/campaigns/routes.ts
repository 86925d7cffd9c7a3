import type { Contribution, Filtering } from "../../customers/filter_catalogue.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { testMailPolicy } from "../../identity/attempts/limits.ts";
import { htmlBodyLimit } from "../templates/content.ts";
import { copyCampaign } from "./copy.ts";
import { createCampaign } from "./create.ts";
import { deleteCampaign } from "./delete.ts";
import { getLetters } from "./letters.ts";
import { getMessage, listMessages, messageList, presentMessage } from "./messages.ts";
import { presentCampaign } from "./present.ts";
import { campaignList, type CampaignRecord, getCampaign, listCampaigns } from "./queries.ts";
import { countRecipients, prefetchAudience, prefetchNewAudience } from "./recipients.ts";
import {
  CampaignLetters,
  CampaignLettersWaiting,
  CampaignListQuery,
  CampaignMessagePage,
  CampaignMessageQuery,
  CampaignPage,
  FullCampaignMessage,
  Recipients,
  TestEmail,
  TestEmailBody,
} from "./schema.ts";
import { stopCampaign } from "./stop.ts";
import { testCampaign, testNewCampaign } from "./test_email.ts";
import type { CampaignMessageRow } from "./table.ts";
import { updateCampaign } from "./update.ts";
import { CampaignBody, CampaignChange, CampaignTestBody, FullCampaign } from "./record.ts";

const tag = "Campaigns";
const one = { campaign_id: "uuid" } as const;
const right = "campaigns.manage" as const;
const writers =
  "For users and team admins in their own teams, group admins in their groups and these groups' " +
  "teams, and admins. An approved campaign requires the right `campaigns.send`.";

const testing =
  "Uses the values of the first recipient that the caller sees, else examples. At most 20 an hour for each user.";

/** `contributions` are filter fields of related records. */
export function declareCampaignEndpoints(
  contributions: readonly Contribution[],
): Endpoint[] {
  const filtering: Filtering = { kind: "contact", contributions };
  return [
    endpoint({
      method: "get",
      path: "/v1/campaigns",
      operation: "listCampaigns",
      tag,
      summary: "List campaigns",
      query: CampaignListQuery,
      deprecatedParameters: {
        type: {
          since: Date.UTC(2018, 0, 1) / 1000,
          sunset: "Mon, 01 Oct 2018 00:00:00 GMT",
          successor: "/v1/campaigns",
        },
      },
      answers: {
        200: {
          description: "A page of campaigns, without the content of their messages.",
          schema: CampaignPage,
        },
      },
    }, async (ctx, { query, url }) => {
      const paging = parsePaging(query, campaignList);
      const { rows, total } = await listCampaigns(ctx, query, paging);
      const present = (row: typeof rows[number]) => presentCampaign(row as CampaignRecord);
      return page({ url, ctx }, paging, rows, total, present);
    }),
    endpoint({
      method: "post",
      path: "/v1/campaigns",
      operation: "createCampaign",
      tag,
      summary: "Create a campaign",
      description: writers,
      right,
      body: CampaignBody,
      bodyLimit: htmlBodyLimit,
      conflicts: ["campaign_domain_missing"],
      answers: {
        201: { description: "The new campaign.", schema: FullCampaign },
      },
    }, (ctx, { body }) => createCampaign(ctx, filtering, body)),
    endpoint({
      method: "post",
      path: "/v1/campaigns/test-email",
      operation: "testNewCampaign",
      tag,
      summary: "Send a test e-mail of an unsaved campaign to the caller",
      description: testing,
      right,
      body: CampaignTestBody,
      bodyLimit: htmlBodyLimit,
      prefetch: prefetchNewAudience,
      limits: [testMailPolicy],
      conflicts: ["campaign_domain_missing", "campaign_state"],
      answers: { 202: { description: "The address.", schema: TestEmail } },
    }, (ctx, { body, prefetched }) => testNewCampaign(ctx, filtering, body, prefetched)),
    endpoint({
      method: "get",
      path: "/v1/campaigns/:campaign_id",
      operation: "getCampaign",
      tag,
      summary: "Get a campaign with its content",
      params: one,
      answers: { 200: { description: "The campaign.", schema: FullCampaign } },
    }, (ctx, { params }) => getCampaign(ctx, params.campaign_id)),
    endpoint(
      {
        method: "put",
        path: "/v1/campaigns/:campaign_id",
        operation: "updateCampaign",
        tag,
        summary: "Change a campaign that is not being sent",
        description: writers,
        right,
        params: one,
        body: CampaignChange,
        bodyLimit: htmlBodyLimit,
        conflicts: ["campaign_sent", "campaign_domain_missing"],
        answers: {
          200: { description: "The updated campaign.", schema: FullCampaign },
        },
      },
      (ctx, { params, body }) => updateCampaign(ctx, filtering, params.campaign_id, body),
    ),
    endpoint({
      method: "delete",
      path: "/v1/campaigns/:campaign_id",
      operation: "deleteCampaign",
      tag,
      summary: "Delete a campaign that is not being sent",
      description: writers,
      right,
      params: one,
      conflicts: ["campaign_sent"],
      answers: {
        204: { description: "The campaign is deleted.", schema: null },
      },
    }, (ctx, { params }) => deleteCampaign(ctx, params.campaign_id)),
    endpoint({
      method: "post",
      path: "/v1/campaigns/:campaign_id/copy",
      operation: "copyCampaign",
      tag,
      summary: "Copy a campaign",
      description:
        "The copy is a draft of the caller, without `send_at` and `task`. It belongs to the caller's active team " +
        "when the caller may not write where the original belongs.",
      right,
      params: one,
      answers: { 201: { description: "The copy.", schema: FullCampaign } },
    }, (ctx, { params }) => copyCampaign(ctx, params.campaign_id)),
    endpoint(
      {
        method: "post",
        path: "/v1/campaigns/:campaign_id/test-email",
        operation: "testCampaign",
        tag,
        summary: "Send a test e-mail of a campaign to an address",
        description: testing,
        right,
        params: one,
        body: TestEmailBody,
        prefetch: prefetchAudience,
        limits: [testMailPolicy],
        conflicts: ["campaign_domain_missing", "campaign_state"],
        answers: { 202: { description: "The address.", schema: TestEmail } },
      },
      (ctx, { params, body, prefetched }) =>
        testCampaign(ctx, filtering, params.campaign_id, body.email, prefetched),
    ),
    endpoint({
      method: "get",
      path: "/v1/campaigns/:campaign_id/recipients",
      operation: "countCampaignRecipients",
      tag,
      summary: "Count the recipients of a campaign that the caller sees",
      right,
      params: one,
      prefetch: prefetchAudience,
      answers: { 200: { description: "The numbers, as of now.", schema: Recipients } },
    }, (ctx, { prefetched }) => countRecipients(ctx, contributions, prefetched)),
    endpoint({
      method: "post",
      path: "/v1/campaigns/:campaign_id/stop",
      operation: "stopCampaign",
      tag,
      summary: "Stop sending a campaign",
      description: "Messages that wait are skipped. A campaign that is only scheduled is taken back by " +
        "`PUT` with `approved` false.",
      right: "campaigns.send",
      params: one,
      conflicts: ["campaign_state"],
      answers: { 200: { description: "The campaign, which is `sent`.", schema: FullCampaign } },
    }, (ctx, { params }) => stopCampaign(ctx, params.campaign_id)),
    endpoint({
      method: "get",
      path: "/v1/campaigns/:campaign_id/letters",
      operation: "getCampaignLetters",
      tag,
      summary: "Get the letters of a campaign as a ZIP of PDFs",
      description:
        "The campaign's user is notified once they are made. Answers 403 to a caller who does not see " +
        "a custom field whose values the letters show.",
      right,
      params: one,
      conflicts: ["campaign_state"],
      answers: {
        200: { description: "The address of the ZIP.", schema: CampaignLetters },
        202: { description: "Letters are being made.", schema: CampaignLettersWaiting },
      },
    }, (ctx, { params }) => getLetters(ctx, params.campaign_id)),
    endpoint({
      method: "get",
      path: "/v1/campaigns/:campaign_id/messages",
      operation: "listCampaignMessages",
      tag,
      summary: "List the messages of a campaign",
      params: one,
      query: CampaignMessageQuery,
      answers: {
        200: { description: "A page of messages, without their content.", schema: CampaignMessagePage },
      },
    }, async (ctx, { params, query, url }) => {
      const paging = parsePaging(query, messageList);
      const { rows, total } = await listMessages(ctx, params.campaign_id, query, paging);
      const present = (row: typeof rows[number]) => presentMessage(row as CampaignMessageRow & typeof row);
      return page({ url, ctx }, paging, rows, total, present);
    }),
    endpoint({
      method: "get",
      path: "/v1/campaigns/:campaign_id/messages/:campaign_message_id",
      operation: "getCampaignMessage",
      tag,
      summary: "Get a message as it was sent",
      params: { ...one, campaign_message_id: "integer" } as const,
      answers: { 200: { description: "The message.", schema: FullCampaignMessage } },
    }, (ctx, { params }) => getMessage(ctx, params.campaign_id, params.campaign_message_id)),
  ];
}
