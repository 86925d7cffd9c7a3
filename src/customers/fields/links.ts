/** Links of a field. A link limits the field's options while another field has a certain choice. */
import { ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { type CustomField, type FieldLink, isChoice, mayShow } from "../../fields/custom_fields.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/statements.ts";
import { checkDefinitions, guardDefinitions } from "./budget.ts";
import { changeDefinition, type Definition, parseOwnerType, readToWrite } from "./definitions.ts";
import type { LinksBody } from "./schema.ts";

/** Returns 200 with the links, which replace the previous ones. */
export async function putLinks(
  ctx: Context,
  ownerType: string,
  id: string,
  body: LinksBody,
) {
  const owner = parseOwnerType(ownerType);
  const { field, fields, all } = await readToWrite(ctx, owner, id);
  if (body.links.length > 0 && !isChoice(field.type)) {
    throw invalid(fieldError("links", "excluded", "Only a choice field can have links."));
  }
  const errors: FieldError[] = [];
  const links = body.links.map((link, index) => {
    const read: FieldLink = { ...link, default_option: link.default_option ?? null };
    errors.push(...findFaults(read, `links[${index}]`, field, fields[owner].custom));
    return read;
  });
  if (errors.length > 0) throw invalid(...errors);
  const shown = links.map(({ field_id, option_id, options_shown, default_option }) => ({
    field_id,
    option_id,
    options_shown,
    default_option,
  }));
  checkDefinitions(all, field, { ...field, links: shown }, "links");
  const named = fields[owner].custom.filter(({ id }) => links.some(({ field_id }) => field_id === id));
  return await commit(ctx, {
    statements: [
      guardVersions("fields", named),
      guardDefinitions(ctx.caller.companyId, all),
      ...changeDefinition(ctx, field, { links: JSON.stringify(shown) }),
    ],
    answer: ok({ data: shown }),
  });
}

function findFaults(
  link: FieldLink,
  at: string,
  field: Definition,
  among: readonly CustomField[],
): FieldError[] {
  const errors: FieldError[] = [];
  const other = among.find(({ id }) => id === link.field_id && id !== field.id);
  if (!other || !isChoice(other.type)) {
    errors.push(missingReference(`${at}.field_id`, "other choice field"));
  } else if (other.is_read_only) {
    errors.push(
      fieldError(
        `${at}.field_id`,
        "not_editable",
        "That field is read-only, so it takes no choice.",
      ),
    );
  } else if (!other.options.some(({ id }) => id === link.option_id)) {
    errors.push(missingReference(`${at}.option_id`, "option of that field"));
  }
  const own = (id: string) => field.options.some((option) => option.id === id);
  link.options_shown.forEach((id, index) => {
    if (!own(id)) errors.push(missingReference(`${at}.options_shown[${index}]`, "option of the field"));
  });
  if (!mayShow(field.type, link.options_shown.length)) {
    errors.push(fieldError(`${at}.options_shown`, "max", "At most 1 option for a single choice."));
  }
  const { default_option } = link;
  if (default_option !== null && !own(default_option)) {
    errors.push(missingReference(`${at}.default_option`, "option of the field"));
  } else if (default_option !== null && !link.options_shown.includes(default_option)) {
    errors.push(fieldError(`${at}.default_option`, "enum", "Must be one of options_shown."));
  }
  return errors;
}
