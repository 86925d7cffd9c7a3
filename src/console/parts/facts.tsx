/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The values of a record as a list of terms. */
import type { Visit } from "../visit.ts";
import { type Fielded, formatFieldValue, pickShownFields, type RecordField } from "./fields.tsx";
import { findLabel } from "./labels.ts";
import { Email, Phone } from "./values.tsx";

/** A term with its value; nothing where it is null, undefined or an empty text. */
export function Fact({ term, children }: { term: string; children: unknown }) {
  return children === null || children === undefined || children === "" ? null : (
    <>
      <dt>
        <bdi>{term}</bdi>
      </dt>
      <dd>{children as string}</dd>
    </>
  );
}

/** What there is to read of a record on its own page: `children` are its facts, `more` follows them. */
export function RecordFacts(
  { visit: { texts }, entity, record: { id, status }, children, more }: {
    visit: Visit;
    entity: string;
    /** `status`: missing where the record has none. */
    record: { readonly id: string; readonly status?: string };
    children: unknown;
    more?: unknown;
  },
) {
  return (
    <section aria-labelledby="facts" class="sheet" data-entity={entity} data-id={id} data-status={status}>
      <h2 id="facts">{texts.leads.facts}</h2>
      <dl class="facts">{children as string}</dl>
      {more as string}
    </section>
  );
}

/** The fields that have a value, as text, numbers to call and addresses to write to. */
export function FieldFacts({ visit, record }: { visit: Visit; record: Fielded }) {
  return (
    <>
      {pickShownFields(record).map((field) => {
        const text = formatFieldValue(visit, field);
        return text === null ? null : (
          <Fact key={field.id} term={findLabel(visit, field)}>
            <FieldText field={field} text={text} />
          </Fact>
        );
      })}
    </>
  );
}

/** A value as text, a number to call, an address to write to, or a website to open. */
export function FieldText(
  { field: { name, validation, type }, text }: {
    field: Pick<RecordField, "name" | "type" | "validation">;
    text: string;
  },
) {
  if (name === "phone_number") return <Phone number={text} />;
  if (validation === "email") return <Email address={text} />;
  if (validation === "url" && /^https?:\/\//.test(text)) {
    return <a href={text} rel="noopener noreferrer" dir="ltr">{text}</a>;
  }
  return type === "multi_line" ? <p class="lines" dir="auto">{text}</p> : <bdi>{text}</bdi>;
}
