import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "../support/properties.ts";
import { fold, isLonger, searchMatch, searchTokens, splitWords } from "../../src/core/text.ts";

Deno.test("folding removes case and accents", () => {
  const cases: [string, string][] = [
    ["Müller", "muller"],
    ["ÉCOLE", "ecole"],
    ["Straße", "strasse"],
    ["STRASSE", "strasse"],
    ["GROẞ", "gross"],
    ["Łódź", "lodz"],
    ["Øystein Sæther", "oystein saether"],
    ["Þór Ðóra", "thor dora"],
    ["İstanbul ısı", "istanbul isi"],
    ["Nguyễn Đức", "nguyen duc"],
    ["ﬁnance ™ Ⅻ", "finance tm xii"],
    ["ΟΔΥΣΣΕΥΣ Οδυσσεύς", "οδυσσευσ οδυσσευσ"],
    ["Ёлка", "елка"],
    ["ＡＢＣ１２３", "abc123"],
    ["e\u0301", "e"],
    ["a~B|\t\u0000", "a~b|\t\u0000"],
  ];
  for (const [text, folded] of cases) assert.equal(fold(text), folded, text);
});

Deno.test("folding folded text changes nothing", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => assert.equal(fold(fold(text)), fold(text))));
});

Deno.test("anything but letters and digits separates words", () => {
  assert.deepEqual(splitWords("  O'Brien-Müller & Co. (2nd)  "), ["o", "brien", "muller", "co", "2nd"]);
  assert.deepEqual(splitWords("a_b@c.de +49 30/123"), ["a", "b", "c", "de", "49", "30", "123"]);
  assert.deepEqual(splitWords("東京 タワー москва"), ["東京", "タワー", "москва"]);
  assert.deepEqual(splitWords("—!?"), []);
});

Deno.test("search tokens carry the scope, each once, and long words are cut", () => {
  assert.equal(
    searchTokens("c12z", ["Max Müller", null, "max@mueller.de"]),
    "c12zmax c12zmuller c12zmueller c12zde",
  );
  assert.equal(searchTokens("c12z", [null, "", "--"]), "");
  assert.equal(searchTokens("c1z", ["x".repeat(65) + " " + "x".repeat(64)]), "c1z" + "x".repeat(64));
  assert.equal(searchTokens("c1z", ["𐐨".repeat(70)]), "c1z" + "𐐨".repeat(64));
});

Deno.test("words of scripts without spaces are found inside, at each character", () => {
  assert.equal(
    searchTokens("c1z", ["東京タワー展望台 iPhone手機"]),
    "c1z東京タワー展 c1z京タワー展望 c1zタワー展望台 c1zワー展望台 c1zー展望台 c1z展望台 c1z望台 c1z台 c1ziphone c1z手機 c1z機",
  );
  assert.equal(searchMatch("c1z", "タワー"), '"c1zタワー"*');
  assert.equal(searchMatch("c1z", "東京タワー展望台"), '"c1z東京タワー展"* AND "c1zタワー展望台"*');
  const db = index();
  const texts: [string, string[], string[]][] = [
    ["株式会社山田製作所", ["山田", "製作所", "株式会社山田製作所", "作"], ["田山", "会社製"]],
    ["บริษัทกรุงเทพจำกัด", ["กรุงเทพ", "จำกัด"], ["เชียงใหม่"]],
    ["ビール園ガーデン", ["ガーデン", "園"], ["ガール"]],
    ["北京2008奥运会", ["奥运", "2008", "北京2008奥运"], ["00奥"]],
    ["ບໍລິສັດລາວ", ["ລາວ"], []],
    ["កម្ពុជាភ្នំពេញ", ["ភ្នំពេញ"], []],
    ["မြန်မာရန်ကုန်", ["ရန်ကုန်"], []],
    ["Münchner東京", ["mün", "東京"], ["chner"]],
  ];
  const found = db.prepare("select count(*) as n from found where found match ?");
  for (const [text, inside, outside] of texts) {
    db.exec("delete from found");
    db.prepare("insert into found (text) values (?)").run(searchTokens("c1z", [text]));
    for (const query of inside) {
      assert.equal(found.get(searchMatch("c1z", query)!)!.n, 1, `${text}: ${query}`);
    }
    for (const query of outside) {
      assert.equal(found.get(searchMatch("c1z", query)!)!.n, 0, `${text}: ${query}`);
    }
  }
  db.close();
});

Deno.test("a search expression quotes each word that starts no other, and one of signs alone finds nothing", () => {
  assert.equal(searchMatch("c12z", "Mül Sch"), '"c12zmul"* AND "c12zsch"*');
  assert.equal(searchMatch("c12z", "max MAX"), '"c12zmax"*');
  assert.equal(
    searchMatch("c12z", 'a" OR "b* NEAR(c)'),
    '"c12za"* AND "c12zor"* AND "c12zb"* AND "c12znear"* AND "c12zc"*',
  );
  assert.equal(searchMatch("c1z", "a b c d e f g h i j k l")?.split(" AND ").length, 12);
  assert.equal(searchMatch("c1z", "m mul mu sch mul"), '"c1zmul"* AND "c1zsch"*');
  assert.equal(searchMatch("c1z", ' "*^:+-{}() '), '"c1z"');
  assert.equal(searchMatch("c1z", "+31 6-1234"), '(("c1z31"* "c1z6"* "c1z1234"*) OR "c1z3161234"*)');
  assert.equal(searchMatch("c1z", ""), null);
});

function index(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec(`create virtual table found using fts5(text, tokenize = "ascii");
    create virtual table vocabulary using fts5vocab(found, "row")`);
  return db;
}

Deno.test("the full-text index keeps every letter and digit of Unicode inside its token", () => {
  const db = index();
  const expected = new Set<string>();
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    for (const word of splitWords(String.fromCodePoint(code))) expected.add(`c1za${word}b`);
  }
  db.prepare("insert into found (text) values (?)").run([...expected].join(" "));
  const kept = new Set(db.prepare("select term from vocabulary").all().map((row) => row.term));
  assert.ok(expected.size > 100_000);
  assert.deepEqual([...expected].filter((token) => !kept.has(token)), []);
  db.close();
});

Deno.test("a search finds the records of its scope in which every query word starts a word", () => {
  const db = index();
  const insert = db.prepare("insert into found (rowid, text) values (?, ?)");
  const select = db.prepare("select rowid as id from found where found match ? order by rowid");
  const word = fc.constantFrom(
    "Max",
    "Müller",
    "muh",
    "Straße",
    "O'Brien",
    "東京",
    "c1z",
    "1z",
    "12",
    "AND",
    '"',
  );
  const text = fc.array(word, { maxLength: 4 }).map((list) => list.join(" "));
  const record = fc.record({ scope: fc.constantFrom("c1z", "c11z", "c2z"), text });
  const query = fc.array(fc.constantFrom("m", "mu", "MÜLLER", "str", "b", "東", "c", "1", "zzz", "*"), {
    maxLength: 3,
  });
  fc.assert(fc.property(fc.array(record, { maxLength: 12 }), query, (records, parts) => {
    db.exec("delete from found");
    records.forEach((each, id) => insert.run(id, searchTokens(each.scope, [each.text])));
    const match = searchMatch("c1z", parts.join(" "));
    const wanted = splitWords(parts.join(" "));
    if (match === null) return assert.deepEqual(wanted, []);
    const expected = records.flatMap((each, id) =>
      each.scope === "c1z" && wanted.length > 0 &&
        wanted.every((start) => splitWords(each.text).some((whole) => whole.startsWith(start)))
        ? [id]
        : []
    );
    assert.deepEqual(select.all(match).map((row) => row.id), expected);
  }));
  db.close();
});

Deno.test("characters are counted as code points: an emoji is one, a letter with a combining accent is two", () => {
  for (
    const [text, length] of [["", 0], ["abc", 3], ["😀😀", 2], ["e\u0301", 2], ["\ud800", 1]] as const
  ) {
    assert.deepEqual([isLonger(text, length), isLonger(text, length - 1)], [false, true], text);
  }
  assert.equal(isLonger("x".repeat(1_000_000), 255), true);
});
