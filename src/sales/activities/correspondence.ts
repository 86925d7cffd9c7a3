/** The e-mail and the letter of an activity. The messages feature, which depends on sales, writes them. */
import type { FieldError } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import type { MailDraft } from "../../db/mails.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { ProductDetail } from "../case_parts/product_details.ts";
import type { FullCase } from "../cases/parts.ts";
import type { CreateActivityBody } from "./schema.ts";

/** What the record of the activity shows. */
export interface ShownCorrespondence {
  readonly email: {
    readonly id: string;
    readonly subject: string | null;
    readonly content: string | null;
    readonly template_id: number | null;
    readonly file_ids: readonly string[];
    readonly send: boolean;
  } | null;
  readonly letter: {
    readonly id: string;
    readonly content: string | null;
    readonly template_id: number | null;
  } | null;
}

export interface WrittenCorrespondence {
  /** Null: the activity has neither. */
  readonly shown: ShownCorrespondence | null;
  readonly statements: readonly Statement[];
  readonly mails: readonly MailDraft[];
}

/** The activity that the e-mail and the letter belong to. */
export interface Corresponding {
  readonly activityId: string;
  readonly of: FullCase;
  readonly details: readonly ProductDetail[];
}

export interface Correspondence {
  /** Statements to read together with those of the activity. */
  reads(ctx: Context, caseId: string, body: CreateActivityBody["correspondence"]): Statement[];
  /**
   * Adds an error for each part that cannot be written. The returned function throws 422 for a text that gets
   * too long.
   */
  check(
    ctx: Context,
    body: CreateActivityBody,
    of: FullCase,
    results: readonly Result[],
    errors: FieldError[],
  ): Promise<(corresponding: Corresponding) => Promise<WrittenCorrespondence>>;
}
