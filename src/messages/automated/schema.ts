/** Wire shapes of automated communications. */
import { z } from "zod";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, html, integerIdOrNone, longText, optional, uuid } from "../../http/zod.ts";
import { describeOwnerMembers } from "../../identity/owner_members.ts";
import { isOwnedOnce } from "../../identity/owners.ts";
import { forAnswer, forCreate } from "../../records/members.ts";
import { mostContent } from "../templates/content.ts";

/** The most communications of a definition, and the most attachments and the latest day of each. */
const most = { communications: 50, attachments: 20, days: 3_650 } as const;

export const automatedSorts = { created_at: "created_at" };
export const AutomatedListQuery = z.object({ ...paging, ...sorting(automatedSorts) });

const delay = z.object({
  days: z.int().min(1).max(most.days).meta({ description: "Days after the activity.", example: 2 }),
  offset_from_midnight: z.int().min(0).max(86_400).meta({
    description: "Seconds after midnight by the clock of the case's team; 86400: the next midnight.",
    example: 32_400,
  }),
});

const ofCommunication = {
  name: filledLine(255).meta({ example: "Thanks for the test drive" }),
  delay,
  subject: filledLine(255).meta({ example: "Your test drive, {{contact.first_name}}" }),
  content: html(longText(1, mostContent)).meta({
    description: "HTML with Mustache placeholders, see `GET /v1/templates/placeholders`.",
    example: "<p>Dear {{contact.first_name}},</p>",
  }),
};

const maybeOfCommunication = {
  template_id: integerIdOrNone.meta({
    description: "The template around the e-mail, of type `email`; 0: none.",
    example: 0,
  }),
  attachments: optional(z.array(uuid).max(most.attachments)).meta({
    description: "Ids of files that the caller may read, at most 10 MiB in all.",
    example: [],
  }),
};

const CommunicationBody = z.object({ ...ofCommunication, ...maybeOfCommunication }).meta({
  id: "AutomatedCommunicationItemBody",
});

const required = ["name", "delay", "subject", "content"] as const;

const CommunicationChange = z.object({
  id: optional(uuid).meta({
    description: "The id of an existing communication; without one, a communication is created.",
  }),
  name: ofCommunication.name.optional(),
  delay: delay.optional(),
  subject: ofCommunication.subject.optional(),
  content: ofCommunication.content.optional(),
  ...maybeOfCommunication,
}).superRefine((value, ctx) => {
  if ((value.id ?? null) !== null) return;
  for (const member of required) {
    if (value[member] !== undefined) continue;
    ctx.addIssue({
      code: "custom",
      message: "Must be given.",
      params: { code: "required" },
      path: [member],
    });
  }
}).meta({
  id: "AutomatedCommunicationItemChange",
  description: "Without an id, `name`, `delay`, `subject` and `content` are required.",
});

const ofDefinition = {
  description: optional(longText(1, 1024)).meta({ example: null }),
  icon: optional(filledLine(50)).meta({ example: "envelope" }),
  ...forCreate(describeOwnerMembers()),
};
const ownedOnce = {
  ...refusal("excluded", "It belongs to a team or a group, not to both."),
  path: ["group_id"],
};
const example = {
  name: "After a test drive",
  communications: [{
    name: "Thanks",
    delay: { days: 1, offset_from_midnight: 32_400 },
    subject: "Your test drive",
    content: "<p>Dear {{contact.first_name}},</p>",
  }],
};

export const AutomatedBody = z.object({
  name: filledLine(255).meta({ example: "After a test drive" }),
  communications: z.array(CommunicationBody).max(most.communications),
  ...ofDefinition,
}).refine(isOwnedOnce, ownedOnce).meta({ id: "AutomatedCommunicationBody", example });

export const AutomatedChange = z.object({
  name: filledLine(255).optional().meta({ example: "After a test drive" }),
  communications: z.array(CommunicationChange).max(most.communications).optional().meta({
    description: "Those that are missing are deleted; what waits of them is not sent.",
  }),
  ...ofDefinition,
}).refine(isOwnedOnce, ownedOnce).meta({
  id: "AutomatedCommunicationChange",
  description: "An absent member keeps its value.",
  example: { name: "After a test drive" },
});

export type AutomatedBody = z.output<typeof AutomatedBody>;
export type AutomatedChange = z.output<typeof AutomatedChange>;
export type CommunicationChange = z.output<typeof CommunicationChange>;

const ListedCommunication = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00f" }),
  name: z.string().meta({ example: "Thanks" }),
  delay: z.object({
    days: z.int().meta({ example: 1 }),
    offset_from_midnight: z.int().meta({ example: 32_400 }),
  }),
  template_id: z.int().meta({ description: "0: none.", example: 0 }),
  subject: z.string().meta({ example: "Your test drive" }),
  content: z.string().meta({ example: "<p>Dear {{contact.first_name}},</p>" }),
});

export const ListedAutomated = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00e" }),
  ...forAnswer(describeOwnerMembers()),
  name: z.string().meta({ example: "After a test drive" }),
  description: z.string().nullable(),
  icon: z.string().nullable(),
  communications: z.array(ListedCommunication),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({
  id: "ListedAutomatedCommunication",
  description:
    "E-mails to the contact of a case, some days after an activity. Visible to its team, to teams in a group " +
    "with it, and to admins; without a team and group, to the whole company.",
});

export const Automated = ListedAutomated.extend({
  communications: z.array(ListedCommunication.extend({
    attachments: z.array(z.uuid()).meta({ description: "Ids of files.", example: [] }),
  })),
}).meta({ id: "AutomatedCommunication", extends: ListedAutomated });

export const AutomatedPage = describePage(ListedAutomated, "AutomatedCommunicationPage");
