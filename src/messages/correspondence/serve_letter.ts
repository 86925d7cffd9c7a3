/** `GET /previews/letters/:name`: the PDF of a letter without a token, for five minutes. Made at each call. */
import { z } from "zod";
import type { Context as HonoContext, Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import { seesTeam } from "../../core/access.ts";
import { formatTimestamp } from "../../core/time.ts";
import { writeBefore } from "../../db/commit.ts";
import { readMemberRow, selectMemberById } from "../../db/caller_guard.ts";
import type { Deps } from "../../deps.ts";
import { findCallerAddress } from "../../http/address.ts";
import { corsHeaders, securityHeaders } from "../../http/headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeMakingLimits } from "../../identity/attempts/limits.ts";
import { selectCaseAccess } from "../../sales/cases/queries.ts";
import { makeLetter, type Margins, TooManyPages } from "../letters/make.ts";
import { renderKeptText } from "../placeholders/kept_text.ts";
import { parseLetterAddress, printedFolder } from "./letter_address.ts";
import { readCorrespondenceRow } from "./present.ts";
import { selectCorrespondenceById } from "./queries.ts";

const makeExpiredProblem = () => notFound("There is no such letter; its address may have expired.");

export function servePrintedLetter(app: Hono, deps: Deps): void {
  serveRaw(app, deps, `${printedFolder}:name`, async (c, requestId) => {
    const now = deps.clock.now();
    const asked = parseLetterAddress(deps.secretsKey, c.req.param("name") ?? "", now);
    if (asked === null) throw makeExpiredProblem();
    const [users] = await deps.db.read([selectMemberById(asked.user_id)]);
    const member = users!.rows[0] && readMemberRow(users!.rows[0]);
    if (!member) throw makeExpiredProblem();
    const counting = makeCountingContext(deps, c, now);
    const attempts = new Attempts(counting, makeMakingLimits("preview", member));
    const [made, access, found] = await deps.db.read([
      attempts.read,
      selectCaseAccess(member.companyId, asked.case_id),
      selectCorrespondenceById(asked.case_id, asked.id),
    ]);
    const [owner, row] = [access!.rows[0], found!.rows[0]];
    if (!owner || !row || !seesTeam(member, owner.team_id as number | null)) throw makeExpiredProblem();
    const headers = {
      ...corsHeaders,
      ...securityHeaders,
      "X-Request-Id": requestId,
      "Cache-Control": "private, no-store",
      "Content-Type": "application/pdf",
      "Content-Disposition": 'inline; filename="letter.pdf"',
      // Browsers show no PDF in a sandbox, and show it as an object with styles of their own.
      "Content-Security-Policy":
        "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    };
    if (c.req.method === "HEAD") return new Response(null, { headers });
    attempts.check(made!);
    await attempts.within(() => writeBefore(counting, [attempts.guard, attempts.count]));
    const { content, margins, parts } = readCorrespondenceRow(row);
    const text = await renderKeptText(parts, member);
    const { bytes } = await makeLetter(deps, {
      html: text?.html ?? content ?? "",
      title: "Letter",
      companyId: member.companyId,
      ...JSON.parse(margins!) as Margins,
    }).catch((error) => {
      throw error instanceof TooManyPages ? notFound("The letter has too many pages for a PDF.") : error;
    });
    return new Response(bytes, { headers: { ...headers, "Content-Length": String(bytes.length) } });
  });
}

/** What `Attempts` needs of a call without a token. */
function makeCountingContext(deps: Deps, c: HonoContext, now: number) {
  return {
    deps,
    now,
    at: formatTimestamp(now),
    address: () => findCallerAddress(c.req.raw, c.env, deps.config.trustProxy),
    limitStates: c.get("limitStates"),
  };
}

export const printedLetterOperations: readonly Described[] = [{
  method: "get",
  path: `${printedFolder}{name}`,
  operationId: "getPrintedLetter",
  tags: ["Correspondence"],
  summary: "Get the PDF of a letter by its address",
  description:
    "Requires no token: the address is the secret. Works for 5 minutes, as long as who asked for it sees the case.",
  security: [],
  request: { params: z.object({ name: z.string().meta({ example: "eyJ1c2VyIjoxfQ.pdf" }) }) },
  responses: {
    200: {
      description: "The letter.",
      content: { "application/pdf": { schema: { type: "string", format: "binary" } } },
    },
    404: describeProblem("There is no such letter, or its address has expired. Code `not_found`."),
    429: describeProblem(
      "Too many documents of the user; wait for `Retry-After` seconds. Code `rate_limited`.",
    ),
    503: describeProblem("The database or the printer did not answer. Code `unavailable`."),
  },
}];
