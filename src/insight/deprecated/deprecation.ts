/** Since when these reports are deprecated, and until when they were promised. */
import type { Deprecation } from "../../http/endpoint.ts";

/** `successor`: the path of what replaces one. */
export const makeDeprecation = (successor: string): Deprecation => ({
  since: Date.UTC(2018, 0, 1) / 1000,
  sunset: "Tue, 01 Jan 2019 00:00:00 GMT",
  successor,
});
