/** What notifications show of records, contributed by their features. */
import { partsOf } from "./contributions.ts";
import { shownByType, type ShownRecords } from "./db/shown_records.ts";

const records: ShownRecords = Object.assign({}, ...partsOf("notices"));

export const notices = shownByType(records);
