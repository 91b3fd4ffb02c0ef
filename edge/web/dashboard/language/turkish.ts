/** All texts of the page in Turkish, by their English text. One file for each folder of the page. */
import { EVENT } from "./turkish/event.ts";
import { FRAME } from "./turkish/frame.ts";
import { PAGE } from "./turkish/page.ts";
import { PART } from "./turkish/part.ts";
import { SHARED } from "./turkish/shared.ts";
import { STATE } from "./turkish/state.ts";

export const TURKISH = { ...SHARED, ...FRAME, ...EVENT, ...PAGE, ...PART, ...STATE } as const;
