/** Reasons why a file or a delivery is missing: a code for programs, and a sentence for people. */
import { z } from "zod";

/** The sentence of each code. */
export type Failures<Code extends string> = Readonly<Record<Code, string>>;

/** The wire shape of a failure; null when nothing failed. */
export function failureSchema<Code extends string>(failures: Failures<Code>, example: NoInfer<Code>) {
  return z.object({
    code: z.enum(Object.keys(failures) as Code[]).meta({ example }),
    message: z.string().meta({ example: failures[example] }),
  }).nullable();
}

export function presentFailure<Code extends string>(failures: Failures<Code>, code: Code | null) {
  return code === null ? null : { code, message: failures[code] };
}
