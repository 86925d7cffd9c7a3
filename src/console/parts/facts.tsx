/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The values of a record as a list of terms. */
import type { Visit } from "../visit.ts";
import { type Fielded, formatFieldValue, type RecordField, shownFields } from "./fields.tsx";
import { findLabel } from "./labels.ts";
import { Email, Phone } from "./values.tsx";

/** A term with its value; nothing without one. */
export function Fact({ term, children }: { term: string; children: unknown }) {
  return children === null ? null : (
    <>
      <dt>
        <bdi>{term}</bdi>
      </dt>
      <dd>{children as string}</dd>
    </>
  );
}

/** The fields that have a value, as text, numbers to call and addresses to write to. */
export function FieldFacts({ visit, record }: { visit: Visit; record: Fielded }) {
  return (
    <>
      {shownFields(record).map((field) => {
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
