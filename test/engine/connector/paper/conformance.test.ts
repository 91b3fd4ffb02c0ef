import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import { type BrokerageHarness, describeBrokerage, type HarnessSettings } from "../../order/conformance.ts";
import { PaperWorld } from "./harness.ts";

async function makePaper(settings: HarnessSettings): Promise<BrokerageHarness> {
  const folder = await mkdtemp(join(tmpdir(), "paper-conformance-"));
  const world = await PaperWorld.open({ folder, paper: settings });
  return {
    get brokerage() {
      return world.paper;
    },
    async fillPrice(symbol, price) {
      world.tick(symbol, price);
    },
    lastSmsCode: () => world.messages.at(-1)?.code,
    restart: () => world.restart(),
    async close() {
      await world.paper.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe("paper brokerage", () => describeBrokerage("paper brokerage", makePaper));
