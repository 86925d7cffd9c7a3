/** Writes notifications, with what the features contribute of their records. */
import { collectParts } from "./contributions.ts";
import type { Notify } from "./db/notifications.ts";
import { selectShownByType, type ShownRecords } from "./db/shown_records.ts";
import { notifyWith } from "./delivery/notifications/write.ts";

const records: ShownRecords = Object.assign({}, ...collectParts("notices"));

export const notify: Notify = notifyWith(selectShownByType(records));
