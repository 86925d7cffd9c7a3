import { z } from "zod";
import { filledLine, lineText } from "../../http/zod.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { applicationList } from "./queries.ts";
import { isRedirectAddress } from "./redirect_address.ts";

export const Application = z.object({
  name: z.string().meta({ example: "Dealer website" }),
  client_id: z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" }),
  client_secret: z.string().nullable().meta({
    description:
      "The whole secret in the answer that creates it; later its last four characters only. Null: " +
      "the application came from a deleted user and has no secret until you rotate it.",
    example: "••••h7sQ",
  }),
  redirect_uri: z.string().nullable().meta({ example: "https://dealer.example.org/callback" }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({
  id: "Application",
  description: "An OAuth 2.0 client. With the client credentials grant it acts for the user who created it.",
});

export const ApplicationPage = describePage(Application, "ApplicationPage");

export const ApplicationListQuery = z.object({ ...paging, ...sorting(applicationList.sorts) });

/** RFC 6749 forbids fragments in redirect addresses: the parameters of the answer could end up in one. */
const redirectUri = lineText(255).refine(
  isRedirectAddress,
  refusal(
    "format",
    "Must be an http or https URL, or begin with a scheme with a dot: com.example.app:/back.",
  ),
).refine((value) => !value.includes("#"), refusal("format", "Must not have a fragment.")).meta({
  format: "uri",
  description: "Compared character by character. An application on the person's own machine uses " +
    "`http://127.0.0.1` or `http://[::1]`, where the port is not compared, or a scheme with a dot; " +
    "it must use PKCE.",
  example: "https://dealer.example.org/callback",
});

const example = { name: "Dealer website", redirect_uri: "https://dealer.example.org/callback" };

export const CreateApplication = z.object({ name: filledLine(255), redirect_uri: redirectUri.nullish() })
  .meta({ id: "CreateApplication", example });

export const UpdateApplication = z.object({
  name: filledLine(255).optional(),
  redirect_uri: redirectUri.nullish(),
}).meta({ id: "UpdateApplication", example });

export type CreateApplication = z.output<typeof CreateApplication>;
export type UpdateApplication = z.output<typeof UpdateApplication>;
