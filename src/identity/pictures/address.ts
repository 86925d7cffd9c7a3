/** Addresses of pictures. Each picture keeps its address for as long as it exists. */

/** The time and origin that a record is presented with. */
export interface Look {
  /** Epoch milliseconds, for the offsets of time zones. */
  readonly now: number;
  /** The origin of links, such as `https://crm.example.org`. */
  readonly origin: string;
}

/** The prefix of the storage keys of pictures. */
export const pictureFolder = "pictures/";

/** The address of the picture with the storage key; null for none. */
export function composePictureUrl(origin: string, key: string | null): string | null {
  return key === null ? null : `${origin}/${key}`;
}
