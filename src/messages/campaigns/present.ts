/** Campaign → wire shape. */
import { unescapeHtml } from "../../core/html.ts";
import type { Deps } from "../../deps.ts";
import type { CampaignRow } from "./table.ts";

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

/** Lists show a campaign without the content of its message. */
export function presentCampaign(campaign: Omit<CampaignFacts, "content">) {
  const { subject, sender } = campaign;
  return {
    ...membersOf(campaign),
    message: { subject, sender },
    ...restOf(campaign),
  };
}

export function presentFullCampaign({ printer }: Pick<Deps, "printer">, campaign: CampaignFacts) {
  const { type, subject, content, sender } = campaign;
  const words = type === "letter" ? unescapeHtml((content ?? "").replaceAll(/<[^<>]*>/g, "")) : "";
  return {
    ...membersOf(campaign),
    message: { subject, content, sender },
    ...restOf(campaign),
    unshown_characters: printer.findUnshown(words),
  };
}

type Listed = Omit<CampaignFacts, "content">;

function membersOf(campaign: Listed) {
  const { team_id, group_id } = campaign;
  const scope: "team" | "group" | "global" = team_id !== null
    ? "team"
    : group_id !== null
    ? "group"
    : "global";
  return {
    id: campaign.id,
    user: { id: campaign.user_id, name: campaign.user_name },
    team_id,
    group_id,
    scope,
    name: campaign.name,
    approved: campaign.status !== "draft",
    status: campaign.status,
    stopped_reason: campaign.stopped_reason ?? null,
    description: campaign.description,
    type: campaign.type,
  };
}

interface Template {
  readonly id: number;
  readonly type: "email" | "letter";
  readonly company_id: number;
  readonly title: string;
  readonly user_id: number;
}

function restOf(campaign: Listed) {
  return {
    template: campaign.template === null ? null : JSON.parse(campaign.template) as Template,
    filter: campaign.filter === null ? null : JSON.parse(campaign.filter) as readonly unknown[],
    sent_at: campaign.sent_at,
    total_sent: campaign.total_sent,
    send_at: campaign.send_at,
    task: taskOf(campaign),
    created_at: campaign.created_at,
    updated_at: campaign.updated_at,
  };
}

function taskOf({ task, users, relations_path_id }: Listed) {
  if (task === null) return null;
  const { distribution_strategy, start_at, end_at }: TaskPlan = JSON.parse(
    task,
  );
  return {
    distribution_strategy,
    distribute_users: JSON.parse(users ?? "[]") as readonly { readonly id: number; readonly name: string }[],
    relations_path: relations_path_id,
    start_at,
    end_at,
  };
}
