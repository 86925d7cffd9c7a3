/**
 * Ends the work of the library between two of its steps.
 *
 * Works around: Deno does not end a thread that computes, and the library has no signal to stop.
 * True for: Deno 2.9.6, pdfmake 0.3.11.
 * Remove when: `terminate()` ends such a thread at once.
 */
import { createRequire } from "node:module";

/** Thrown when the work is to end. */
export class Stopped extends Error {}

const require = createRequire(import.meta.url);

/** By module of the library: methods of which documents that take long need many calls. */
const steps: Readonly<Record<string, readonly string[]>> = {
  DocPreprocessor: ["preprocessNode"],
  DocMeasure: ["measureNode"],
  TextInlines: ["widthOfText"],
  LayoutBuilder: ["processNode", "buildNextLine"],
  Renderer: ["renderLine"],
};

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Lets each step throw `Stopped` when `isStopped`. */
export function stopBetweenSteps(isStopped: () => boolean): void {
  for (const [name, methods] of Object.entries(steps)) {
    const { prototype } = require(`pdfmake/js/${name}.js`).default as { prototype: Methods };
    for (const method of methods) {
      const step = prototype[method]!;
      prototype[method] = function (...args) {
        if (isStopped()) throw new Stopped();
        return step.apply(this, args);
      };
    }
  }
}
