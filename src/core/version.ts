/** The version of the service and of its API document; `src/docs/guides/changelog.md` begins with it. */
export const version = "0.1.0";
