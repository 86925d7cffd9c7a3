import { z } from "zod";
import { email, optional } from "../../http/zod.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { memberIds, newPerson, noSignIn, signsIn } from "../users/record.ts";
import { invitationList } from "./queries.ts";

export const Invitation = z.object({
  id: z.int().meta({ example: 5 }),
  email: z.string().meta({ example: "charles@example.org" }),
  role_ids: z.array(z.int()).meta({ example: [4] }),
  team_ids: z.array(z.int()).meta({ example: [7] }),
  user_id: z.int().meta({ description: "The user who invited.", example: 12 }),
  expires_at: z.string().meta({ example: "2026-02-07 10:00:00" }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Invitation" });

export const InvitationPage = describePage(Invitation, "InvitationPage");

export const InvitationListQuery = z.object({ ...paging, ...sorting(invitationList.sorts) });

export const CreatedInvitation = z.object({
  id: z.int().meta({ example: 5 }),
  email: z.string().meta({ example: "charles@example.org" }),
  invite_token: z.string().meta({
    description: "Only this answer and the mail contain it.",
    example: "Yk3v0m2ZC3vE1xk6mJXl0Yw4o8i1cYkq0m0b5n2h7sQ",
  }),
  expires_at: z.string().meta({ example: "2026-02-07 10:00:00" }),
}).meta({ id: "CreatedInvitation" });

export type CreateInvitation = z.output<typeof CreateInvitation>;
export const CreateInvitation = z.object({
  email: email.meta({
    description:
      "An address that no user has, without an open invitation to the company. Resend or withdraw an open " +
      "invitation instead.",
    example: "charles@example.org",
  }),
  role_ids: optional(memberIds).meta({ example: [4] }),
  team_ids: optional(memberIds).meta({
    description: "The first one becomes the active team.",
    example: [7],
  }),
}).meta({ id: "CreateInvitation", example: { email: "charles@example.org", team_ids: [7] } });

export type AcceptInvitation = z.output<typeof AcceptInvitation>;
export const AcceptInvitation = z.object({
  ...newPerson,
  email: email.meta({ description: "The invited address, in any case.", example: "charles@example.org" }),
}).refine(signsIn, noSignIn).meta({
  id: "AcceptInvitation",
  example: {
    first_name: "Charles",
    last_name: "Babbage",
    email: "charles@example.org",
    password: "correct horse battery",
  },
});
