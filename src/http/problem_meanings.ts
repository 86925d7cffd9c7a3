/** The meaning of each problem code, shown on the page to which the `type` of a problem links. */
import type { ProblemCode } from "../core/errors.ts";

export const meanings: Readonly<Record<ProblemCode, string>> = {
  malformed_json: "400. The body is not JSON in UTF-8.",
  malformed_multipart:
    "400. The multipart/form-data body is malformed: it breaks off, its parts cannot be separated, or it has too many parts.",
  unauthenticated:
    "401. No access token was sent, or it is unknown, expired or revoked. Get one from POST /auth/token and send it as `Authorization: Bearer <ACCESS_TOKEN>`.",
  forbidden: "403. The caller is known, but lacks the user type, right or client trust that `detail` names.",
  not_found: "404. There is no such path or record, or the record is not visible to the caller.",
  method_not_allowed: "405. The path exists, but not with this method. `Allow` lists its methods.",
  request_timeout: "408. The body did not arrive within a minute. The connection is closed.",
  campaign_sent: "409. The campaign has been sent and can no longer be changed.",
  campaign_state: "409. The state or the type of the campaign does not allow this.",
  campaign_domain_missing: "409. The campaign needs a sender domain that is not set up.",
  delivery_ended: "409. The scheduled report has ended; its `error` has the reason.",
  delete_blocked: "409. Other records block the deletion; `impact` lists them.",
  lead_state: "409. The state of the lead does not allow this move.",
  case_state: "409. The state of the case does not allow this.",
  template_in_use: "409. The template is still in use.",
  last_admin: "409. A company keeps at least one admin.",
  b2c_single_contact: "409. A consumer's account has one contact at most.",
  idempotency_in_progress:
    "409. Another call is running under this Idempotency-Key; send the same call again in a moment.",
  merge_running: "409. A merge of the record is under way. Try again when it is done.",
  merge_undone: "409. The merge is undone already.",
  merge_covered: "409. A later merge took the record. `merge_id` names it; undo it first.",
  cursor_expired:
    "410. Events behind the cursor are no longer kept, or the data was restored. `oldest` is the first good cursor; read the lists anew.",
  merge_expired: "410. A merge can be undone within 30 days.",
  folder_mismatch: "409. `belongs_to` names another place than the one to which the folder belongs.",
  import_state: "409. The state of the import does not allow this.",
  precondition_failed:
    "412. The record has changed since the version that If-Match names; get it again before you change it.",
  payload_too_large: "413. The body is larger than the endpoint accepts.",
  unsupported_media_type:
    "415. The endpoint does not accept this content type; most endpoints take application/json.",
  validation_failed:
    "422. `errors` lists each invalid field and the rule that it breaks. Nothing was changed.",
  idempotency_mismatch:
    "422. This Idempotency-Key was used for a call with another method, path or body within 24 hours.",
  not_run:
    "424. Only inside a batch: an earlier call failed, the answers are too long, or the caller has gone.",
  rate_limited: "429. Too many calls; wait for `Retry-After` seconds.",
  internal: "500. An internal error occurred. The log has the details under the `request_id`.",
  unavailable:
    "503. The database or storage did not answer, or too many sign-ins came at once; try again after `Retry-After` seconds.",
};

/** Returns the page of a code; null for an unknown code. */
export function explainCode(code: string): string | null {
  return Object.hasOwn(meanings, code) ? `${code}\n\n${meanings[code as ProblemCode]}\n` : null;
}
