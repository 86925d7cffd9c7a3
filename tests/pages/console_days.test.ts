/** Days at the console: two desks here, and every desk in the long run. */
import { browserTest } from "./chromium.ts";
import { adminsFirstHour, dealersDay, type Desk, desks, nameDesk, operatorsDay } from "./days.ts";

const few: readonly Desk[] = [
  { language: "en", javaScript: true, width: 375, scheme: "dark" },
  { language: "de", javaScript: false, width: 1280, scheme: "light" },
];

for (const desk of Deno.env.get("DESKS") === "all" ? desks : few) {
  browserTest(`a dealer's day (${nameDesk(desk)})`, (browser) => dealersDay(browser, desk));
  browserTest(`an operator's day (${nameDesk(desk)})`, (browser) => operatorsDay(browser, desk));
  browserTest(`an admin's first hour (${nameDesk(desk)})`, (browser) => adminsFirstHour(browser, desk));
}
