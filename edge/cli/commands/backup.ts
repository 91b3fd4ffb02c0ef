/** `backup`: a copy of all data, made while the installation runs. */
import type { AddCommands } from "../command.ts";

const MEBIBYTE = 1_048_576;

export const addBackupCommands: AddCommands = (program, run) => {
  program
    .command("backup <folder>")
    .description("copies all data to a new folder on the engine's machine, below its BACKUP_DIR")
    .addHelpText(
      "after",
      "\nThe folder is an absolute path that does not exist yet. Restore: stop the engines, replace the partition\n" +
        "folders in DATA_DIR with the folders of the copy, each as a whole, and start. Check a copy with npm run check-data.",
    )
    .action((folder: string) =>
      run(async ({ api, output }) => {
        for (;;) {
          const { data } = await api.unwrap(api.client.POST("/admin/v1/backup", { body: { folder } }));
          const rowCount = data.partitions.reduce((sum, partition) => sum + partition.rowCount, 0);
          const byteCount = data.partitions.reduce((sum, partition) => sum + partition.byteCount, 0);
          if (!data.isDone) {
            output.progress(`${rowCount} rows, ${(byteCount / MEBIBYTE).toFixed(1)} MiB so far`);
            continue;
          }
          output.data(data.partitions);
          return;
        }
      }),
    );
};
