/** Gives a case of the demo company a letter, the draft of an e-mail, and an answer from the customer. */
import type { Deps } from "../deps.ts";
import { takeBytes } from "../messages/inbound/serve.ts";
import { returnToken } from "../messages/return_address.ts";
import { type Call, readData } from "./demo_call.ts";

interface Path {
  readonly activity_types: { readonly supportive: readonly { readonly id: string; readonly name: string }[] };
}

/** `call` acts for an admin; `templateId` is the frame of the letter. */
export async function addDemoCorrespondence(deps: Deps, call: Call, templateId: number): Promise<void> {
  const [path] = await readData<Path>(call, "/v1/relations-paths?per_page=1");
  const brochure = path!.activity_types.supportive.find(({ name }) => name === "Send brochure")!;
  const [open] = await readData<{ readonly id: string }>(call, "/v1/cases?status=open&per_page=1");
  await call("POST", `/v1/cases/${open!.id}/activities`, {
    activity_type_ids: [brochure.id],
    correspondence: {
      // A draft, because sending would need a mail server.
      email: {
        subject: "Your brochure",
        content: "<p>Dear {{contact.full_name}},</p><p>see our new vans.</p>",
      },
      letter: { content: "<p>our brochure is enclosed.</p>", template_id: templateId },
    },
  });
  const token = returnToken(deps.secretsKey, { kind: "case", id: open!.id });
  await takeBytes(
    deps,
    new TextEncoder().encode(answer(`${token}@${deps.config.inboundMailDomain ?? "localhost"}`)),
  );
}

function answer(to: string): string {
  return [
    "From: Customer <customer@example.com>",
    `To: <${to}>`,
    "Subject: Re: Your brochure",
    "Message-ID: <answer@example.com>",
    "",
    "Thank you. When may I come for a test drive?",
  ].join("\r\n");
}
