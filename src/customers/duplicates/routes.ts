import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { findDuplicates } from "./find.ts";
import { Duplicates, DuplicatesBody } from "./schema.ts";

export const duplicateEndpoints: Endpoint[] = [
  endpoint({
    method: "post",
    path: "/v1/contacts/duplicates",
    operation: "findContactDuplicates",
    tag: "Contacts",
    summary: "Find contacts and accounts that are known already",
    description:
      "By e-mail address, phone number and name: equal without case, accents and spaces, numbers in " +
      "international form.",
    body: DuplicatesBody,
    reads: true,
    answers: { 200: { description: "The finds, the best first.", schema: Duplicates } },
  }, async (ctx, { body: { email, phone_number, name, exclude_id } }) =>
    ok(
      await findDuplicates(ctx, {
        email,
        phone_number,
        names: name ? [name] : [],
        exclude: exclude_id ? [exclude_id] : [],
      }),
    )),
];
