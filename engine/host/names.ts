/** Where a partition lies on this machine, and the random names that engines give. */
import { randomInt } from "node:crypto";
import { join } from "node:path";

const NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const NAME_LENGTH = 10;

/** The folder of one partition below the engine's. */
export function partitionFolder(dataFolder: string, number: number): string {
  return join(dataFolder, `partition-${number}`);
}

/** The price history of an engine process with these partitions: engines that share a data folder have one each. */
export function historyFolder(dataFolder: string, ownPartitions: readonly number[]): string {
  return join(dataFolder, `price-history-${Math.min(...ownPartitions)}`);
}

/** Ten of a-z and 0-9: names an installation, or a start. */
export function newName(): string {
  return Array.from({ length: NAME_LENGTH }, () => NAME_CHARACTERS[randomInt(NAME_CHARACTERS.length)]).join("");
}
