import type { Feature } from "../../feature.ts";
import { keptReportEndpoints } from "./routes.ts";
import {
  reportDeliveries,
  reportDeliveryReferences,
  reportReaderReferences,
  reportReaders,
} from "./table.ts";

export const keptReports: Feature = {
  folder: "insight/kept_reports",
  tables: [reportDeliveries, reportReaders],
  references: [reportDeliveryReferences, reportReaderReferences],
  endpoints: keptReportEndpoints,
};
