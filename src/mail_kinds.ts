/** What the end of each mail changes, by the kind of record that the mail is about. */
import { contributions } from "./contributions.ts";

export const { mailKinds } = contributions;
