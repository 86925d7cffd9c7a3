/** The e-mail and the letter that an activity writes. */
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { sanitizeText } from "../../core/html.ts";
import type { Context } from "../../db/context.ts";
import type { MailDraft } from "../../db/mails.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import { type FileFacts, makeReader, mayRead, readFileRow, selectFilesById } from "../../library/access.ts";
import { mostBytes } from "../../library/content.ts";
import { guardPlaces } from "../../library/write.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeWrittenMailLimits } from "../../identity/attempts/limits.ts";
import { selectEmailOfUser } from "../../identity/users/fragments.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import type { Correspondence, Corresponding } from "../../sales/activities/correspondence.ts";
import type { CreateActivityBody } from "../../sales/activities/schema.ts";
import { makeLetter, mostPages, TooManyPages } from "../letters/make.ts";
import type { MessageType } from "../message_type.ts";
import { organisationColumns, type OrganisationFacts, type UserFacts } from "../placeholders/catalogue.ts";
import { compose, hasContent, type Message } from "../placeholders/compose.ts";
import type { Place } from "../placeholders/format.ts";
import { composeKeptText } from "../placeholders/kept_text.ts";
import { TooLong } from "../placeholders/render.ts";
import { checkText } from "../placeholders/syntax.ts";
import { readVisibleTemplate, selectTemplateById } from "../templates/queries.ts";
import type { TemplateRow } from "../templates/record.ts";
import { type CorrespondenceRow } from "./table.ts";
import {
  composeMailOfCorrespondence,
  insertCorrespondence,
  makeCorrespondence,
  selectNewestThread,
} from "./write.ts";

type Body = NonNullable<CreateActivityBody["correspondence"]>;
/** A text whose content is sanitised HTML. */
type Clean<T> = Omit<T, "content"> & { readonly content: string | null };
type GivenEmail = Clean<NonNullable<Body["email"]>>;
type GivenLetter = Clean<NonNullable<Body["letter"]>>;

interface Given {
  readonly email: GivenEmail | null;
  readonly letter: GivenLetter | null;
}

interface CompanyFacts {
  readonly email_tracking: number;
  /** The `selectNewestThread` of the case. */
  readonly thread: string | null;
}

/** Bytes of all files of an e-mail. */
const mostFileBytes = mostBytes;

export const activityCorrespondence: Correspondence = {
  reads(ctx, caseId, body) {
    if (!body?.email && !body?.letter) return [];
    const { companyId, userId } = ctx.caller;
    const email = selectEmailOfUser(sql`${userId}`);
    const thread = selectNewestThread(sql`${caseId}`);
    return [
      selectTemplateById(companyId, body.email?.template_id ?? 0),
      selectTemplateById(companyId, body.letter?.template_id ?? 0),
      selectFilesById(makeReader(ctx), body.email?.file_ids ?? []),
      sql`select first_name, last_name, phone_number, signature_email, ${email} as email
        from users where id = ${userId}`,
      sql`select ${organisationColumns}, currency, email_tracking, ${thread} as thread
        from companies where id = ${companyId}`,
      new Attempts(ctx, makeWrittenMailLimits(ctx)).read,
    ];
  },
  async check(ctx, body, of, results, errors) {
    if (!body.correspondence?.email && !body.correspondence?.letter) {
      return () => Promise.resolve({ shown: null, statements: [], mails: [] });
    }
    const given = await cleanTexts(body.correspondence);
    const [emailTemplate, letterTemplate, files, user, company, sent] = results;
    const frames = {
      email: checkFrame(ctx, "email", given.email?.template_id, emailTemplate!, errors),
      letter: checkFrame(ctx, "letter", given.letter?.template_id, letterTemplate!, errors),
    };
    for (const [place, text] of listTexts(given)) checkText(text, `correspondence.${place}`, errors);
    const attached = checkFiles(ctx, given.email?.file_ids ?? [], files!, errors);
    errors.push(...unsendable(given.email, frames.email, of.contact.email));
    const facts = {
      user: user!.rows[0] as Row & UserFacts,
      company: company!.rows[0] as Row & OrganisationFacts & Place & CompanyFacts,
    };
    return async (corresponding) => {
      const made = await writeMessages(ctx, body, { ...corresponding, given, frames, attached, ...facts });
      if (made.mails.length === 0) return made;
      const attempts = new Attempts(ctx, makeWrittenMailLimits(ctx));
      attempts.check(sent!);
      return { ...made, statements: [attempts.guard, attempts.count, ...made.statements] };
    };
  },
};

async function cleanTexts({ email, letter }: Body): Promise<Given> {
  const clean = async (html: string | null | undefined) =>
    typeof html === "string" ? await sanitizeText(html) : null;
  return {
    email: email ? { ...email, content: await clean(email.content) } : null,
    letter: letter ? { ...letter, content: await clean(letter.content) } : null,
  };
}

interface Writing extends Corresponding {
  readonly given: Given;
  readonly frames: Readonly<Record<MessageType, TemplateRow | null>>;
  readonly attached: readonly FileFacts[];
  readonly user: UserFacts;
  readonly company: OrganisationFacts & Place & CompanyFacts;
}

/** A rendered message, and its parts for the column of that name. */
type Written = Message & Pick<CorrespondenceRow, "parts">;

async function writeMessages(ctx: Context, body: CreateActivityBody, writing: Writing) {
  const { given: { email, letter }, of, frames, attached, company } = writing;
  const user = { name: `${writing.user.first_name} ${writing.user.last_name}`, address: writing.user.email };
  const statements: Statement[] = [];
  const mails: MailDraft[] = [];
  const row = (type: MessageType, message: Written, more: Partial<CorrespondenceRow>) => {
    const made = makeCorrespondence(ctx, {
      company_id: ctx.caller.companyId,
      case_id: of.id,
      activity_id: writing.activityId,
      user_id: ctx.caller.userId,
      type,
      status: "draft",
      subject: message.subject,
      content: message.html,
      parts: message.parts,
      template_id: frames[type]?.id ?? null,
      ...more,
    });
    statements.push(insertCorrespondence(made));
    return made;
  };
  const writeEmail = async ({ subject, content, send }: GivenEmail): Promise<string> => {
    const made = row("email", await renderMessage("email", subject ?? null, content), {
      status: send ? "pending" : "draft",
      sender: JSON.stringify(user),
      recipient: of.contact.email,
      file_ids: JSON.stringify(attached.map(({ id }) => id)),
    });
    if (send) {
      mails.push(
        await composeMailOfCorrespondence(ctx, made, {
          user,
          files: attached,
          tracks: company.email_tracking === 1,
          origin: ctx.origin,
          thread: company.thread,
        }),
      );
      statements.push(...guardFiles(attached));
    }
    return made.id;
  };
  const writeLetter = async ({ content }: GivenLetter): Promise<string> => {
    const { margin_top, margin_right, margin_bottom, margin_left } = frames.letter ?? noMargins;
    const margins = { margin_top, margin_right, margin_bottom, margin_left };
    const message = await renderMessage("letter", null, content);
    await checkPages(ctx, {
      html: message.html,
      title: "Letter",
      companyId: ctx.caller.companyId,
      ...margins,
    });
    return row("letter", message, { status: "made", margins: JSON.stringify(margins) }).id;
  };
  const shown = {
    email: email && {
      id: await writeEmail(email),
      subject: email.subject ?? null,
      content: email.content,
      template_id: email.template_id || null,
      file_ids: attached.map(({ id }) => id),
      send: email.send ?? false,
    },
    letter: letter && {
      id: await writeLetter(letter),
      content: letter.content,
      template_id: letter.template_id || null,
    },
  };
  return { shown, statements, mails };

  async function renderMessage(
    type: MessageType,
    subject: string | null,
    content: string | null,
  ): Promise<Written> {
    const at = `correspondence.${type}.content`;
    try {
      const draft = { type, subject, content: content ?? "", frame: frames[type]?.content ?? null };
      const composing = { facts: gatherFacts(ctx, body, writing), fields: ctx.fields.seen };
      return { ...await compose(draft, composing), parts: composeKeptText(draft, composing) };
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      throw invalid(fieldError(at, "max", error.message));
    }
  }
}

/**
 * Characters of HTML in the usual font size that fill few pages, even with the widest margins. Pages of such
 * a letter are not counted.
 */
const shortLetter = 2_000;
const usualSize = /^(?:[^<]|<\/?(?:p|br|b|i|u|em|strong)(?: \/)?>)*$/;

/** Throws 422 for a letter of too many pages. */
async function checkPages({ deps }: Context, letter: Parameters<typeof makeLetter>[1]): Promise<void> {
  if (letter.html.length <= shortLetter && usualSize.test(letter.html)) return;
  try {
    await makeLetter(deps, letter);
  } catch (error) {
    if (!(error instanceof TooManyPages)) throw error;
    const at = "correspondence.letter.content";
    throw invalid(fieldError(at, "max", `The letter has more than ${mostPages} pages.`));
  }
}

const noMargins = { margin_top: null, margin_right: null, margin_bottom: null, margin_left: null };

/** Returns the texts with placeholders, each with its path in `correspondence`. */
function listTexts({ email, letter }: Given): [place: string, text: string][] {
  return [
    ["email.subject", email?.subject ?? ""],
    ["email.content", email?.content ?? ""],
    ["letter.content", letter?.content ?? ""],
  ];
}

function gatherFacts(ctx: Context, body: CreateActivityBody, { of, details, user, company }: Writing) {
  const { locale, timezone } = of.team ?? company;
  return {
    now: ctx.now,
    place: { locale, timezone, currency: company.currency },
    contact: of.contact,
    account: of.account,
    user,
    team: of.team,
    company,
    case: { case_number: String(of.case_number ?? ""), relations_path_name: of.path_name },
    task: body.task
      ? {
        type: body.task.type ?? null,
        start_at: body.task.start_at ?? null,
        end_at: body.task.end_at ?? null,
      }
      : null,
    products: details.flatMap(({ products }) =>
      products.map(({ name, quantity, type, price, discount, comment }) => ({
        name,
        quantity,
        type,
        price,
        discount,
        comment,
      }))
    ),
    unsubscribe_url: null,
  };
}

function checkFrame(
  { caller }: Context,
  type: MessageType,
  id: number | null | undefined,
  found: Result,
  errors: FieldError[],
): TemplateRow | null {
  if (!id) return null;
  const template = readVisibleTemplate(caller, found);
  if (template?.type === type) return template;
  errors.push(missingReference(`correspondence.${type}.template_id`, `template of type ${type}`));
  return null;
}

function checkFiles(
  { caller }: Context,
  ids: readonly string[],
  found: Result,
  errors: FieldError[],
): FileFacts[] {
  const at = "correspondence.email.file_ids";
  const readable = new Map(
    found.rows.map(readFileRow).filter((file) => mayRead(caller, file)).map((file) => [file.id, file]),
  );
  const files = [...new Set(ids)].flatMap((id) => readable.get(id) ?? []);
  ids.forEach((id, index) => {
    if (!readable.has(id)) errors.push(missingReference(`${at}[${index}]`, "file"));
  });
  if (files.reduce((sum, { size }) => sum + size, 0) > mostFileBytes) {
    errors.push(fieldError(at, "max", `All files have at most ${mostFileBytes} bytes together.`));
  }
  return files;
}

/** Rejects the commit when one of the files was changed, moved or deleted since. */
function guardFiles(files: readonly FileFacts[]): Statement[] {
  return files.length === 0 ? [] : [guardVersions("files", files), guardPlaces(files)];
}

/** Returns an error for each missing part of an e-mail that is to be sent. */
function unsendable(
  email: GivenEmail | null,
  frame: TemplateRow | null,
  to: string | null,
): FieldError[] {
  if (!email?.send) return [];
  const at = "correspondence.email";
  const needsContent = frame === null || hasContent(frame.content);
  return [
    ...(email.subject?.trim()
      ? []
      : [fieldError(`${at}.subject`, "required", "Required to send the e-mail.")]),
    ...(email.content || !needsContent
      ? []
      : [fieldError(`${at}.content`, "required", "Required to send the e-mail.")]),
    ...(to ? [] : [fieldError(`${at}.send`, "exists", "The contact of the case has no e-mail address.")]),
  ];
}
