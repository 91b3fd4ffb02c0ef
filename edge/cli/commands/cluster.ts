/** `cluster`: who leads what, how far the copies are, and what the nats-servers are. */
import type { AddCommands } from "../command.ts";

const REPLICAS = 3;

export const addClusterCommand: AddCommands = (program, run) => {
  program
    .command("cluster")
    .description("shows the leader of each partition, the progress of the copies, and the servers that hold the log")
    .action(() =>
      run(async ({ api, output, isJson }) => {
        const { data: cluster } = await api.unwrap(api.client.GET("/admin/v1/cluster"));
        if (isJson) return output.data(cluster);
        if (cluster === null) return output.text("engines share no partitions (REPLICATION=off)\n");
        const { partitions, engines, servers, streams, faults } = cluster;
        output.data(
          partitions.map(({ partition, leader, epoch, copies }) => ({
            ...{ partition, leader: leader ?? "nobody", epoch },
            copies: copies.map(({ engine, lagRecords }) => `${engine} ${behind(lagRecords)}`).join(", "),
          })),
        );
        output.text("\n");
        output.data(
          engines.map(({ engine, leads, isEnding, isClockRight, takeovers }) => ({
            ...{ engine, leads, takeovers: takeovers.reduce((sum, { count }) => sum + count, 0) },
            state: isEnding ? "ends" : isClockRight === false ? "wrong clock" : "stays",
          })),
        );
        output.text("\n");
        output.data(
          servers.map(({ url, name, version, isSynced }) => ({
            ...{ server: name ?? url, version: version ?? "away" },
            synced: isSynced === null ? "not known" : isSynced,
          })),
        );
        for (const { stream, currentReplicas } of streams.filter((each) => each.currentReplicas < REPLICAS)) {
          output.text(`stream ${stream} has ${currentReplicas} current replicas of ${REPLICAS}\n`);
        }
        for (const fault of faults) output.text(`${fault}\n`);
      }),
    );
};

function behind(lagRecords: number | null): string {
  if (lagRecords === null) return "does not read along";
  return lagRecords === 0 ? "has all" : `lacks ${lagRecords}`;
}
