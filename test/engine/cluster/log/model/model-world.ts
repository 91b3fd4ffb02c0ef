/**
 * Processes over the logs of two partitions and one gateway: each order is sold once, through every fault of a process,
 * a log or a request. Following, claims, leases, stores and the gateway's fence are the real ones. The engine
 * (model-engine.ts) is the smallest that decides, tries and looks before it repeats.
 */
import { LoggedDisk } from "../../../../support/store/logged-disk.ts";
import { ModelEngine } from "./model-engine.ts";
import { ModelGateway, PARTITIONS } from "./model-gateway.ts";

/** A process: an engine of each partition, which die together. */
interface Process {
  readonly name: string;
  readonly engines: readonly ModelEngine[];
}

export class ModelWorld extends ModelGateway {
  readonly processes: Process[] = [];
  /** Faults that were seen as they happened. */
  readonly faults: string[] = [];
  /** Partitions whose leader was harmed, or gave up, since it began: another may follow. */
  readonly #vacant = new Set(PARTITIONS);

  /** All that run now. */
  get engines(): ModelEngine[] {
    return this.processes.flatMap(({ engines }) => engines);
  }

  start(name: string, disks = PARTITIONS.map(() => new LoggedDisk())): void {
    const engines = PARTITIONS.map((partition, index) => {
      const place = { name, partition, disk: disks[index] ?? new LoggedDisk() };
      return new ModelEngine(this, {
        ...place,
        onHarm: (engine) => this.harm(engine),
        onClaim: (engine) => this.#judgeClaim(engine),
        onEnd: (engine) => this.restart(this.processOf(engine)),
      });
    });
    this.processes.push({ name, engines });
    for (const engine of engines) void engine.run();
  }

  kill(process: Process): void {
    for (const engine of process.engines) this.harm(engine);
    this.restart(process);
  }

  /** It runs no more; another one continues from its disks. */
  restart(process: Process | undefined): void {
    if (process === undefined) return;
    for (const engine of process.engines) engine.freeze(Number.POSITIVE_INFINITY);
    this.processes.splice(this.processes.indexOf(process), 1);
    const isPowerCut = this.random() < 0.5;
    const isKept = (): boolean => this.random() < 0.5;
    const keptOf = (count: number): number => Math.floor(this.random() * (count + 1));
    const disks = process.engines.map(({ disk }) => disk);
    for (const disk of disks) disk.leave({ isPowerCut, isKept, keptOf });
    this.start(`${process.name}'`, disks);
  }

  processOf(engine: ModelEngine): Process | undefined {
    return this.processes.find(({ engines }) => engines.includes(engine));
  }

  /** Consequences of harm to a leader are not faults. */
  harm(engine: ModelEngine): void {
    if (engine.leads) this.#vacant.add(engine.partition);
  }

  #judgeClaim(engine: ModelEngine): void {
    const { partition, name } = engine;
    // Its process was paused: the log may have more records by now.
    if (!engine.mayAct) return;
    const others = this.engines.filter((other) => other !== engine && other.partition === partition);
    for (const other of others) if (other.mayAct) this.faults.push(`${name} and ${other.name} may act at once`);
    if (!this.#vacant.delete(partition)) this.faults.push(`${name} leads ${partition} for no reason`);
  }
}
