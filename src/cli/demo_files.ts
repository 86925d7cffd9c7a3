/**
 * Gives the demo company files, a template, a campaign and an import, with the same calls as clients. There are files in
 * folders and at records, and a published picture.
 */
import { createApp } from "../app.ts";
import type { Deps } from "../deps.ts";
import { addDemoCorrespondence } from "./demo_correspondence.ts";
import { addDemoFollowUp } from "./demo_follow_up.ts";
import { addDemoImport } from "./demo_import.ts";
import { addDemoRecords } from "./demo_records.ts";

/** `client`: a client that acts for an admin. */
export async function addDemoFiles(
  deps: Deps,
  client: { readonly client_id: string; readonly client_secret: string; readonly users: readonly string[] },
): Promise<void> {
  const call = makeCall(deps, client);
  const folder = async (name: string, folder_id: string | null = null) =>
    readId(await call("POST", "/v1/filemanager/folders", { name, belongs_to: "company", folder_id }));
  const file = async (name: string, text: string) =>
    readId(await call("POST", "/v1/files", { name, data: btoa(text) }));
  const first = async (path: string) => {
    const { data } = await call("GET", `${path}?per_page=1`) as { data: readonly unknown[] };
    return readId(data[0]);
  };
  const attach = (record: string, ...file_ids: string[]) => call("POST", `/v1/${record}/files`, { file_ids });

  const brochures = await folder("Brochures");
  const prices = await folder("Prices", brochures);
  const logo = await file("logo.svg", svg);
  await attach(`folders/${brochures}`, await file("Estate.pdf", makePdf("Estate")), logo);
  await attach(`folders/${prices}`, await file("Prices.csv", "model,price\nEstate,29900\nVan,34900\n"));
  const offer = await file("Offer.pdf", makePdf("Offer"));
  await attach(`accounts/${await first("/v1/accounts")}`, offer);
  await attach(`cases/${await first("/v1/cases")}`, offer);
  await call("POST", "/v1/filemanager/pictures", { file_id: logo });
  const { company } = await call("GET", "/v1/me") as { company: { id: number } };
  // A deleted demo company keeps its name until it is erased.
  const domain_slug = company.id === 1 ? "demo" : `demo-${company.id}`;
  await call("PUT", "/v1/campaigns/settings", { domain_slug });
  const offerLetter = await call("POST", "/v1/templates", {
    type: "letter",
    title: "Offer",
    team_id: null,
    margin_top: 40,
    content: "<p>Dear {{contact.first_name}} {{contact.last_name}},</p>{{content}}" +
      "<p>{{user.full_name}}<br>{{company.name}}, {{date}}</p>",
  });
  // Jobs make the letters within the first minute; e-mails would need a mail server.
  await call("POST", "/v1/campaigns", {
    type: "letter",
    name: "Spring offers",
    team_id: null,
    execute_now: true,
    message: { content: "<p>Dear {{contact.full_name}},</p><p>come and see our new vans.</p>" },
    filter: [{ field: "contact.status", operator: "eq", value: "customer" }],
  });
  await addDemoFollowUp(call);
  // The records use contacts of the import.
  if (await addDemoImport(call)) await addDemoRecords(call, client.users);
  await addDemoCorrespondence(deps, call, (offerLetter as { readonly id: number }).id);
}

/** Returns a function that calls the app in this process and returns the answer. It throws for a refusal. */
function makeCall(deps: Deps, client: { readonly client_id: string; readonly client_secret: string }) {
  const app = createApp({ ...deps, log: { ...deps.log, info: () => {} } });
  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: HeadersInit,
  ): Promise<unknown> => {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await app.fetch(request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  const granted = send("POST", "/auth/token", { grant_type: "client_credentials", ...client }, {});
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { access_token } = await granted as { access_token: string };
    return await send(method, path, body, { Authorization: `Bearer ${access_token}` });
  };
}

function readId(record: unknown): string {
  return (record as { id: string }).id;
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 70">' +
  '<rect width="240" height="70" rx="12" fill="#1d4e89"/>' +
  '<text x="120" y="46" font-size="32" fill="#fff" text-anchor="middle">Meridian</text></svg>\n';

/** A document of one page with a title. */
function makePdf(title: string): string {
  const drawing = `BT /F 36 Tf 72 720 Td (${title}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  let table = "0000000000 65535 f \n";
  objects.forEach((object, index) => {
    table += `${String(text.length).padStart(10, "0")} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const size = objects.length + 1;
  return `${text}xref\n0 ${size}\n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
