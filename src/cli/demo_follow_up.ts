/** Gives the demo company a follow-up of visits: e-mails that an activity starts, and a case that waits for them. */
import { type Call, readData } from "./demo_call.ts";

interface Path {
  readonly id: string;
  readonly activity_types: { readonly supportive: readonly { readonly id: string; readonly name: string }[] };
}

const nine = { offset_from_midnight: 9 * 3_600 };

/** `call` acts for an admin. */
export async function addDemoFollowUp(call: Call): Promise<void> {
  const followUp = await call("POST", "/v1/automated-communications", {
    name: "After a visit",
    icon: "envelope",
    team_id: null,
    communications: [
      {
        name: "Thanks",
        delay: { days: 1, ...nine },
        subject: "Thank you for your visit, {{contact.first_name}}",
        content: "<p>Dear {{contact.full_name}},</p><p>thank you for your visit. If you have questions, " +
          "answer this e-mail.</p><p>{{user.full_name}}</p>",
      },
      {
        name: "A week later",
        delay: { days: 7, ...nine },
        subject: "Your new car",
        content:
          "<p>Dear {{contact.full_name}},</p><p>may we make you an offer?</p><p>{{user.full_name}}</p>",
      },
    ],
  }) as { readonly id: string };
  const [path] = await readData<Path>(call, "/v1/relations-paths?per_page=1");
  const { supportive } = path!.activity_types;
  const visit = supportive.find(({ name }) => name === "Visit")!;
  await call("PUT", `/v1/relations-paths/${path!.id}`, {
    activity_types: {
      supportive: supportive.map(({ id }) =>
        id === visit.id ? { id, automated_communications: [followUp.id] } : { id }
      ),
    },
  });
  const [open] = await readData<{ readonly id: string }>(call, "/v1/cases?status=open&per_page=1");
  await call("POST", `/v1/cases/${open!.id}/activities`, { activity_type_ids: [visit.id] });
}
