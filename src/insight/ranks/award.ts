/** Awards the ranks of months that have ended, each month once. */
import { computeZoneOffset, parseTimestamp } from "../../core/time.ts";
import { bindRows, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, GuardRefused, type Row } from "../../platform/database/database.ts";
import { type NewEvent, storeEvents } from "../gamification/write.ts";
import { computeMonthStart } from "./months.ts";
import { readPlaces, selectScores } from "./scores.ts";
import { withdrawAwards } from "./withdraw.ts";

/** Ranks of one run; the next run continues. */
const mostAwarded = 100;
const day = 86_400;
/** Seconds after the end of a month that are within the next month in every time zone. */
const intoMonth = 10 * day;

/**
 * Awards the months that have ended by `now` (epoch milliseconds), and returns their number. The users in
 * first place win, unless their score is 0. Months that ended during a pause follow one after another.
 */
export async function awardRanks({ db }: Pick<Deps, "db">, now: number): Promise<number> {
  await withdrawAwards(db, now);
  const [found] = await db.read([
    sql`select r.id, r.company_id, r.name, r.award_at, r.created_at, c.timezone from ranks r
      join companies c on c.id = r.company_id where c.deleted_at is null
      and (r.award_at is null or r.award_at <= ${Math.floor(now / 1000)}) order by r.award_at
      limit ${bindRows(mostAwarded)}`,
  ]);
  let awarded = 0;
  for (const rank of found!.rows) awarded += await awardOne(db, rank, Math.floor(now / 1000));
  return awarded;
}

async function awardOne(db: Deps["db"], rank: Row, now: number): Promise<number> {
  const zone = String(rank.timezone);
  const made = Math.floor(parseTimestamp(String(rank.created_at))! / 1000);
  let before = rank.award_at === null ? null : Number(rank.award_at);
  for (let awarded = 0;; awarded++) {
    // A new rank waits for the end of the month in which it was created. The company's present time zone
    // decides when a month ends: after a change of the zone the stored end, and so the award, is late by hours.
    const end = before === null
      ? computeMonthStart(zone, made, 1)
      : computeMonthStart(zone, before + intoMonth, 0);
    const isDue = end <= now;
    if (!isDue && end === before) return awarded;
    const events = isDue ? await findWins(db, rank, computeMonthStart(zone, end - day, 0), end, zone) : [];
    const next = isDue ? computeMonthStart(zone, end + intoMonth, 1) : end;
    try {
      await db.write([
        sql`update ranks set award_at = ${next} where id = ${rank.id!} and award_at is ${before}`,
        guardChanged("rank"),
        ...(events.length > 0 ? [storeEvents(events)] : []),
      ]);
    } catch (error) {
      // Deleted, or awarded by another process.
      if (error instanceof GuardRefused) return awarded;
      throw error;
    }
    if (!isDue) return awarded;
    before = next;
  }
}

async function findWins(
  db: Deps["db"],
  rank: Row,
  start: number,
  end: number,
  zone: string,
): Promise<NewEvent[]> {
  const company_id = Number(rank.company_id);
  const [scores] = await db.read([selectScores(company_id, String(rank.id), { start, end })]);
  const month = new Date((end - 1) * 1000 + computeZoneOffset(zone, (end - 1) * 1000) * 1000).toISOString()
    .slice(
      0,
      7,
    );
  return readPlaces(scores!).filter((place) => place.rank === 1 && place.score > 0)
    .map(({ user, score }) => ({
      company_id,
      user_id: user.id,
      type: "rank_won",
      key: `${rank.id}:${month}`,
      data: { rank: { id: rank.id, name: rank.name }, score },
      at: end,
    }));
}
