/** The letters of a campaign as one ZIP. */
import { accepted, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { object } from "../../core/json.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { signHex } from "../../platform/signed.ts";
import { checkMayWrite } from "../belonging.ts";
import { type ZipEntry, zipStream } from "./zip.ts";
import { campaignById, seenCampaign } from "./queries.ts";

/** Signs the addresses of ZIPs. */
export const zipPurpose = "campaign letters";

/** Rows that are read at once. */
const atOnce = 200;

/** Returns 200 with the address of the ZIP, which works for five minutes; 202 until all letters are made. */
export async function getLetters(ctx: Context, id: string) {
  const [found, counted] = await ctx.deps.db.read([
    campaignById(ctx.caller.companyId, id),
    sql`select count(*) as total, coalesce(sum(status <> 'pending'), 0) as done from campaign_messages
      where campaign_id = ${id}`,
  ]);
  const campaign = seenCampaign(ctx.caller, found!);
  // The letters may go to contacts that other readers of the campaign do not see.
  checkMayWrite(ctx.caller, campaign);
  if (campaign.type !== "letter" || campaign.status === "draft") {
    throw conflict("campaign_state", "Only an approved campaign by letter has letters.");
  }
  const { total, done } = counted!.rows[0] as { total: number; done: number };
  const progress = object({ done, total });
  if (campaign.status !== "sent") return accepted(object({ url: null, progress }));
  return ok(object({ url: addressOf(ctx, id), progress }));
}

function addressOf({ deps, origin, now }: Context, id: string): string {
  const until = Math.floor((now + lifetimes.fileLink) / 1000).toString(16).padStart(12, "0");
  return `${origin}/campaigns/letters/${
    signHex(deps.secretsKey, zipPurpose, until + id.replaceAll("-", ""))
  }`;
}

/** Streams the ZIP: each PDF is read from the storage when its turn comes. */
export function zipOf(deps: Pick<Deps, "db" | "storage">, id: string): ReadableStream<Uint8Array> {
  return zipStream(entriesOf(deps, id));
}

async function* entriesOf(
  { db, storage }: Pick<Deps, "db" | "storage">,
  id: string,
): AsyncGenerator<ZipEntry> {
  let number = 0;
  for (let after = 0;;) {
    const [found] = await db.read([
      sql`select m.id, m.object, m.sent_at, c.last_name, c.first_name from campaign_messages m
        left join contacts c on c.id = m.contact_id where m.campaign_id = ${id} and m.id > ${after}
        order by m.id limit ${atOnce} + 0`,
    ]);
    for (const row of found!.rows) {
      after = Number(row.id);
      if (row.object === null) continue;
      const stored = await storage.get(String(row.object));
      if (stored === null) continue;
      yield {
        name: nameOf(++number, [row.last_name, row.first_name].filter((name) => name).join(" ")),
        lastModified: new Date(`${String(row.sent_at).replace(" ", "T")}Z`),
        input: stored.body,
      };
    }
    if (found!.rows.length < atOnce) return;
  }
}

/** `0001 Lovelace Ada.pdf`, without characters that a file system refuses. */
export function nameOf(number: number, name: string): string {
  const plain = name.replaceAll(/[\p{C}/\\:*?"<>|]+/gu, " ").replaceAll(/\s+/g, " ").trim().slice(0, 100);
  return `${String(number).padStart(4, "0")}${plain === "" ? "" : ` ${plain}`}.pdf`;
}
