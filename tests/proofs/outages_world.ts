/** The company that works through outages. */
import { hold, release } from "../../src/db/hold.ts";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";
import { createCampaign, everybody, postRecord, sendingCompany } from "../messages/campaign_world.ts";
import { newPath } from "../sales/parts.ts";

export interface World {
  readonly token: string;
  readonly user: number;
  /** A team whose leads `dealer` accepts. */
  readonly team_id: number;
  readonly dealer: number;
  readonly lead_type_id: string;
  /** The activity type that closes a case. */
  readonly sold: string;
}

export const recipients = 150;

export const key = new Uint8Array(32).fill(7).toBase64();

/** Makes a company with contacts and a campaign that is being sent, in a file of the folder. */
export async function prepare(folder: string, target_url: string): Promise<World> {
  await using app = await startApp({ SECRETS_KEY: key, WEBHOOK_ALLOW_PRIVATE: "true" });
  app.clock.move(Date.now() - app.clock.now());
  const company = await sendingCompany(app);
  const { admin, id } = company;
  const user = await company.user();
  const team = await company.team({ team_type: "dealer" });
  const dealer = await company.user({ teams: [team] });
  const path = await newPath(admin);
  const type = await postRecord(admin, "/v1/lead-types", {
    name: "Fair",
    relations_path_ids: [path.id],
    escalation_accept: 60,
    escalation_activity: 120,
  });
  await postRecord(admin, "/v1/webhooks", { target_url, webhook_event: "*" });
  const addresses = JSON.stringify(
    Array.from({ length: recipients }, (_, n) => `r${n}@example.org`),
  );
  const at = "2026-01-01 00:00:00";
  await app.deps.db.write([
    sql`insert into accounts (id, company_id, name_key, last_activity_at, created_at, updated_at)
      select printf('01939c5e-7d3a-7001-8000-%012x', key), ${id}, '', ${at}, ${at}, ${at} from json_each(${addresses})`,
    sql`insert into contacts (id, company_id, account_id, email, last_name_key, last_activity_at, created_at,
      updated_at) select printf('01939c5e-7d3a-7002-8000-%012x', key), ${id},
      printf('01939c5e-7d3a-7001-8000-%012x', key), value, '', ${at}, ${at}, ${at} from json_each(${addresses})`,
  ]);
  // Its first messages would go to the mailer of this app.
  await app.deps.db.write([hold(app.clock.now(), "campaigns")]);
  await createCampaign(admin, everybody);
  await app.idle();
  await app.deps.db.write([release("campaigns")]);
  await app.deps.db.script(`vacuum into '${folder}/crm.db'`);
  const [team_id, sold] = [team, path.types["Sold"]!];
  return { token: admin.token, user: user.id, team_id, dealer: dealer.id, lead_type_id: type.id, sold };
}
