/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The first rows of a checked file, as they will be. */
import { formatFieldValue, pickShownFields, type RecordField } from "../parts/fields.tsx";
import { findLabel } from "../parts/labels.ts";
import type { Visit } from "../visit.ts";
import type { PreviewRow } from "./load.ts";

/** The fields that the first rows show: of leads those of their contacts. */
function pickFields(record: PreviewRow["record"]): RecordField[] {
  const { fixed_fields = [], custom_fields = [] } = record?.contact ?? record ?? {};
  return pickShownFields({ fixed_fields, custom_fields });
}

/** The name of the account of a contact, or of one that a lead embeds. */
function getAccountName(record: PreviewRow["record"]): string | null {
  const { name, fixed_fields = [] } = record?.account ?? {};
  const own = fixed_fields.find((field) => field.name === "name")?.value;
  return name ?? (typeof own === "string" ? own : null);
}

/** The first rows as they will be. */
export function Preview({ visit, rows }: { visit: Visit; rows: readonly PreviewRow[] }) {
  const { texts: { imports: texts, leads } } = visit;
  const fields = new Map<RecordField["id"], RecordField>();
  for (const { record } of rows) {
    for (const field of pickFields(record)) {
      if (formatFieldValue(visit, field) !== null && !fields.has(field.id)) fields.set(field.id, field);
    }
  }
  const hasAccount = rows.some(({ record }) => getAccountName(record));
  return (
    <section aria-labelledby="preview" class="sheet">
      <h2 id="preview">{texts.preview}</h2>
      <div class="scroll" tabindex={0} role="group" aria-labelledby="preview">
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.row}</th>
              <th scope="col">{texts.action}</th>
              {hasAccount ? <th scope="col">{leads.account}</th> : null}
              {[...fields.values()].map((field) => (
                <th scope="col" key={field.id}>
                  <bdi>{findLabel(visit, field)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, action, record }) => (
              <tr key={row}>
                <th scope="row">{visit.formats.number(row)}</th>
                <td>{texts.actions[action] ?? action}</td>
                {hasAccount
                  ? (
                    <td>
                      <bdi>{getAccountName(record) ?? ""}</bdi>
                    </td>
                  )
                  : null}
                {[...fields.keys()].map((id) => {
                  const field = pickFields(record).find((one) => one.id === id);
                  return (
                    <td key={id}>
                      <bdi>{field ? formatFieldValue(visit, field) ?? "" : ""}</bdi>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
