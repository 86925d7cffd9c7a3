import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { newCase, newContact, newPath } from "./parts.ts";

/** The notifications by recipient, case and sender, in order. */
async function readNotified(app: TestApp) {
  const rows = await app.sql("select user_id, type, sender_id, data from notifications order by rowid");
  return rows.map(({ data, ...row }) => ({ ...row, ...JSON.parse(String(data)) }));
}

Deno.test("`notify_user` notifies the new user of a case, unless that is the caller", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const [member, colleague] = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const path = await newPath(company.admin);
  const presentCase = ({ id, case_number }: { id: string; case_number: number }) => ({
    case: { id, case_number, relations_path_name: "New cars" },
  });
  const notice = (to: Actor, by: Actor, of: { id: string; case_number: number }) => ({
    user_id: to.id,
    type: "case_owner",
    sender_id: by.id,
    ...presentCase(of),
  });
  await newCase(member, path, { notify_user: true });
  await newCase(member, path, { user_id: colleague.id });
  await newCase(member, path, { user_id: colleague.id, notify_user: false });
  assert.deepEqual(await readNotified(app), []);
  const made = await newCase(member, path, { user_id: colleague.id, notify_user: true });
  const expected = [notice(colleague, member, made)];
  assert.deepEqual(await readNotified(app), expected);
  const put = async (by: Actor, body: object) => {
    const reply = await by.call("PUT", `/v1/cases/${made.id}`, body);
    assert.equal(reply.status, 200, reply.text);
  };
  // Sends no notification for the same user, for the caller, or without `notify_user`.
  await put(member, { user_id: colleague.id, notify_user: true });
  await put(member, { contact_id: (await newContact(member)).contact.id, notify_user: true });
  await put(member, { user_id: member.id, notify_user: true });
  await put(member, { user_id: colleague.id });
  assert.deepEqual(await readNotified(app), expected);
  await put(colleague, { user_id: member.id, notify_user: true });
  assert.deepEqual(await readNotified(app), [...expected, notice(member, colleague, made)]);
  const refused = await member.call("PUT", `/v1/cases/${made.id}`, { user_id: 999_999, notify_user: true });
  assert.equal(refused.status, 422);
  assert.equal((await readNotified(app)).length, 2);
});
