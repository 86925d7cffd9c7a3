/** The messages of a campaign. */
import { makeId } from "../../../src/core/ids.ts";
import { sql } from "../../../src/db/statements.ts";
import { type Kind, postRecord, put, type World } from "./world.ts";

const made = new WeakMap<World, Promise<string>>();

/** Returns the id of the only campaign of a world. */
export function getCampaign(world: World): Promise<string> {
  const known = made.get(world) ?? newCampaign(world);
  made.set(world, known);
  return known;
}

async function newCampaign({ admin, company }: World): Promise<string> {
  await put(admin, "/v1/campaigns/settings", { domain_slug: `walk-${company.id}` });
  const message = { subject: "x", content: "x", sender: "x" };
  const body = { type: "email", name: "Messages", approved: false, message, filter: [], team_id: null };
  return String(await postRecord(admin, "/v1/campaigns", body));
}

export const campaignMessages: Kind = {
  name: "messages of a campaign",
  path: "/v1/campaigns/:campaign_id/messages",
  sorts: [],
  fallback: "id",
  parameter: "sort",
  shared: true,
  list: (world) => `/v1/campaigns/${campaigns.get(world)}/messages`,
  async make(world) {
    const id = await getCampaign(world);
    campaigns.set(world, id);
    const [row] = await world.app.deps.db.write([
      sql`insert into campaign_messages (company_id, campaign_id, contact_id, status, created_at, updated_at)
        values (${world.company.id}, ${id}, ${makeId()}, 'sent', '', '') returning id`,
    ]);
    return Number(row!.rows[0]!.id);
  },
  async happen({ app }, id) {
    await app.deps.db.write([sql`update campaign_messages set status = 'failed' where id = ${Number(id)}`]);
    return [];
  },
  key: (record) => record.id,
};

const campaigns = new WeakMap<World, string>();
