/** Wire shapes around users. */
import { z } from "zod";
import { rights } from "../../core/rights.ts";
import { csvIntegers, integerId, queryInteger, text } from "../../http/zod.ts";
import { describePage, paging, search, sorting } from "../../http/lists.ts";
import { Company } from "../companies/record_schema.ts";
import { Team } from "../teams/record.ts";
import { longestPassword, password, User } from "./record.ts";

export const ProfilePicture = User.pick({ profile_picture: true }).meta({ id: "ProfilePicture" });

export const UserPage = describePage(User, "UserPage");

export const Me = User.extend({
  company: Company,
  rights: z.array(z.enum(Object.keys(rights))).meta({
    description: "The names of the rights in force.",
    example: ["customers.create", "customers.update"],
  }),
}).meta({ id: "Me", extends: User });

/** Also those of the list in `queries.ts`. */
export const userSorts = { created_at: "created_at" };

export const UserListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(userSorts),
  ids: csvIntegers.optional().meta({ description: "Only these users.", example: "12,13" }),
  teams: csvIntegers.optional().meta({ description: "Only members of these teams.", example: "2,3" }),
});

export type ChangePassword = z.output<typeof ChangePassword>;
export const ChangePassword = z.object({
  old_password: text(longestPassword).meta({ example: "correct horse battery" }),
  new_password: password(10).meta({ example: "battery horse correct" }),
}).meta({
  id: "ChangePassword",
  example: { old_password: "correct horse battery", new_password: "battery horse correct" },
});

export const SwitchTeam = z.object({
  team_id: integerId.nullable().meta({
    description: "One of the caller's teams; null: none.",
    example: 7,
  }),
}).meta({ id: "SwitchTeam", example: { team_id: 7 } });

export const TeamsOfUser = z.object({ data: z.array(Team) }).meta({ id: "TeamsOfUser" });

export const DeleteUserQuery = z.object({
  assign_to: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description: "The user who gets the open cases and tasks, the applications and the webhooks. " +
      "Without one, cases and tasks stay with the deleted user, and applications and webhooks are deleted.",
    example: 13,
  }),
});
