/** `GET /opened/:picture`: the picture of one pixel in an e-mail; its first request says when it was opened. */
import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit, retrying } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { securityHeaders } from "../../http/headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describedProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { guardChanged, type Row } from "../../platform/database/database.ts";
import { readSignedHex } from "../../platform/signed.ts";
import { notRemoved } from "../../sales/cases/queries.ts";
import { openedPath, openedPurpose } from "./opened.ts";

/** A transparent GIF. */
const pixel = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

export function serveOpened(app: Hono, deps: Deps): void {
  serveRaw(app, deps, `${openedPath}/:picture`, async (c, requestId) => {
    const token = /^([\w-]+)\.gif$/.exec(c.req.param("picture") ?? "")?.[1];
    const hex = readSignedHex(deps.secretsKey, openedPurpose, token ?? "");
    if (hex === null) throw notFound("This address leads to nothing.");
    const isRead = c.req.method === "GET";
    if (isRead) await opened(deps, hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
    const headers = {
      ...securityHeaders,
      "X-Request-Id": requestId,
      "Cache-Control": "private, no-store",
      "Content-Type": "image/gif",
      "Content-Length": String(pixel.length),
    };
    return new Response(isRead ? pixel : null, { headers });
  });
}

/** Records the first time, and notifies the sender. */
async function opened(deps: Deps, id: string): Promise<void> {
  await retrying(async () => {
    const now = deps.clock.now();
    const at = formatTimestamp(now);
    const [found] = await deps.db.read([
      sql`select m.company_id, m.user_id, m.case_id, c.contact_id from correspondences m
        join cases c on c.id = m.case_id join companies k on k.id = m.company_id
        where m.id = ${id} and m.opened_at is null and k.deleted_at is null and ${
        notRemoved(sql`m.case_id`)
      }`,
    ]);
    const row = found!.rows[0];
    if (!row) return;
    const { company_id, user_id, case_id, contact_id } = row as Row & {
      readonly company_id: number;
      readonly user_id: number | null;
      readonly case_id: string;
      readonly contact_id: string;
    };
    await commit({ deps, now, at }, {
      companyId: company_id,
      statements: [
        sql`update correspondences set opened_at = ${at}, updated_at = ${at}
          where id = ${id} and opened_at is null`,
        guardChanged("correspondence"),
      ],
      notifications: user_id === null ? [] : [{
        type: "email_opened",
        to: [{ users: [user_id] }],
        data: { email: { id }, case: { id: case_id }, contact: { id: contact_id } },
      }],
      answer: noContent,
    });
  });
}

export const openedOperations: readonly Described[] = [{
  method: "get",
  path: `${openedPath}/{picture}`,
  operationId: "reportOpened",
  tags: ["Correspondence"],
  summary: "Get the picture of an e-mail, which reports that it was opened",
  description: "E-mails carry it where the company's setting `email_tracking` is on. HEAD reports nothing.",
  security: [],
  request: { params: z.object({ picture: z.string().openapi({ example: "AAAAAAAB.gif" }) }) },
  responses: {
    200: { description: "A transparent pixel.", content: { "image/gif": {} } },
    404: describedProblem("The address leads to nothing. Code `not_found`."),
    503: describedProblem("The database did not answer. Code `unavailable`."),
  },
}];
