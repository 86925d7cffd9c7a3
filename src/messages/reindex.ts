/** What templates and campaigns keep for search, computed again. */
import { only, type Reindexed } from "../staged/reindex.ts";
import { indexName } from "./campaigns/write.ts";
import { indexTitle } from "./templates/write.ts";

export const reindexedTemplates: Reindexed = {
  table: "templates",
  select: only("title"),
  write: (_, rows) =>
    rows.map(({ id, company_id, title }) => indexTitle(Number(id), Number(company_id), String(title))),
};

export const reindexedCampaigns: Reindexed = {
  table: "campaigns",
  select: only("seq", "name"),
  write: (_, rows) =>
    rows.map(({ seq, company_id, name }) => indexName(Number(seq), Number(company_id), String(name))),
};
