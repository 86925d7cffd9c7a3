/** Wire shapes of previews. */
import { z } from "zod";
import { counts } from "../../core/budgets.ts";
import { refusal } from "../../http/validate.ts";
import {
  flag,
  html,
  integerIdOrNone,
  lineText,
  longText,
  optional,
  timestamp,
  uuid,
} from "../../http/zod.ts";
import { mostContent } from "../templates/content.ts";

export const PreviewBody = z.object({
  content: html(longText(1, mostContent)).meta({
    description: "HTML with placeholders: the text of the message.",
    example: "<p>Dear {{contact.first_name}},</p>",
  }),
  template_id: integerIdOrNone.meta({
    description: "A visible template of the type, around the content; 0: none.",
  }),
  show_placeholders: flag(false).meta({
    description: "Shows placeholders that have no value as they were written.",
  }),
  contact_id: optional(uuid).meta({ description: "A visible contact; its account follows from it." }),
  account_id: optional(uuid).meta({ description: "A visible account." }),
  products: optional(
    z.array(z.object({
      name: lineText(255),
      quantity: optional(z.number().min(0)),
      type: optional(lineText(255)),
      price: optional(z.number()),
    })).max(counts.products),
  ).meta({ description: "Rows of `product_details`." }),
  product_ids: optional(
    z.array(uuid).max(counts.products)
      .refine((ids) => new Set(ids).size === ids.length, refusal("unique", "Lists a product twice.")),
  ).meta({ description: "Further rows: one of each product, at its list price." }),
  task: optional(z.object({
    start_at: optional(timestamp),
    end_at: optional(timestamp),
    type: optional(lineText(255)),
  })),
}).meta({
  id: "PreviewBody",
  example: { content: "<p>Dear {{contact.first_name}},</p>", show_placeholders: true },
});

export type PreviewBody = z.output<typeof PreviewBody>;

export const Preview = z.object({
  download_url: z.url().meta({
    description: "The preview, for 5 minutes; needs no token.",
    example: "https://crm.example.org/previews/Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI",
  }),
  unshown_characters: z.array(z.string()).meta({
    description: "Characters that the letter leaves out, because its fonts lack them; empty for an e-mail.",
    example: [],
  }),
}).meta({ id: "Preview" });
