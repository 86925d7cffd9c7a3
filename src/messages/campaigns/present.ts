/** Campaign → wire shape. */
import { unescapeHtml } from "../../core/html.ts";
import type { Deps } from "../../deps.ts";
import { type CampaignRow, presentListedCampaign, presentWholeCampaign } from "./record.ts";

/** The task of each recipient; the relations path is a column of its own. */
export interface TaskPlan {
  readonly distribution_strategy: "distribute" | "responsible_user";
  readonly distribute_users: readonly number[];
  readonly start_at: string;
  readonly end_at: string;
}

/** Columns that answers do not show. */
type InternalColumn = "seq" | "snapshot" | "served_at" | "stage" | "origin" | "version";

/** A campaign with the data of other records that it shows. */
export interface CampaignFacts extends Omit<CampaignRow, InternalColumn> {
  readonly user_name: string;
  /** JSON; null: none. */
  readonly template: string | null;
  /** JSON: the users of the task, `[{id, name}]`. */
  readonly users: string | null;
}

type Listed = Omit<CampaignFacts, "content">;

/** Presents a campaign in lists, without the content of its message. */
export function presentCampaign(campaign: Listed) {
  const { subject, sender } = campaign;
  return presentListedCampaign({ ...campaign, ...computeMembers(campaign), message: { subject, sender } });
}

export function presentFullCampaign({ printer }: Pick<Deps, "printer">, campaign: CampaignFacts) {
  const { type, subject, content, sender } = campaign;
  const words = type === "letter" ? unescapeHtml((content ?? "").replaceAll(/<[^<>]*>/g, "")) : "";
  return presentWholeCampaign({
    ...campaign,
    ...computeMembers(campaign),
    message: { subject, content, sender },
    unshown_characters: printer.findUnshown(words),
  });
}

/** Computes what an answer shows in another form than the row has. */
function computeMembers(campaign: Listed) {
  return {
    user: { id: campaign.user_id, name: campaign.user_name },
    scope: findScope(campaign),
    approved: campaign.status !== "draft",
    stopped_reason: campaign.stopped_reason ?? null,
    template: campaign.template === null ? null : JSON.parse(campaign.template) as Template,
    filter: campaign.filter === null ? null : JSON.parse(campaign.filter) as Record<string, never>[],
    task: readTask(campaign),
  };
}

function findScope({ team_id, group_id }: Listed): "team" | "group" | "global" {
  if (team_id !== null) return "team";
  return group_id === null ? "global" : "group";
}

interface Template {
  readonly id: number;
  readonly type: "email" | "letter";
  readonly company_id: number;
  readonly title: string;
  readonly user_id: number;
}

function readTask({ task, users, relations_path_id }: Listed) {
  if (task === null) return null;
  const { distribution_strategy, start_at, end_at }: TaskPlan = JSON.parse(task);
  return {
    distribution_strategy,
    distribute_users: JSON.parse(users ?? "[]") as readonly { readonly id: number; readonly name: string }[],
    relations_path: relations_path_id,
    start_at,
    end_at,
  };
}
