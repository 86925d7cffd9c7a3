/** Who a lead or a case is about, by the fixed fields of its account and contact. */
export interface FieldValue {
  readonly id: number | string;
  readonly type: string;
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  readonly validation: string | null;
  readonly options: readonly { readonly id: string; readonly value: string }[];
}

export interface Party {
  readonly fixed_fields: readonly FieldValue[];
}

export interface Customer {
  readonly contact: string | null;
  readonly account: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

export function makeCustomer(
  { account, contact }: { readonly account: Party; readonly contact: Party },
): Customer {
  const name = [getFixedText(contact, "first_name"), getFixedText(contact, "last_name")].filter((part) =>
    part !== null
  )
    .join(" ");
  return {
    contact: name === "" ? null : name,
    account: getFixedText(account, "name"),
    phone: getFixedText(contact, "phone_number") ?? getFixedText(account, "phone_number"),
    email: getFixedText(contact, "email") ?? getFixedText(account, "email"),
  };
}

function getFixedText({ fixed_fields }: Party, name: string): string | null {
  const value = fixed_fields.find((field) => field.name === name)?.value;
  return typeof value === "string" && value !== "" ? value : null;
}
