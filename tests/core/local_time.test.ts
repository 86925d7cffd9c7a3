import assert from "node:assert/strict";
import { computeMomentOfDay } from "../../src/core/local_time.ts";

const at = (text: string) => Date.parse(`${text.replace(" ", "T")}Z`);
const formatTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

Deno.test("a time of a day by the clock of a zone: clock changes, midnight, and days that are skipped", () => {
  const cases: [zone: string, from: string, days: number, seconds: number, moment: string][] = [
    ["UTC", "2026-03-02 09:00:00", 1, 32_400, "2026-03-03 09:00:00"],
    ["Europe/Berlin", "2026-03-02 23:30:00", 1, 0, "2026-03-03 23:00:00"],
    ["Europe/Berlin", "2026-03-02 22:30:00", 1, 86_400, "2026-03-03 23:00:00"],
    ["America/New_York", "2026-03-03 03:00:00", 1, 86_399, "2026-03-04 04:59:59"],
    // Clocks skip 02:00 to 03:00.
    ["Europe/Berlin", "2026-03-28 12:00:00", 1, 7_199, "2026-03-29 00:59:59"],
    ["Europe/Berlin", "2026-03-28 12:00:00", 1, 7_200, "2026-03-29 01:00:00"],
    ["Europe/Berlin", "2026-03-28 12:00:00", 1, 9_000, "2026-03-29 01:00:00"],
    ["Europe/Berlin", "2026-03-28 12:00:00", 1, 10_800, "2026-03-29 01:00:00"],
    ["Europe/Berlin", "2026-03-28 12:00:00", 1, 86_400, "2026-03-29 22:00:00"],
    // 02:00 to 03:00 comes twice.
    ["Europe/Berlin", "2026-10-24 12:00:00", 1, 9_000, "2026-10-25 00:30:00"],
    ["Europe/Berlin", "2026-10-24 12:00:00", 1, 10_800, "2026-10-25 02:00:00"],
    // 23:00 to midnight comes twice.
    ["Asia/Beirut", "2026-10-23 12:00:00", 1, 86_393, "2026-10-24 20:59:53"],
    // Clocks skip half an hour, and an hour at midnight.
    ["Australia/Lord_Howe", "2026-10-03 00:00:00", 1, 7_200, "2026-10-03 15:30:00"],
    ["Asia/Beirut", "2026-03-27 12:00:00", 1, 86_400, "2026-03-28 22:00:00"],
    ["Asia/Beirut", "2026-03-27 12:00:00", 2, 0, "2026-03-28 22:00:00"],
    // Samoa had no 30th of December 2011.
    ["Pacific/Apia", "2011-12-30 00:00:00", 1, 43_200, "2011-12-30 10:00:00"],
  ];
  for (const [zone, from, days, seconds, moment] of cases) {
    assert.equal(
      formatTime(computeMomentOfDay(zone, at(from), days, seconds)),
      moment,
      `${zone} ${from} ${days} ${seconds}`,
    );
  }
});
