/** Addresses of charts. They are signed, so that only readers who have an address can open its chart. */
import { isUuid } from "../../core/ids.ts";
import type { Deps } from "../../deps.ts";
import { readSignedHex, signHex } from "../../platform/signed_texts.ts";

const purpose = "chart";

/** Returns the address of a chart. */
export function signChartAddress(
  { deps, origin }: { readonly deps: Pick<Deps, "secretsKey">; readonly origin: string },
  id: string,
): string {
  return `${origin}/charts/${signHex(deps.secretsKey, purpose, id.replaceAll("-", ""))}.svg`;
}

/** Returns the id of the chart that the last part of an address names; null for any other text. */
export function parseChartName({ secretsKey }: Pick<Deps, "secretsKey">, name: string): string | null {
  if (!name.endsWith(".svg")) return null;
  const hex = readSignedHex(secretsKey, purpose, name.slice(0, -".svg".length)) ?? "";
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return isUuid(id) ? id : null;
}
