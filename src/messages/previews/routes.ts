import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { htmlBodyLimit } from "../templates/content.ts";
import { createPreview } from "./create.ts";
import { Preview, PreviewBody } from "./schema.ts";

export const previewEndpoints: Endpoint[] = [
  endpoint({
    method: "post",
    path: "/v1/templates/preview/:template_type",
    operation: "previewTemplate",
    tag: "Templates",
    summary: "Preview a message",
    description:
      "Renders the content, inside the template if one is given, with the values of the records: an " +
      "e-mail as HTML, a letter as PDF (A4, at most 50 pages; up to ten PNG or JPEG images of at most 2 MiB). " +
      "At most 120 a minute of a user, and 128 MiB of a company within five minutes: 429.",
    params: { template_type: "text" } as const,
    body: PreviewBody,
    bodyLimit: htmlBodyLimit,
    reads: true,
    answers: { 200: { description: "The address of the preview.", schema: Preview } },
  }, (ctx, { params, body }) => createPreview(ctx, params.template_type, body)),
];
