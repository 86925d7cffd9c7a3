/** Pictures inside an arrived message: attachments of it, whose addresses are `cid:` and an id. */
import { escapeHtml, unescapeHtml } from "../../core/html.ts";

/** In clean HTML, `<` and `>` stand for tags only. */
const images = /<img\b[^>]*>/g;
const address = / src="cid:([^"]*)"/;

/**
 * Returns clean HTML with another address for each of these pictures. `findAddress` is given what follows
 * `cid:`; a picture without an address keeps its words alone.
 */
export function placePictures(html: string, findAddress: (id: string) => string | undefined): string {
  return html.replaceAll(images, (image) =>
    image.replace(address, (_, id: string) => {
      const found = findAddress(unescapeHtml(id));
      return found === undefined ? "" : ` src="${escapeHtml(found)}"`;
    }));
}
