/** All texts of the page in Turkish, by their English text. One file for each folder of the page. */
import { FRAME } from "./turkish/frame.ts";
import { SHARED } from "./turkish/shared.ts";

export const TURKISH = { ...SHARED, ...FRAME } as const;
