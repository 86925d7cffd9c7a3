import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { findDuplicates } from "./find.ts";
import { findAccountDuplicates } from "./find_accounts.ts";
import { AccountDuplicates, AccountDuplicatesBody, Duplicates, DuplicatesBody } from "./schema.ts";

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
  endpoint({
    method: "post",
    path: "/v1/accounts/duplicates",
    operation: "findAccountDuplicates",
    tag: "Accounts",
    summary: "Find accounts that may be the same",
    description:
      "By name (without case, accents and legal form), the domain of the website, the domain of an e-mail " +
      "address of a contact (of a public provider: the whole address) and a contact's phone number.",
    body: AccountDuplicatesBody,
    reads: true,
    answers: { 200: { description: "The finds, the best first.", schema: AccountDuplicates } },
  }, async (ctx, { body }) => ok(await findAccountDuplicates(ctx, body))),
];
