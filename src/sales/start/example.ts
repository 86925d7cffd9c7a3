/** What a company may begin with: a sales process, a lead type for it, and a dealer team. */
import type { Author } from "../../db/commit.ts";
import { createCompany, type Start } from "../../identity/registration/create.ts";
import type { CreateCompany } from "../../identity/registration/schema.ts";
import { makeLeadType } from "../lead_types/create.ts";
import { insertPath } from "../relations_paths/create.ts";

/** Creates a company and its first user as `createCompany`, with an example of a sales process. */
export async function createCompanyWithExample(
  author: Parameters<typeof createCompany>[0],
  body: CreateCompany,
) {
  return await createCompany(author, body, example);
}

const example: Start = { team: "Sales", statements: exampleProcess };

function exampleProcess(author: Author, caller: { readonly companyId: number; readonly userId: number }) {
  const maker = { now: author.now, at: author.at, caller };
  const { path, statements } = insertPath(maker, {
    name: "New customer",
    is_sales_type: true,
    activity_types: {
      milestones: [
        { name: "First contact", chance_of_success: 10, suggest_task_after: 2 },
        { name: "Needs analysis", type: "need_analysis", chance_of_success: 25, suggest_task_after: 3 },
        { name: "Offer", type: "offer", chance_of_success: 60, suggest_task_after: 5 },
        { name: "Contract signed", chance_of_success: 100, set_status: "closed" },
        { name: "Lost", chance_of_success: 0, set_status: "declined" },
      ],
    },
  });
  const { statement } = makeLeadType(maker, {
    name: "Website enquiry",
    icon: "globe",
    relations_path_ids: [path.id],
    escalation_accept: day,
    escalation_activity: 3 * day,
    escalation_ignore_weekends: true,
  }, { relations_paths: [path], escalation_user_ids: [], team_settings: [] });
  return [...statements, statement];
}

/** A day in minutes. */
const day = 24 * 60;
