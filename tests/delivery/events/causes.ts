/** What causes each event. A later event without a line does not pass the type check. */
import type { EventName } from "../../../src/core/events.ts";
import { cases } from "./cases.ts";
import { company } from "./company.ts";
import { customers } from "./customers.ts";
import { leads } from "./leads.ts";
import type { Causes } from "./world.ts";

export const causes: Readonly<Record<EventName, Causes>> = { ...customers, ...leads, ...cases, ...company };
