/** All texts of the page in Turkish, by their English text. One file for each folder of the page. */
import { BOT } from "./turkish/bot.ts";
import { EVENT } from "./turkish/event.ts";
import { FRAME } from "./turkish/frame.ts";
import { GROUP } from "./turkish/group.ts";
import { PAGE } from "./turkish/page.ts";
import { PART } from "./turkish/part.ts";
import { SETUP } from "./turkish/setup.ts";
import { SHARED } from "./turkish/shared.ts";
import { STATE } from "./turkish/state.ts";
import { TRADE } from "./turkish/trade.ts";

export const TURKISH = {
  ...SHARED,
  ...BOT,
  ...EVENT,
  ...FRAME,
  ...GROUP,
  ...PAGE,
  ...PART,
  ...SETUP,
  ...STATE,
  ...TRADE,
} as const;
