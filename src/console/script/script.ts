/** The parts of the script of the console, in their order. */
import { boardScript } from "./board.ts";
import { filterScript } from "./filter.ts";
import { keysScript } from "./keys.ts";
import { liveScript } from "./live.ts";
import { pagesScript } from "./pages.ts";
import { searchScript } from "./search.ts";

export const script = pagesScript + liveScript + boardScript + keysScript + searchScript + filterScript;
