/** An edge of its own, and users who follow their events over it. */
import { z } from "zod";
import { IDENTITY_COMMANDS } from "../../../src/contract/operator/identity.ts";
import { sleep } from "../figure/timing.ts";
import { type BenchProgram, startBenchProgram } from "../program.ts";
import type { World } from "../world.ts";
import { tokenFor } from "./clients.ts";
import { eachInFlight } from "./in-flight.ts";

const userSchema = z.object({ userId: z.number() });
const keySchema = z.object({ apiKey: z.string() });

export async function startEdge(natsUrl: string): Promise<{ readonly program: BenchProgram; readonly url: string }> {
  const program = await startBenchProgram({
    entry: "edge/main.ts",
    ready: /the edge listens/,
    environment: { NATS_URL: natsUrl, PORT: "0", TRUST_PROXY: "on", LOG_LEVEL: "info" },
  });
  const [, url = ""] = /"url":"(http:\/\/[^"]+)"/.exec(program.output()) ?? [];
  while ((await fetch(`${url}/ready`)).status !== 200) await sleep(50);
  return { program, url };
}

export interface Follower {
  readonly userId: number;
  readonly authorization: string;
}

/** Users whose groups fire, with a token each. */
export async function makeFollowers(world: World, url: string, count: number): Promise<readonly Follower[]> {
  const followers: Follower[] = [];
  await eachInFlight(count, 8, async (index) => {
    const { userId } = userSchema.parse(
      await world.command(IDENTITY_COMMANDS.createUser, 1, { name: `user ${index}` }),
    );
    const body = { userId, name: "bench", scopes: ["read"] };
    const { apiKey } = keySchema.parse(await world.command(IDENTITY_COMMANDS.createApiKey, 1, body));
    followers.push({ userId, authorization: await tokenFor(url, apiKey, `10.3.${index >> 8}.${index & 255}`) });
  });
  return followers;
}
