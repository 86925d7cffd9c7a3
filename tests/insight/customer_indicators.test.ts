/** Calls about customers, notes and users. Each moves the indicators that the test expects, and no other. */
import { startApp } from "../support/app.ts";
import { makeScene } from "../sales/tasks_world.ts";
import { startJourney } from "./journey.ts";

Deno.test("calls about customers, notes and users move their own indicators and no other", async () => {
  await using app = await startApp();
  const { company, member, team } = await makeScene(app);
  const { admin } = company;
  const { moves } = await startJourney(admin, app.clock, [member.id, team]);
  for (const b2c of [false, true]) {
    const side = b2c ? "b2c" : "b2b";
    const account = await moves(
      "POST account",
      {
        [`accounts.${side}.created`]: 1,
        [`accounts.${side}.total`]: 1,
        ...(b2c ? {} : { "users.active": 1 }),
      },
      () =>
        member.call("POST", "/v1/accounts", {
          b2c,
          fixed_fields: [{ name: "name", value: "Engines" }],
        }),
    );
    const contact = await moves("POST contact", {
      [`contacts.${side}.created`]: 1,
      [`contacts.${side}.total`]: 1,
      "accounts_contacts.without_address": 1,
      "accounts_contacts.without_email": 1,
      "accounts_contacts.without_phone_number": 1,
    }, () =>
      member.call("POST", `/v1/accounts/${account.id}/contacts`, {
        fixed_fields: [{ name: "first_name", value: "Ada" }, {
          name: "last_name",
          value: "Byron",
        }],
      }));
    const at = `/v1/accounts/${account.id}/contacts/${contact.id}`;
    for (const channel of ["email", "call", "letter", "sms"]) {
      await moves(
        `PUT contact with consent to ${channel}`,
        { [`contacts.consent.${channel}`]: 1 },
        () =>
          member.call("PUT", at, {
            consent: { [channel]: { consent_given: true } },
          }),
      );
    }
    await moves(
      "PUT contact with consent withdrawn",
      { "contacts.consent.sms": -1 },
      () => member.call("PUT", at, { consent: { sms: { consent_given: false } } }),
    );
    await moves(
      "PUT contact with an address for e-mail",
      { "accounts_contacts.without_email": -1 },
      () =>
        member.call("PUT", at, {
          fixed_fields: [{ name: "email", value: "ada@example.org" }],
        }),
    );
    await moves(
      "PUT account with an address",
      { "accounts_contacts.without_address": -1 },
      () =>
        member.call("PUT", `/v1/accounts/${account.id}`, {
          fixed_fields: [{ name: "address", value: "Street 1" }],
        }),
    );
    await moves(
      "PUT account with another city",
      {},
      () =>
        member.call("PUT", `/v1/accounts/${account.id}`, {
          fixed_fields: [{ name: "city", value: "Turin" }],
        }),
    );
    await moves(
      "POST note",
      { "notes.created": 1 },
      () =>
        member.call("POST", "/v1/notes", {
          note: "Hello",
          account_id: account.id,
          contact_id: contact.id,
        }),
    );
    await moves("DELETE account with its contact", {
      [`accounts.${side}.deleted`]: 1,
      [`accounts.${side}.deleted.total`]: 1,
      [`accounts.${side}.total`]: -1,
      [`contacts.${side}.deleted`]: 1,
      [`contacts.${side}.deleted.total`]: 1,
      [`contacts.${side}.total`]: -1,
      "accounts_contacts.without_phone_number": -1,
      "contacts.consent.email": -1,
      "contacts.consent.call": -1,
      "contacts.consent.letter": -1,
    }, () => admin.call("DELETE", `/v1/accounts/${account.id}`));
  }
  await moves(
    "POST team",
    {},
    () => admin.call("POST", "/v1/teams", { name: "Another" }),
  );
  await moves(
    "DELETE user",
    { "users.total": -1 },
    () => admin.call("DELETE", `/v1/companies/${company.id}/users/${member.id}`),
  );
});
