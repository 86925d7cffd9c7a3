import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { indicators } from "./catalogue.ts";
import { IndicatorList } from "./schema.ts";

/** The same for every caller. */
const catalogue = {
  data: indicators.map(({ name, group, description, unit, kind, group_by }) => ({
    name,
    group,
    description,
    unit,
    kind,
    group_by,
  })),
};

export const indicatorEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/reports/indicators",
    operation: "listIndicators",
    tag: "Reports",
    summary: "List indicators",
    description: "All indicators of reports.",
    right: "reports.view",
    answers: { 200: { description: "The indicators.", schema: IndicatorList } },
  }, () => Promise.resolve(ok(catalogue))),
];
