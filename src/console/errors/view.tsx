/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Pages for what cannot be shown or done. */
import { Problem } from "../../core/errors.ts";
import type { View } from "../page.ts";
import { forAdmins } from "../parts/administration.ts";
import type { Texts } from "../texts/en.ts";

/** Returns the page of an error. `requestId`: what the person can report. */
export function showFault(texts: Texts, status: number, requestId: string, error: unknown): View {
  const { errors } = texts;
  const known = status in errors ? errors[status as 403] : status < 500 ? errors[404] : errors[500];
  const said = status === 403 && !(error instanceof Problem) ? errors.expired : known;
  const right = error instanceof Problem ? /^The right (\S+) is missing/.exec(error.detail)?.[1] : undefined;
  const isForAdmins = error instanceof Problem && error.detail === forAdmins;
  return {
    title: said.title,
    body: (
      <>
        <p>
          {said.text}
          {right ? ` ${errors.missingRight(right)}` : ""}
          {isForAdmins ? ` ${errors.forAdmins}` : ""}
        </p>
        {said === errors[500] ? <p class="number">{requestId}</p> : null}
        <p>
          <a class="button quiet" href="/app">{errors.back}</a>
        </p>
      </>
    ),
  };
}
