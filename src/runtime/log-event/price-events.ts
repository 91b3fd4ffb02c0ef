/** Log events of prices: the tick feed, the stored tick stream, clocks and price sources. */
import type { LogEventTable } from "./declaration.ts";

export const priceEvents = {
  "tick.ignored": {
    severity: "warn",
    meaning: "A tick was refused; the line names the reason and the number since the last such line.",
    action: "Check the price source and the clocks if it repeats.",
  },
  "tick.failed": {
    severity: "error",
    meaning: "A tick could not be handled because of a fault.",
    action: "Report it as a bug, with the line.",
  },
  "ticks.caughtUp": { severity: "info", meaning: "Missed ticks were read back from the tick stream." },
  "ticks.catchUpFailed": {
    severity: "warn",
    meaning: "Missed ticks cannot be read back yet; the engine tries again.",
    action: "Check JetStream if it repeats.",
  },
  "ticks.lost": {
    severity: "error",
    meaning: "Ticks were missed and cannot be read back; levels reached only by them did not fire.",
    action: "Check armed groups against the prices of the period that the line names.",
  },
  "ticks.lostWhileRefused": {
    severity: "error",
    meaning: "The tick stream stored nothing for a period, and ticks of it were missed.",
    action: "Check armed groups against the prices of the period that the line names.",
  },
  "ticks.unheard": {
    severity: "warn",
    meaning: "The stream stored ticks that did not arrive live; they are read back.",
    action: "Check the network between engine and NATS if it repeats.",
  },
  "ticks.processStoodStill": {
    severity: "warn",
    meaning: "The engine was paused for longer than a moment; missed ticks are read back.",
    action: "Look for a sleeping machine, a full processor or a slow disk.",
  },
  "ticks.inProcess": {
    severity: "info",
    meaning: "Prices come from this process and are not stored; ticks missed during a restart are lost.",
  },
  "ticks.notKept": {
    severity: "warn",
    meaning: "JetStream is missing; ticks missed during a restart are lost.",
    action: "Enable JetStream on the nats-server.",
  },
  "tickStream.disconnected": {
    severity: "warn",
    meaning: "The connection to the price bus was lost; ticks are read back after it returns.",
    action: "Check NATS if it does not return.",
  },
  "tickStream.unusable": {
    severity: "error",
    meaning: "The tick stream cannot be used, so missed ticks cannot be read back.",
    action: "Check JetStream and its disk.",
  },
  "tickStream.silent": {
    severity: "warn",
    meaning: "The tick stream does not answer; the engine asks again.",
    action: "Check JetStream if it repeats.",
  },
  "tickStream.replaced": {
    severity: "warn",
    meaning: "The tick stream is another one, or has lost its end.",
    action: "Find out why: a restored or deleted JetStream loses ticks.",
  },
  "tickStream.notStoring": {
    severity: "error",
    meaning: "The tick stream stores no ticks; ticks missed during a restart now are lost.",
    action: "Check the disk and the limits of JetStream before any restart.",
  },
  "tickStream.storing": { severity: "info", meaning: "The tick stream stores ticks again." },
  "clock.off": {
    severity: "error",
    meaning:
      "The clock of this machine is wrong beyond the allowed difference; ticks are refused, or the edge uses the engine's time.",
    action: "Synchronise the clocks of all machines with NTP.",
  },
  "clock.apart": {
    severity: "warn",
    meaning: "The clocks of the nats-server and of this machine differ.",
    action: "Synchronise both with NTP.",
  },
  "clock.right": {
    severity: ["warn", "info"],
    meaning: "The clocks agree again. As a warning: ticks that a wrong clock refused are read back.",
    action: "None.",
  },
  "prices.silent": {
    severity: "error",
    meaning: "Watched symbols get no price that counts; their levels cannot be reached.",
    action: "Check the price source. The line names the reason and the symbols.",
  },
  "prices.notStored": {
    severity: "error",
    meaning: "The file of last prices cannot be written; no last price is known after a restart.",
    action: "Check the disk of `DATA_DIR`, then restart the engine.",
  },
  "prices.refused": {
    severity: "error",
    meaning: "A venue refuses to send prices of some symbols.",
    action: "Check the symbols and the subscription at the venue.",
  },
  "prices.streamFailed": {
    severity: "error",
    meaning: "The price stream of a venue failed.",
    action: "Read the text of the line; check the account and the subscription at the venue.",
  },
  "feed.ready": { severity: "info", meaning: "A price feed is ready." },
  "feed.simulated": { severity: "info", meaning: "The simulated price feed has started." },
  "feed.silent": {
    severity: "warn",
    meaning: "A price feed is connected and receives no prices.",
    action: "Check whether the market is open, then the venue.",
  },
  "feed.foreignTrade": {
    severity: "warn",
    meaning: "A venue sends trades of a symbol that was not requested; they are left out.",
    action: "Check the symbols of the feed's settings.",
  },
  "feed.current": { severity: "info", meaning: "The prices of a venue are current again." },
  "feed.late": {
    severity: "warn",
    meaning: "A price arrived too late and was refused.",
    action: "Check the clock of this machine and the network if it repeats.",
  },
  "feed.delayed": {
    severity: "warn",
    meaning: "Prices arrive too late and are refused.",
    action: "Check whether the subscription gives delayed data, and the clock.",
  },
  "replay.progress": { severity: "info", meaning: "A replay continues; the line shows the progress." },
  "replay.ended": { severity: "info", meaning: "A replay of recorded ticks ended." },
  "replay.failed": {
    severity: "error",
    meaning: "A replay of recorded ticks ended early because of a fault.",
    action: "Correct the file that the line names.",
  },
} as const satisfies LogEventTable;
