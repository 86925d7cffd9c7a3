/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Conditions in words. */
import type { Visit } from "../visit.ts";
import { type FilterNode, findField, makeRow, type Row } from "./conditions.ts";
import type { BuilderField } from "./fields.ts";

export function describeOperator(
  { texts: { filter } }: Visit,
  field: BuilderField | undefined,
  operator: string,
): string {
  const isDate = field?.type === "timestamp" || field?.type === "date";
  return (isDate ? filter.ofDates[operator] : undefined) ?? filter.operators[operator]!;
}

export type Choices = NonNullable<BuilderField["choices"]>;

/** Returns the names of several choices; the values of those whose names are not theirs alone, or have a comma. */
export function joinNames(value: string, choices: Choices): string {
  return value.split(",").map((one) => {
    const [text, ...others] = choices.filter((choice) => choice.value === one.trim()).map(({ text }) => text);
    const isClear = text !== undefined && others.length === 0 && !text.includes(",") &&
      choices.filter((choice) => choice.text.toLowerCase() === text.toLowerCase()).length === 1;
    return isClear ? text : one.trim();
  }).join(", ");
}

/** Conditions that the builder cannot show. They stay in the address. */
export function Rest({ visit, fields, nodes }: {
  readonly visit: Visit;
  readonly fields: readonly BuilderField[];
  readonly nodes: readonly FilterNode[];
}) {
  return (
    <>
      <input type="hidden" name="filter" value={JSON.stringify(nodes)} />
      <p>
        {visit.texts.filter.rest} <bdi>{describeNodes(visit, fields, nodes, "and")}</bdi>
      </p>
    </>
  );
}

function describeNodes(
  visit: Visit,
  fields: readonly BuilderField[],
  nodes: readonly FilterNode[],
  by: "and" | "or",
): string {
  return nodes.map((node) => {
    const row = makeRow(node, fields);
    if (row) return describeRow(visit, fields, row);
    const [kind] = (["and", "or"] as const).filter((one) => Array.isArray(node[one]));
    if (!kind) return [node.field, node.operator, node.value].map((one) => describeValue(one)).join(" ");
    return `(${describeNodes(visit, fields, node[kind] as FilterNode[], kind)})`;
  }).join(` ${visit.texts.filter[by]} `);
}

function describeValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

function describeRow(
  visit: Visit,
  fields: readonly BuilderField[],
  { field: name, operator, value }: Row,
): string {
  const field = findField(fields, name)!;
  const text = field.choices ? joinNames(value, field.choices) : value;
  return [field.group, field.label, describeOperator(visit, field, operator), text].filter(Boolean).join(" ");
}
