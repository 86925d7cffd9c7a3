/** Fields of users, their passwords and their active team. */
import { withPassword } from "../../support/oauth.ts";
import { choice, email, flag, group, id, ids, type Need, phone, rule, text } from "./rules.ts";
import {
  any,
  type Fields,
  listLocaleRules,
  listTimezoneRules,
  makeSomeone,
  makeWorld,
  nothing,
  readEmail,
  sendTo,
  type World,
} from "./world.ts";

export const ofUsers: readonly Fields[] = [
  {
    operation: "createUser",
    of: "a new user",
    success: 201,
    elsewhere: ["sso"],
    async open(app) {
      const world = await makeWorld(app);
      return {
        rules: [
          ...user("always", await readEmail(app, world), world),
          group("user_type", any),
          newPassword(),
        ],
        least: makeSomeone,
        send: sendTo(world, "POST", `/v1/companies/${world.company.id}/users`),
      };
    },
  },
  {
    operation: "updateUser",
    // In place of `role_ids` and `team_ids`: tested with all such members.
    elsewhere: ["roles", "teams"],
    of: "a changed user",
    success: 200,
    async open(app) {
      const world = await makeWorld(app);
      const { id } = await world.company.user();
      return {
        rules: [
          ...user("never null", await readEmail(app, world), world),
          group("user_type", "never null"),
          group("signature", any),
          text("signature.email", 65_535),
          flag("email_notifications", { need: { cleared: true } }),
        ],
        least: () => ({}),
        send: sendTo(world, "PUT", `/v1/companies/${world.company.id}/users/${id}`),
      };
    },
  },
  {
    operation: "changePassword",
    of: "a changed password",
    success: 200,
    async open(app) {
      const { company } = await makeWorld(app);
      const { admin } = company;
      let old_password = "the first one";
      await withPassword(app, admin, old_password);
      const token = await company.token(admin.id);
      return {
        rules: [
          rule("old_password", "string", { need: "always" }, { maxLength: 1024 }, [7, ["x"]], [
            {
              says: "a wrong old password is refused with format",
              refused: [["another one", "format"]],
            },
            { says: "1025 characters are refused with max", refused: [["x".repeat(1025), "max"]] },
          ]),
          text("new_password", 1024, { least: 10, need: "always", hidden: true }),
        ],
        least: () => ({ old_password, new_password: "ten chars!" }),
        async send(body: { new_password?: string }) {
          const path = `/v1/companies/${admin.companyId}/users/${admin.id}/password`;
          const reply = await app.call(token, "PUT", path, body);
          if (reply.status === 200) old_password = body.new_password!;
          return reply;
        },
      };
    },
  },
  {
    operation: "switchTeam",
    of: "the switch to another team",
    success: 200,
    async open(app) {
      const { company, team, foreignTeam } = await makeWorld(app);
      const member = await company.user({ teams: [team] });
      const notOwn = await company.team();
      return {
        rules: [
          id("team_id", "integer", team, [notOwn, foreignTeam, nothing], {
            shown: "team.id",
            documented: { required: true },
            extra: [{ says: "required", refused: [[undefined, "required"]] }],
          }),
        ],
        least: () => ({}),
        send: (body) => member.call("PUT", "/v1/switch-team", body),
      };
    },
  },
];

function user(need: Need, taken: string, world: World) {
  return [
    email("email", { need, taken }),
    ...listPersonRules(need),
    ids("role_ids", world.role, [world.foreignRole, nothing], "roles.*.id"),
    ids("team_ids", world.team, [world.foreignTeam, nothing], "teams.*.id"),
    choice("user_type.id", [1, 2, 3, 5], [0, 4, 6, -1], { need: "always" }),
  ];
}

/** Fields of every new user. */
export function listPersonRules(need: Need) {
  return [
    text("first_name", 255, { least: 1, need }),
    text("last_name", 255, { least: 1, need }),
    text("job_title", 255),
    phone("phone_number"),
    ...listTimezoneRules("", "UTC"),
    ...listLocaleRules("en-GB"),
    flag("system_user"),
  ];
}

/** Required when there is no other way to sign in. */
export function newPassword() {
  return text("password", 1024, {
    least: 10,
    need: "always",
    hidden: true,
    documented: { nullable: true, required: false },
  });
}
