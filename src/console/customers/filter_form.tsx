/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The filter builder of Customers. */
import type { Visit } from "../visit.ts";
import { bare, findField, type Row, several } from "./conditions.ts";
import { type BuilderField, builderOperators } from "./fields.ts";
import { type Choices, describeOperator, joinNames, Rest } from "./filter_text.tsx";
import { customersPath } from "./kinds.ts";
import { type ConditionFault, type CustomersContent, narrowing } from "./load.ts";

/** Parameters that the builder keeps; it makes the others. */
const kept = ["search", "sort", ...narrowing];
/** Choices that a hint names. */
const mostNamed = 8;

const empty: Row = { field: "", operator: "eq", value: "" };

interface Props {
  readonly visit: Visit;
  readonly content: CustomersContent;
}

/** Conditions that the list follows. Without a script a row gets its operators and choices when it is sent. */
export function FilterForm({ visit, content }: Props) {
  const { texts: { filter: texts }, query } = visit;
  const { kind, asked: { fields, rows, rest }, faults } = content;
  const shown = rows.length === 0 || query.has("add") ? [...rows, empty] : rows;
  return (
    <form method="get" action={customersPath} aria-label={visit.texts.leads.filter} class="sheet conditions">
      <input type="hidden" name="kind" value={kind} />
      {kept.map((name) =>
        query.get(name) ? <input key={name} type="hidden" name={name} value={query.get(name)!} /> : null
      )}
      {rest.length > 0 ? <Rest visit={visit} fields={fields} nodes={rest} /> : null}
      {shown.map((row, at) => (
        <RowFields
          key={at}
          visit={visit}
          at={at}
          row={row}
          field={findField(fields, row.field)}
          fields={fields}
          fault={faults.find((fault) => fault.row === at)}
          without={rows.length > 1 && at < rows.length ? composeAddressWithout(content, query, at) : null}
        />
      ))}
      <div class="buttons">
        <button type="submit" class="quiet">{texts.apply}</button>
        <button type="submit" class="quiet" name="add" value="1">{texts.add}</button>
        <a href={`${customersPath}?kind=${kind}`}>{texts.clear}</a>
      </div>
      <Parts visit={visit} kind={kind} fields={fields} />
    </form>
  );
}

/** Returns the address of the list without one of its rows. */
function composeAddressWithout(
  { kind, asked: { rows, rest } }: CustomersContent,
  query: URLSearchParams,
  gone: number,
) {
  const next = new URLSearchParams({ kind });
  for (const name of kept) if (query.get(name)) next.set(name, query.get(name)!);
  if (rest.length > 0) next.set("filter", JSON.stringify(rest));
  for (const { field, operator, value } of rows.filter((_, at) => at !== gone)) {
    for (const [name, text] of Object.entries({ field, operator, value })) next.append(name, text);
  }
  return `${customersPath}?${next}`;
}

interface RowProps {
  readonly visit: Visit;
  readonly at: number;
  readonly row: Row;
  readonly field: BuilderField | undefined;
  readonly fields: readonly BuilderField[];
  readonly fault: ConditionFault | undefined;
  /** The address without the row; null when it is the only one. */
  readonly without: string | null;
}

function RowFields({ visit, at, row, field, fields, fault, without }: RowProps) {
  const { texts: { filter: texts } } = visit;
  const id = (name: string) => `filter-${at}-${name}`;
  const wrong = (name: ConditionFault["of"]): Readonly<Record<string, string>> =>
    fault?.of === name ? { "aria-invalid": "true" } : {};
  return (
    <fieldset class="condition" data-condition="">
      <legend class="hidden">{texts.row(at + 1)}</legend>
      <div class="field">
        <label for={id("field")}>{texts.field}</label>
        <select id={id("field")} name="field" {...wrong("field")}>
          <Fields texts={texts} fields={fields} chosen={field?.name ?? ""} />
          {row.field !== "" && !field ? <option value={row.field} selected>{row.field}</option> : null}
        </select>
      </div>
      <div class="field">
        <label for={id("operator")}>{texts.condition}</label>
        <select id={id("operator")} name="operator" {...wrong("operator")}>
          {builderOperators.filter((one) => field?.operators.includes(one) ?? true).map((one) => (
            <option key={one} value={one} {...(one === row.operator ? { selected: true } : {})}>
              {describeOperator(visit, field, one)}
            </option>
          ))}
        </select>
      </div>
      <div class="field" {...(bare.includes(row.operator) ? { hidden: true } : {})}>
        <label for={id("value")}>{texts.value}</label>
        <Value visit={visit} id={id("value")} row={row} field={field} wrong={wrong("value")} />
      </div>
      {without === null
        ? null
        : <a class="button quiet" href={without} aria-label={texts.removeRow(at + 1)}>{texts.remove}</a>}
    </fieldset>
  );
}

function Value({ visit, id, row, field, wrong }: {
  readonly visit: Visit;
  readonly id: string;
  readonly row: Row;
  readonly field: BuilderField | undefined;
  readonly wrong: Readonly<Record<string, string>>;
}) {
  const { choices } = field ?? { choices: null };
  if (choices && !several.includes(row.operator)) {
    const isKnown = row.value === "" || choices.some(({ value }) => value === row.value);
    return (
      <select id={id} name="value" {...wrong}>
        <option value=""></option>
        {choices.map(({ value, text }) => (
          <option key={value} value={value} {...(value === row.value ? { selected: true } : {})}>
            {text}
          </option>
        ))}
        {isKnown ? null : <option value={row.value} selected>{row.value}</option>}
      </select>
    );
  }
  const hint = composeHint(visit, field, row.operator);
  return (
    <>
      <input
        type="text"
        id={id}
        name="value"
        value={choices ? joinNames(row.value, choices) : row.value}
        autocomplete="off"
        dir="auto"
        {...(hint ? { "aria-describedby": `${id}-hint` } : {})}
        {...wrong}
      />
      {hint ? <p class="hint" id={`${id}-hint`}>{hint}</p> : null}
    </>
  );
}

function composeHint(
  { texts: { filter } }: Visit,
  field: BuilderField | undefined,
  operator: string,
): string | null {
  const { hints } = filter;
  if (several.includes(operator)) {
    const names = field?.choices?.slice(0, mostNamed).map(({ text }) => text);
    const isAll = field?.choices && field.choices.length <= mostNamed;
    return names ? hints.severalOf(`${names.join(", ")}${isAll ? "" : ", …"}`) : hints.several;
  }
  return field?.type === "timestamp" || field?.type === "date" ? hints[field.type] : null;
}

/** The options of a field, in groups. With `about` they say what fits them, for the script. */
function Fields({ texts, fields, chosen, about }: {
  readonly texts: Visit["texts"]["filter"];
  readonly fields: readonly BuilderField[];
  readonly chosen: string | null;
  readonly about?: (field: BuilderField) => Readonly<Record<string, string>>;
}) {
  const groups = Map.groupBy(fields, ({ group }) => group);
  return (
    <>
      <option value="">{texts.choose}</option>
      {[...groups].map(([group, of]) => (
        <optgroup key={group} label={group}>
          {of.map((field) => (
            <option
              key={field.name}
              value={field.name}
              {...(field.name === chosen ? { selected: true } : {})}
              {...about?.(field) ?? {}}
            >
              {field.label}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}

/** What the script makes rows of: an empty row, the choices of fields, and the hints of their values. */
function Parts({ visit, kind, fields }: {
  readonly visit: Visit;
  readonly kind: string;
  readonly fields: readonly BuilderField[];
}) {
  const { texts: { filter: texts } } = visit;
  const lists = new Map<string, Choices>();
  for (const { choices } of fields) if (choices) lists.set(JSON.stringify(choices), choices);
  const places = [...lists.keys()];
  const about = ({ type, operators, choices }: BuilderField) => ({
    "data-type": type,
    "data-operators": operators.join(" "),
    ...(choices ? { "data-choices": String(places.indexOf(JSON.stringify(choices))) } : {}),
  });
  return (
    <template id={`filter-parts-${kind}`} data-parts="">
      <select data-part="fields">
        <Fields texts={texts} fields={fields} chosen={null} about={about} />
      </select>
      <select data-part="operators">
        {builderOperators.map((one) => (
          <option
            key={one}
            value={one}
            {...(texts.ofDates[one] ? { "data-date": texts.ofDates[one] } : {})}
          >
            {texts.operators[one]}
          </option>
        ))}
      </select>
      {[...lists.values()].map((choices, at) => (
        <select key={at} data-choices={String(at)}>
          <option value=""></option>
          {choices.map(({ value, text }) => <option key={value} value={value}>{text}</option>)}
        </select>
      ))}
      {Object.entries({
        timestamp: texts.hints.timestamp,
        date: texts.hints.date,
        several: texts.hints.several,
      })
        .map(([name, hint]) => <p key={name} data-hint={name}>{hint}</p>)}
      <span data-part="row">{texts.row(0)}</span>
    </template>
  );
}

/** What is wrong with rows, which the list does not follow. */
export function Faults({ visit, content: { faults } }: Props) {
  const { filter: texts, faults: words } = visit.texts;
  if (faults.length === 0) return null;
  const getWord = (code: string) =>
    (words as Readonly<Record<string, string | undefined>>)[code] ?? words.other;
  return (
    <div class="alert" role="alert">
      <p>{texts.faulty}</p>
      <ul>
        {faults.map(({ row, of, code }) => (
          <li key={row}>
            <a href={`#filter-${row}-${of}`}>{`${texts.row(row + 1)}: ${getWord(code)}`}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
