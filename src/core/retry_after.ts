/** Parses `Retry-After`: seconds, or a date in one of HTTP's three formats. */

/** Returns the moment (epoch milliseconds) for a response that arrived at `now`; null for other text. */
export function retryAfter(header: string | null, now: number): number | null {
  const value = header?.trim() ?? "";
  if (/^\d+$/.test(value)) return now + Number(value.slice(0, 10)) * 1000;
  for (const form of forms) {
    const named = form.exec(value)?.groups;
    if (named) return parseMoment(named, now);
  }
  return null;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const time = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";

const forms = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${time} GMT$`),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>\\d\\d) ${time} GMT$`),
  // Sun Nov  6 08:49:37 1994
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

function parseMoment(named: Readonly<Record<string, string>>, now: number): number | null {
  const { day, month, year, hour, minute, second } = named;
  const index = months.indexOf(month!);
  const full = year!.length === 2 ? chooseYear(Number(year), now) : Number(year);
  const date = new Date(Date.UTC(full, index, Number(day), Number(hour), Number(minute), Number(second)));
  // `Date` would turn a day or hour that does not exist into another.
  const exists = index >= 0 && date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour);
  return exists ? date.getTime() : null;
}

/** Returns the year of two digits: at most fifty years ahead. */
function chooseYear(digits: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - (((latest - digits) % 100) + 100) % 100;
}
