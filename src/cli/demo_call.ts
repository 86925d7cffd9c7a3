/** Calls of the API that make the demo data. */

/** Calls an endpoint as a user and returns the body of the answer. Throws when the service refuses. */
export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Returns the records of a page of a list. */
export async function readData<T>(call: Call, path: string): Promise<readonly T[]> {
  return (await call("GET", path) as { readonly data: readonly T[] }).data;
}
