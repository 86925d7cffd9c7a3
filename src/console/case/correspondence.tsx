/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** E-mails and letters of a case, each in a frame of its own. */
import type { Page } from "../page.ts";
import { List, Pages } from "../parts/list.tsx";
import { Badge, Moment, type Tone } from "../parts/values.tsx";
import { separator } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import type { CaseContent, CorrespondenceRecord } from "./load.ts";

const path = "/app/cases/:case_id/correspondences/:correspondence_id";

/** The text of one, for its frame. */
export const correspondencePage: Page = {
  path,
  section: null,
  async show({ call, params }) {
    const { content } = await call<{ content: string | null }>("getCorrespondence", { params });
    return { framed: content ?? "" };
  },
};

/** Leads to the PDF of a letter. */
export const letterPage: Page = {
  path: "/app/cases/:case_id/correspondences/:correspondence_id/pdf",
  section: null,
  show: async ({ target, params }) => ({ to: await target("getLetter", { params }) }),
};

export function Correspondence({ visit, content }: { visit: Visit; content: CaseContent }) {
  const { texts } = visit;
  const { record, correspondence: { data, pagination } } = content;
  return (
    <section aria-labelledby="correspondence">
      <h2 id="correspondence">{texts.cases.correspondence}</h2>
      <List of="correspondences" total={pagination.total} empty={texts.cases.noCorrespondence}>
        {data.map((one, index) => (
          <Entry key={one.id} visit={visit} one={one} caseId={record.id} isFirst={index === 0} />
        ))}
      </List>
      <Pages visit={visit} pagination={pagination} of="correspondence" />
    </section>
  );
}

const tones: Readonly<Record<string, Tone>> = { failed: "bad", sent: "good", received: "good" };

function Entry({ visit, one, caseId, isFirst }: {
  readonly visit: Visit;
  readonly one: CorrespondenceRecord;
  readonly caseId: string;
  readonly isFirst: boolean;
}) {
  const { texts: { cases: texts } } = visit;
  const { id, type, direction, status, from, to, subject, error, created_at } = one;
  const address = `/app/cases/${caseId}/correspondences/${id}`;
  const title = subject ?? texts[type];
  const other = direction === "in" ? from?.name || from?.address : to;
  return (
    <li data-entity="correspondence" data-id={id} data-status={status} id={`correspondence-${id}`}>
      <div class="what">
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <span class="sub">
          {direction === "in" ? texts.received : texts[type]}
          {other
            ? (
              <>
                {separator}
                <bdi>{other}</bdi>
              </>
            )
            : null}
        </span>
      </div>
      <Badge tone={tones[status] ?? "plain"} text={texts.correspondenceStatuses[status] ?? status} />
      {type === "letter" ? <a href={`${address}/pdf`} hx-boost="false">PDF</a> : null}
      <Moment visit={visit} at={created_at} />
      {error ? <p class="wrong whole" dir="auto">{error}</p> : null}
      <details class="whole" {...(isFirst ? { open: true } : {})}>
        <summary>{texts.read}</summary>
        <iframe sandbox="" src={address} title={title} loading="lazy"></iframe>
      </details>
    </li>
  );
}
