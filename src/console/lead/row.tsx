/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A lead as an entry of a list. */
import { Button, Form } from "../forms.tsx";
import { makeCustomer } from "../parts/customer.ts";
import { Badge, Countdown, DaysAgo, Phone, type Tone } from "../parts/values.tsx";
import { What } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import { type LeadRecord, mayAccept } from "./summary.ts";

const tones: Readonly<Record<string, Tone>> = {
  assigned: "plain",
  accepted: "good",
  rejected: "bad",
  escalated: "bad",
  called: "warn",
  revoked: "bad",
};

export function LeadStatus({ visit, status }: { visit: Visit; status: string }) {
  return <Badge tone={tones[status] ?? "plain"} text={visit.texts.leads.statuses[status] ?? status} />;
}

/** Returns the name of the customer of a lead: the contact's, else the account's. */
export function leadTitle(visit: Visit, lead: Pick<LeadRecord, "account" | "contact">): string {
  const { contact, account } = makeCustomer(lead);
  return contact ?? account ?? visit.texts.leads.unnamed;
}

/** `detailed`: with type, team, status and age, as on the list of leads. */
export function LeadRow({ visit, lead, detailed }: { visit: Visit; lead: LeadRecord; detailed?: boolean }) {
  const { contact, account, phone } = makeCustomer(lead);
  const title = leadTitle(visit, lead);
  const { texts } = visit;
  const action = `/app/leads/${lead.id}/accept`;
  return (
    <li data-entity="lead" data-id={lead.id} data-status={lead.status} id={`lead-${lead.id}`}>
      <What
        href={`/app/leads/${lead.id}`}
        name={title}
        about={[
          contact && account !== contact && account,
          lead.interest,
          lead.lead_source,
          detailed && lead.team?.name,
          detailed && lead.lead_type.name,
        ]}
      />
      {detailed ? <LeadStatus visit={visit} status={lead.status} /> : null}
      <Countdown visit={visit} at={lead.escalates_at} />
      {detailed ? <DaysAgo visit={visit} at={lead.created_at} /> : null}
      <Phone number={phone} />
      {mayAccept(lead, visit.person.known.caller!)
        ? (
          <Form forms={visit.forms} action={action}>
            <Button kind="quiet" label={`${texts.leads.accept} ${title}`}>{texts.leads.accept}</Button>
          </Form>
        )
        : null}
    </li>
  );
}
