/** Cells are read as people and spreadsheets write them. */
import { simplifyName } from "../../../src/core/text.ts";
import assert from "node:assert/strict";
import { formatTimestamp } from "../../../src/core/time.ts";
import { guardText, unguardText } from "../../../src/integration/reading/guard.ts";
import fc, { anyText, seedCases } from "../../support/properties.ts";
import {
  findDateOrder,
  OrderJudge,
  readDate,
  readTimestamp,
} from "../../../src/integration/reading/dates.ts";
import { proposeMapping } from "../../../src/integration/reading/headers.ts";
import { DecimalJudge, readNumber } from "../../../src/integration/reading/numbers.ts";
import {
  findCountry,
  findOption,
  joinValues,
  readBoolean,
  splitName,
  splitValues,
} from "../../../src/integration/reading/words.ts";

Deno.test("numbers are read with either decimal sign and with thousands", () => {
  const read: [string, "." | ",", number | null][] = [
    ["12", ".", 12],
    ["-1,234.50", ".", -1234.5],
    ["1.234,50", ",", 1234.5],
    ["1 234,5", ",", 1234.5],
    ["1\u00a0234.5", ".", 1234.5],
    ["1'234'567", ".", 1234567],
    [".5", ".", 0.5],
    [",5", ",", 0.5],
    ["1,23", ".", null],
    ["1.23", ",", null],
    ["12 34", ".", null],
    ["1,2345", ".", null],
    ["", ".", null],
    ["-", ".", null],
    ["1e3", ".", null],
    ["9".repeat(400), ".", null],
  ];
  for (const [text, sign, number] of read) assert.equal(readNumber(text, sign), number, `${text} ${sign}`);
});

Deno.test("the decimal sign is a comma when numbers say so", () => {
  const findSign = (...values: string[]) => {
    const judge = new DecimalJudge();
    for (const value of values) judge.add(value);
    return judge.sign;
  };
  assert.equal(findSign("1,50", "2", "1.000"), ",");
  assert.equal(findSign("1.50", "1,000"), ".");
  assert.equal(findSign("1,000", "12", "none"), ".");
  assert.equal(findSign(), ".");
});

Deno.test("dates are read in their order, as serial days, or not at all", () => {
  assert.equal(readDate("2023-03-15", "mdy"), "2023-03-15");
  assert.equal(readDate("2023/3/5", "dmy"), "2023-03-05");
  assert.equal(readDate("05.03.2023", "dmy"), "2023-03-05");
  assert.equal(readDate("5/3/2023", "mdy"), "2023-05-03");
  assert.equal(readDate("5/3/2023", "ymd"), null);
  assert.equal(readDate("31.02.2023", "dmy"), null);
  assert.equal(readDate("13/13/2023", "mdy"), null);
  assert.equal(readDate("1.2.23", "dmy"), null);
  assert.equal(readDate("1.2/2023", "dmy"), null);
  assert.equal(readDate("0000-00-00", "dmy"), null);
  assert.equal(readDate("45000", "dmy"), "2023-03-15");
  assert.equal(readDate("1", "dmy"), "1900-01-01");
  assert.equal(readDate("59", "dmy"), "1900-02-28");
  assert.equal(readDate("60", "dmy"), null);
  assert.equal(readDate("61", "dmy"), "1900-03-01");
  assert.equal(readDate("2958465", "dmy"), "9999-12-31");
  assert.equal(readDate("2958466", "dmy"), null);
  assert.equal(readDate("tomorrow", "dmy"), null);
});

Deno.test("moments are those of the API, or dates with a time in the zone of the company", () => {
  const read = (text: string) => {
    const at = readTimestamp(text, "dmy", "Europe/Amsterdam");
    return at === null ? null : formatTimestamp(at);
  };
  assert.equal(read("2026-01-31 10:00:00"), "2026-01-31 10:00:00");
  assert.equal(read("2026-01-31T10:00:00+02:00"), "2026-01-31 08:00:00");
  assert.equal(read("31-01-2026 10:00"), "2026-01-31 09:00:00");
  assert.equal(read("01.07.2026 10:00:30"), "2026-07-01 08:00:30");
  assert.equal(read("01.07.2026"), "2026-06-30 22:00:00");
  assert.equal(read("01.07.2026 25:00"), null);
  assert.equal(read("0000-00-00 00:00"), null);
});

Deno.test("the order of a column is the one that alone reads all of its dates", () => {
  const findOrder = (...values: string[]) => {
    const judge = new OrderJudge();
    for (const value of values) judge.add(value);
    return judge.order;
  };
  assert.equal(findOrder("01.02.2023", "31.01.2023"), "dmy");
  assert.equal(findOrder("01/02/2023", "12/31/2023 10:00"), "mdy");
  assert.equal(findOrder("01/02/2023", "03/04/2023"), null);
  assert.equal(findOrder("31/01/2023", "01/31/2023"), null);
  assert.equal(findOrder("2023-01-02", "45000", ""), null);
  assert.equal(findDateOrder("de-DE"), "dmy");
  assert.equal(findDateOrder("en-US"), "mdy");
  assert.equal(findDateOrder("sv-SE"), "ymd");
});

Deno.test("booleans, choices, countries and names are read as people write them", () => {
  for (const yes of ["true", "1", "Yes", "JA", "oui", "x"]) assert.equal(readBoolean(yes), true);
  for (const no of ["false", "0", "no", "nee", "Nein", "non"]) assert.equal(readBoolean(no), false);
  assert.equal(readBoolean("maybe"), null);
  assert.equal(readBoolean("constructor"), null);

  const values = ["a|b", "c", "d\\e"];
  assert.deepEqual(splitValues(joinValues(values)), values);
  assert.deepEqual(splitValues("red | Blue||"), ["red", "Blue"]);
  const options = [{ id: "1f", value: "Red" }, { id: "2", value: "1f" }];
  assert.equal(findOption(" RED ", options)!.id, "1f");
  assert.equal(findOption("1F", options)!.id, "1f");
  assert.equal(findOption("green", options), null);

  assert.equal(findCountry("nl", "en"), "NL");
  assert.equal(findCountry("Netherlands", "de"), "NL");
  assert.equal(findCountry("niederlande", "de"), "NL");
  assert.equal(findCountry("Österreich", "de"), "AT");
  assert.equal(findCountry("Atlantis", "de"), null);

  assert.deepEqual(splitName("Ludwig van Beethoven"), { first_name: "Ludwig", last_name: "van Beethoven" });
  assert.deepEqual(splitName("Anna de la Cruz"), { first_name: "Anna", last_name: "de la Cruz" });
  assert.deepEqual(splitName("Lovelace, Ada  King"), { first_name: "Ada King", last_name: "Lovelace" });
  assert.deepEqual(splitName("van Dyk"), { first_name: null, last_name: "van Dyk" });
  assert.deepEqual(splitName("Ada"), { first_name: null, last_name: "Ada" });
});

Deno.test("columns are mapped by name or label, without case and signs, each field once", () => {
  const fields = [
    { name: "first_name", label: "First name" },
    { name: "account.name", label: "Company" },
    { name: "email", label: "E-mail" },
  ];
  assert.equal(simplifyName("E-Mail_ad.dress "), "emailaddress");
  assert.deepEqual(
    proposeMapping(["First-Name", "EMAIL", "company", "e-mail", "__proto__", "account name"], fields),
    {
      "First-Name": "first_name",
      EMAIL: "email",
      company: "account.name",
      "e-mail": null,
      ["__proto__"]: null,
      "account name": null,
    },
  );
});

/** Texts of the characters that mean something in a cell. */
const markedText = fc.array(
  fc.oneof(fc.constantFrom("\\", "|", "'", '"', "#N/A", "=", "+31", "-", "@", ",", "\n", "a"), anyText),
  { maxLength: 8 },
).map((parts) => parts.join(""));

Deno.test("values that stand in one cell are parted as they were joined, with any characters", () => {
  const values = fc.array(markedText.map((text) => text.trim()).filter((text) => text !== ""));
  fc.assert(
    fc.property(values, (given) => assert.deepEqual(splitValues(joinValues(given)), given)),
    { numRuns: 3_000, ...seedCases("joined values") },
  );
  assert.equal(joinValues(["a|b", "c"]), "a\\|b|c");
  assert.deepEqual(splitValues("C:\\temp|D:\\\\new\\"), ["C:\\temp", "D:\\\\new\\"]);
});

Deno.test("what is guarded, unguarded is the text as it was", () => {
  fc.assert(
    fc.property(markedText, (text) => assert.equal(unguardText(guardText(text)), text)),
    { numRuns: 3_000, ...seedCases("guarded texts") },
  );
});
