/** Where pictures are found: an address for each, that stays as long as the picture does. */

/** For whom and when a record is shown. */
export interface Look {
  /** Epoch milliseconds, for the offsets of time zones. */
  readonly now: number;
  /** The origin of links, such as `https://crm.example.org`. */
  readonly origin: string;
}

/** What stands before the key of a picture in the storage. */
export const pictureFolder = "pictures/";

/** The address of the picture with the storage key; null for none. */
export function pictureUrl(origin: string, key: string | null): string | null {
  return key === null ? null : `${origin}/${key}`;
}
