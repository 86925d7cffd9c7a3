/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The form that exports a list, beside the one that narrows it. */
import { Button, Form, SelectField } from "../forms.tsx";
import type { Visit } from "../visit.ts";

interface Props {
  readonly visit: Visit;
  /** Its address, with the query of the list, which is shown again when the export is refused. */
  readonly action: string;
  /** The conditions of the list, as the API takes them. */
  readonly filter?: readonly unknown[];
  /** What the export does not follow; null: nothing. */
  readonly hint?: string | null;
}

export function ExportForm({ visit, action, filter = [], hint }: Props) {
  const { texts: { exporting: texts }, forms } = visit;
  if (!visit.may("reports.export")) return null;
  const formats = Object.entries(texts.formats).map(([value, text]) => ({ value, text }));
  return (
    <details>
      <summary>{texts.export}</summary>
      <Form forms={forms} action={action} name={texts.export} class="line">
        {filter.length > 0 ? <input type="hidden" name="filter" value={JSON.stringify(filter)} /> : null}
        <SelectField
          forms={forms}
          action={action}
          name="format"
          path={["format", "entity", "filter"]}
          label={texts.format}
          choices={formats}
          {...(hint ? { hint } : {})}
        />
        <Button kind="quiet">{texts.export}</Button>
      </Form>
    </details>
  );
}
