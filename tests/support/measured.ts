/**
 * Measures until the figure is good, at most `chances` times, and returns the last one: other work on the machine
 * spoils single measurements. A broken rule spoils them all.
 */
export async function measureUntilGood<T>(
  measure: () => T | Promise<T>,
  isGood: (figure: T) => boolean,
  chances = 5,
): Promise<T> {
  let figure = await measure();
  for (let left = chances - 1; left > 0 && !isGood(figure); left--) figure = await measure();
  return figure;
}
