/** Gives the demo company an import that has ended, with rows to mend. */
import type { Call } from "./demo_call.ts";
import { waitForEnd } from "./demo_end.ts";

/** Two rows have faults: an address that is none, and a person without a name. */
const visitors = `First name;Last name;E-mail;Phone number;Company;City
Nora;Lindqvist;nora.lindqvist@example.org;+49 30 5550101;Lindqvist Logistics;Berlin
Tomás;Ferreira;tomas.ferreira@example.org;+49 30 5550102;Ferreira & Sons;Potsdam
Ines;Baumann;ines.baumann at example.org;+49 30 5550103;Baumann Bakery;Berlin
Oskar;Nyberg;oskar.nyberg@example.org;+49 30 5550104;Nyberg Courier;Leipzig
;;;+49 30 5550105;Hartmann Gardens;Berlin
Leila;Haddad;leila.haddad@example.org;+49 30 5550106;Haddad Catering;Dresden
`;

const mapping = {
  "First name": "first_name",
  "Last name": "last_name",
  "E-mail": "email",
  "Phone number": "phone_number",
  Company: "account.name",
  City: "account.city",
};

/** Returns whether the import has ended. `call` acts for an admin. */
export async function addDemoImport(call: Call): Promise<boolean> {
  const data = new TextEncoder().encode(visitors).toBase64();
  const file = await call("POST", "/v1/files", { name: "Visitors of the open day.csv", data }) as {
    readonly id: string;
  };
  const body = { entity: "contacts", match: "email", mapping, file_id: file.id };
  const { id } = await call("POST", "/v1/imports", body) as { readonly id: string };
  // The import has a copy of its own.
  await call("DELETE", `/v1/files/${file.id}`);
  return await waitForEnd(call, `/v1/imports/${id}`);
}
