/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** What goes with a record, and the button that deletes it. */
import { Button, Form } from "../forms.tsx";
import type { Visit } from "../visit.ts";

export interface Impact {
  readonly blocked_by: readonly { readonly type: string; readonly amount: number }[];
  readonly affects?: readonly { readonly type: string; readonly amount: number }[];
  readonly deletes?: readonly { readonly type: string; readonly amount: number }[];
}

interface Props {
  readonly visit: Visit;
  readonly action: string;
  readonly impact: Impact;
  /** The page of the record. */
  readonly back: string;
  /** Hidden fields. */
  readonly sent?: Readonly<Record<string, string>>;
}

export function DeleteForm({ visit, action, impact, back, sent = {} }: Props) {
  const { texts: { deleting: texts, cancel }, forms } = visit;
  const isBlocked = impact.blocked_by.length > 0;
  const lines = (isBlocked ? impact.blocked_by : impact.deletes ?? []).filter(({ amount }) => amount > 0);
  return (
    <div class="sheet narrow">
      <p>{isBlocked ? texts.blocked : lines.length > 0 ? texts.goes : texts.alone}</p>
      <Amounts visit={visit} amounts={lines} />
      {isBlocked
        ? <a class="button quiet" href={back}>{cancel}</a>
        : (
          <Form forms={forms} action={action} name={texts.delete}>
            {Object.entries(sent).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <Button kind="bad">{texts.delete}</Button> <a class="button quiet" href={back}>{cancel}</a>
          </Form>
        )}
    </div>
  );
}

/** Amounts of records by their type. */
export function Amounts({ visit, amounts }: { visit: Visit; amounts: Impact["blocked_by"] }) {
  const { texts: { deleting: texts }, formats } = visit;
  const lines = amounts.filter(({ amount }) => amount > 0);
  if (lines.length === 0) return null;
  return (
    <ul>
      {lines.map(({ type, amount }) => {
        const [one, many] = texts.amounts[type] ?? texts.amounts[type.replace(/s$/, "")] ?? [type, type];
        return <li key={type}>{`${formats.number(amount)} ${amount === 1 ? one : many}`}</li>;
      })}
    </ul>
  );
}
