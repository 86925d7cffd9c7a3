/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A contact as an entry of a list. */
import { Badge, Email, Phone, type Tone } from "../parts/values.tsx";
import { What } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import { type ContactRecord, findRecordName } from "./load.ts";

export const contactTones: Readonly<Record<string, Tone>> = {
  lead: "plain",
  opportunity: "warn",
  customer: "good",
};

interface Props {
  readonly visit: Visit;
  readonly contact: ContactRecord;
  /** Whether the page is that of its account. */
  readonly within?: boolean;
}

export function ContactRow({ visit, contact, within }: Props) {
  const { texts } = visit;
  const getFixedText = (name: string) => {
    const value = contact.fixed_fields.find((field) => field.name === name)?.value;
    return typeof value === "string" ? value : null;
  };
  const title = getFixedText("title");
  const account = within || contact.b2c ? null : contact.account.name;
  return (
    <li
      data-entity="contact"
      data-id={contact.id}
      data-status={contact.status}
      id={`contact-${contact.id}`}
    >
      <What
        href={`/app/contacts/${contact.id}`}
        name={findRecordName(contact, texts.leads.unnamed)}
        about={[account, title]}
      />
      <Badge
        tone={contactTones[contact.status] ?? "plain"}
        text={texts.customers.statuses[contact.status] ?? contact.status}
      />
      <Phone number={getFixedText("phone_number")} />
      <Email address={getFixedText("email")} />
    </li>
  );
}
