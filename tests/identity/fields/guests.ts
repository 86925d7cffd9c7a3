/** Fields of invitations and password resets. */
import { withPassword } from "../../support/oauth.ts";
import { invite } from "../invited.ts";
import { email, freshEmail, ids, text, unseen } from "./rules.ts";
import { listPersonRules, newPassword } from "./users.ts";
import { type Fields, makeSomeone, makeWorld, nothing, readEmail, sendTo } from "./world.ts";

const hour = 3_600_000;

export const ofGuests: readonly Fields[] = [
  {
    operation: "createInvitation",
    of: "an invitation",
    success: 201,
    async open(app) {
      const world = await makeWorld(app);
      return {
        rules: [
          email("email", { need: "always", taken: await readEmail(app, world) }),
          ids("role_ids", world.role, [world.foreignRole, nothing], unseen),
          ids("team_ids", world.team, [world.foreignTeam, nothing], unseen),
        ],
        least: () => ({ email: freshEmail() }),
        send: sendTo(world, "POST", `/v1/companies/${world.company.id}/invitations`),
      };
    },
  },
  {
    operation: "acceptInvitation",
    of: "somebody invited",
    success: 201,
    // The address must be the invited one.
    elsewhere: ["email", "sso"],
    async open(app) {
      const { company } = await makeWorld(app);
      const client = await app.trustedClient();
      return {
        rules: [...listPersonRules("always"), newPassword()],
        least: makeSomeone,
        async send(body) {
          const email = freshEmail();
          const { token } = await invite(company, { email });
          return await app.call(client, "POST", `/v1/companies/${company.id}/users/${token}`, {
            ...body,
            email,
          });
        },
      };
    },
  },
  {
    operation: "requestPasswordReset",
    of: "the request of a new password",
    success: 204,
    async open(app) {
      const client = await app.trustedClient();
      return {
        rules: [email("email", { need: "always", shown: unseen })],
        least: () => ({}),
        send: (body) => app.call(client, "POST", "/v1/reset-password", body),
      };
    },
  },
  {
    operation: "resetPassword",
    of: "a new password by mail",
    success: 200,
    async open(app) {
      const { company: { admin } } = await makeWorld(app);
      const client = await app.trustedClient();
      const address = await withPassword(app, admin, "the first one");
      return {
        rules: [text("password", 1024, { least: 10, need: "always", hidden: true })],
        least: () => ({}),
        async send(body) {
          // So many mails would exceed the limit of an hour.
          app.clock.move(hour);
          await app.call(client, "POST", "/v1/reset-password", { email: address });
          await app.idle();
          const [, token] = /token=([\w-]{43})$/m.exec(app.mailer.sent.at(-1)!.text)!;
          return await app.call(client, "POST", `/v1/reset-password/verify/${token}`, body);
        },
      };
    },
  },
];
