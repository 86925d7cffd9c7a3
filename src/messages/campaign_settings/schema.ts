/** Wire shapes of the settings of campaigns. */
import { z } from "zod";
import { refusal } from "../../http/validate.ts";
import { lineText, optional, url } from "../../http/zod.ts";

const slug = lineText(40).refine(
  (value) => /^[a-z0-9-]{3,40}$/.test(value) && !/^-|-$/.test(value),
  refusal("format", "3 to 40 of a-z, 0-9 and -, which is not at an end."),
).meta({ minLength: 3, example: "example-cars" });

const secureUrl = url.refine(
  (value) => value.startsWith("https:"),
  refusal("format", "Must be an https URL."),
);

export const CampaignSettingsChange = z.object({
  domain_slug: optional(slug).meta({
    description: "Unique in the installation. Null while campaigns wait: 409 `campaign_domain_missing`.",
  }),
  consent: optional(z.object({
    enable: optional(z.boolean()).meta({
      description: "Whether only contacts that have agreed receive campaigns and automated messages.",
    }),
    custom: optional(z.boolean()).meta({
      description: "Whether the link in the text leads to `unsubscribe_url`, which is then required.",
    }),
    unsubscribe_url: optional(secureUrl).meta({
      example: "https://example.org/unsubscribe",
    }),
  })),
}).meta({
  id: "CampaignSettingsChange",
  description: "An absent member keeps its value.",
  example: { domain_slug: "example-cars", consent: { enable: true } },
});

export type CampaignSettingsChange = z.output<typeof CampaignSettingsChange>;

export const CampaignSettings = z.object({
  domain: z.string().nullable().meta({
    description: "The domain of the sender's address; the operator of the service sets it.",
    example: null,
  }),
  domain_slug: z.string().nullable().meta({
    description: "Without `domain`, the sender's domain is `<domain_slug>.<domain_slug_suffix>`.",
    example: "example-cars",
  }),
  domain_slug_suffix: z.string().meta({ example: "crm.example.com" }),
  consent: z.object({
    enable: z.boolean(),
    custom: z.boolean(),
    unsubscribe_url: z.string().nullable().meta({
      example: "https://example.org/unsubscribe",
    }),
    signing_key: z.string().meta({
      description: "The key of `signature` in links to `unsubscribe_url`: HMAC-SHA256 in hex over " +
        "`contact_id`, a dot and `campaign_id`.",
      example: "2f6b…",
    }),
  }),
}).meta({ id: "CampaignSettings" });
