/** Limits of the HTML of messages. */

/** The most bytes of a body with HTML. */
export const htmlBodyLimit = 4 * 1024 * 1024;

/** The most characters of the HTML of a template, campaign or automated communication. */
export const mostContent = 500_000;
