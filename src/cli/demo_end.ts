/** Waits for what calls of the demo have begun. */

/** Milliseconds between two looks. */
const everyMs = 50;
/** Milliseconds to wait. What is left then goes on with the service. */
const waitMs = 20_000;

/** Returns whether the import or export at a path has ended. `call` acts for an admin. */
export async function waitForEnd(
  call: (method: string, path: string) => Promise<unknown>,
  path: string,
): Promise<boolean> {
  const began = performance.now();
  while (performance.now() - began < waitMs) {
    const { finished_at } = await call("GET", path) as { readonly finished_at: string | null };
    if (finished_at !== null) return true;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return false;
}
