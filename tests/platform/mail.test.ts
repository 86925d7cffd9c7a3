import assert from "node:assert/strict";
import { type Letter, MailFailed } from "../../src/platform/mail/mail.ts";
import { makeSmtpMailer } from "../../src/platform/mail/smtp.ts";
import { pause } from "../../src/platform/pause.ts";
import { newKeyPair, verifySignature } from "../support/dkim.ts";
import { Refusal, startSmtp } from "../support/smtp.ts";

const mail: Letter = {
  id: "0190c2a4-0000-7000-8000-000000000001",
  at: Date.UTC(2026, 2, 2, 9),
  to: "ann@example.com",
  subject: "Grüße",
  text: "Hello Ann, https://crm.example.com/reset/abc",
  html: "<p>Hello Ann</p>",
};

Deno.test("a mail reaches the server as text and HTML with its sender, id and date", async () => {
  await using server = await startSmtp();
  const mailer = makeSmtpMailer({ url: server.url, from: "Sales <sales@example.com>", pool: false });
  await mailer.send(mail);
  const [received] = server.mails;
  assert.equal(received?.from, "sales@example.com");
  assert.deepEqual(received?.to, ["ann@example.com"]);
  assert.match(received?.data ?? "", /^From: Sales <sales@example\.com>$/m);
  assert.match(received?.data ?? "", /^Content-Type: multipart\/alternative;/m);
  assert.match(received?.data ?? "", /^Message-ID: <0190c2a4-0000-7000-8000-000000000001@example\.com>$/im);
  assert.match(received?.data ?? "", /^Date: Mon, 02 Mar 2026 09:00:00 \+0000$/m);
  const read = received?.read;
  assert.equal(read?.subject, "Grüße");
  assert.equal(read?.text?.trim(), "Hello Ann, https://crm.example.com/reset/abc");
  assert.equal(read?.html?.trim(), "<p>Hello Ann</p>");
  mailer.close();
});

Deno.test("a mail of the service is marked as automatic; replies to a user's mail go to the user", async () => {
  await using server = await startSmtp();
  const mailer = makeSmtpMailer({ url: server.url, from: "Sales <sales@example.com>", pool: false });
  await mailer.send(mail);
  await mailer.send({ ...mail, author: { name: 'Ann "Ä" Byron', address: "ann@dealer.example" } });
  const [ours, theirs] = server.mails;
  assert.match(ours!.data, /^Auto-Submitted: auto-generated$/m);
  assert.equal(ours!.read.replyTo, undefined);
  assert.doesNotMatch(theirs!.data, /^Auto-Submitted:/m);
  assert.deepEqual(theirs!.read.replyTo, [{ name: 'Ann "Ä" Byron', address: "ann@dealer.example" }]);
  assert.match(theirs!.data, /^From: Sales <sales@example\.com>$/m);
  mailer.close();
});

Deno.test("user and password of the URL sign in; a refusing server makes sending fail", async () => {
  await using server = await startSmtp({ login: { user: "a@b", password: "p:ss w" } });
  const right = makeSmtpMailer({ url: server.url, from: "s@example.com", pool: false });
  await right.send(mail);
  assert.equal(server.mails.length, 1);
  const wrong = makeSmtpMailer({
    url: server.url.replace("p%3Ass", "x"),
    from: "s@example.com",
    pool: false,
  });
  await assert.rejects(wrong.send(mail), { failure: "server" });
  await using refusing = await startSmtp();
  refusing.onRecipient = () => {
    throw new Refusal(550, "nobody of that name");
  };
  const refused = makeSmtpMailer({ url: refusing.url, from: "s@example.com", pool: false });
  await assert.rejects(refused.send(mail), (error) => {
    assert.ok(error instanceof MailFailed);
    assert.match(error.message, /nobody of that name/);
    return error.failure === "refused";
  });
  assert.equal(server.mails.length, 1);
  for (const each of [right, wrong, refused]) each.close();
});

Deno.test("with a pool, mails one after another share a connection", async () => {
  await using server = await startSmtp();
  const mailer = makeSmtpMailer({ url: server.url, from: "s@example.com", pool: true });
  for (let n = 0; n < 5; n++) await mailer.send({ ...mail, subject: `mail ${n}` });
  assert.equal(server.mails.length, 5);
  assert.equal(server.connections(), 1);
  mailer.close();
});

Deno.test("subject and recipient cannot inject a header", async () => {
  await using server = await startSmtp();
  const mailer = makeSmtpMailer({ url: server.url, from: "s@example.com", pool: false });
  await mailer.send({
    ...mail,
    subject: "a\r\nBcc: evil@example.com",
    to: "ann@example.com\r\nBcc: evil@example.com",
  })
    .catch(() => {});
  for (const received of server.mails) {
    assert.doesNotMatch(received.data, /^Bcc:/im);
    assert.ok(!received.to.includes("evil@example.com"), String(received.to));
  }
  mailer.close();
});

Deno.test("all mail is signed, with the headers to unsubscribe by, and a change of any of them is found", async () => {
  const { publicKey, privateKey } = newKeyPair();
  await using server = await startSmtp();
  const dkim = { domain: "example.com", selector: "crm", privateKey };
  const mailer = makeSmtpMailer({ url: server.url, from: "Sales <sales@example.com>", pool: false, dkim });
  const headers = {
    "List-Unsubscribe": "<https://crm.example.com/unsubscribe/abc>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  await mailer.send({ ...mail, headers, text: "Hello  Ann \n\n\n" });
  mailer.close();
  const { data } = server.mails[0]!;
  const { tags, isValid } = verifySignature(data, publicKey);
  assert.deepEqual([tags.v, tags.a, tags.d, tags.s], ["1", "rsa-sha256", "example.com", "crm"]);
  const signed = tags.h!.toLowerCase().split(":").map((name) => name.trim());
  for (const name of ["from", "to", "subject", "message-id", "list-unsubscribe", "list-unsubscribe-post"]) {
    assert.ok(signed.includes(name), name);
  }
  assert.ok(isValid);
  for (
    const [from, to] of [["/abc>", "/abd>"], ["=One-Click", "=Two-Click"], ["Ann", "Eve"], ["ann@", "eve@"]]
  ) {
    assert.ok(data.includes(from!));
    assert.ok(!verifySignature(data.replace(from!, to!), publicKey).isValid, from);
  }
});

Deno.test("the answer to a mail that the server has is waited for", async () => {
  const dkim = { domain: "example.com", selector: "crm", privateKey: newKeyPair().privateKey };
  const kinds = [{ pool: true, dkim: null }, { pool: true, dkim }, { pool: false, dkim }];
  await Promise.all(kinds.map(async (kind) => {
    await using server = await startSmtp();
    const mailer = makeSmtpMailer({ url: server.url, from: "s@example.com", ...kind });
    const { promise: connected, resolve: connect } = Promise.withResolvers<void>();
    const { promise: whole, resolve: have } = Promise.withResolvers<void>();
    const { promise: never, resolve: end } = Promise.withResolvers<void>();
    // The server has the first mail, and takes longer than it may for anything else. It does not have the second.
    server.onMail = () => {
      have();
      return pause(11_000);
    };
    server.onRecipient = async (address) => {
      if (address === mail.to) return;
      connect();
      await never;
    };
    const slow = mailer.send(mail);
    const partial = assert.rejects(mailer.send({ ...mail, to: "bob@example.com" }), {
      failure: "server",
      message: "the mail server took too long",
    });
    await Promise.all([whole, connected]);
    mailer.giveUp();
    await partial;
    assert.equal(await slow, "sent");
    assert.deepEqual(server.mails.map(({ to }) => to), [[mail.to]]);
    end();
    mailer.close();
  }));
});

Deno.test("a mail whose answer is lost is sent by no other connection of the pool", async () => {
  await using server = await startSmtp();
  const mailer = makeSmtpMailer({ url: server.url, from: "s@example.com", pool: true });
  await mailer.send(mail);
  server.onMail = () => {
    server.cut();
  };
  await assert.rejects(mailer.send({ ...mail, subject: "cut" }), { failure: "server" });
  server.onMail = () => {};
  await mailer.send({ ...mail, subject: "next" });
  assert.deepEqual(server.mails.map(({ read }) => read.subject), [mail.subject, "cut", "next"]);
  mailer.close();
});

Deno.test("an answer that never ends has its time, too, however often a byte of it arrives", async () => {
  await using server = await startSmtp();
  const deadlines = { whole: 30_000, answer: 300, place: 30_000 };
  const mailer = makeSmtpMailer({ url: server.url, from: "s@example.com", pool: true, deadlines });
  server.onMail = async () => {
    server.say("250-");
    for (let n = 0; n < 200; n++) {
      server.say("a");
      await pause(10);
    }
    server.say("\r\n");
  };
  await assert.rejects(mailer.send(mail), { failure: "server", message: "the mail server took too long" });
  mailer.close();
});

Deno.test("mails whose answer takes long make room for others of their kind, up to a limit", async () => {
  await using server = await startSmtp();
  const deadlines = { whole: 30_000, answer: 60_000, place: 20 };
  const mailer = makeSmtpMailer({ url: server.url, from: "s@example.com", pool: true, deadlines });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: full, resolve: fill } = Promise.withResolvers<void>();
  let taken = 0;
  server.onMail = ({ read }) => {
    if (read.subject === "quick") return;
    if (++taken === 20) fill();
    return answered;
  };
  const sendSlow = () => mailer.send({ ...mail, subject: "slow" });
  const slow = Array.from({ length: 10 }, sendSlow);
  assert.equal(await mailer.send({ ...mail, subject: "quick" }), "sent");
  slow.push(...Array.from({ length: 15 }, sendSlow));
  await full;
  await pause(200);
  assert.equal(server.mostAtOnce(), 20);
  assert.equal(await mailer.send({ ...mail, subject: "quick", isBulk: true }), "sent");
  answer();
  assert.deepEqual(new Set(await Promise.all(slow)), new Set(["sent"]));
  assert.equal(taken, 25);
  mailer.close();
});

Deno.test("a mail that waits for its place in vain fails, and lets go of its files", async () => {
  await using server = await startSmtp();
  const deadlines = { whole: 30_000, answer: 60_000, place: 60_000 };
  const mailer = makeSmtpMailer({ url: server.url, from: "s@example.com", pool: true, deadlines });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: full, resolve: fill } = Promise.withResolvers<void>();
  let taken = 0;
  server.onMail = () => {
    if (++taken === 5) fill();
    return answered;
  };
  const slow = Array.from({ length: 5 }, () => mailer.send(mail));
  await full;
  deadlines.whole = 50;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const attachments = [{
    name: "a",
    type: "text/plain",
    body: new ReadableStream({ cancel: () => close() }),
  }];
  await assert.rejects(mailer.send({ ...mail, attachments }), {
    failure: "server",
    message: "the mail server took too long",
  });
  await closed;
  answer();
  await Promise.all(slow);
  mailer.close();
});
