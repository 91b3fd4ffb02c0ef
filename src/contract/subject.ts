/**
 * The bus subjects (docs/brokerage.md).
 */
export const commandSubject = (partition: number): string => `engine.${partition}.command`;
export const querySubject = (partition: number): string => `engine.${partition}.query`;
/** Messages between engines about the owner of the partition. */
export const ownerSubject = (partition: number): string => `engine.${partition}.owner`;
/** Where the leader of a partition offers its rows to a copy that the log cannot fill, and where it sends them. */
export const seedSubject = (partition: number, life: number): string => `engine.${partition}.seed.${life}`;
export const seedPageSubject = (partition: number, life: number, name: string): string =>
  `engine.${partition}.seed.${life}.${name}`;
/** Where engines that share partitions announce themselves. */
export const PRESENCE_SUBJECT = "engine.presence";
/** Where each of them returns the state of all partitions. */
export const CLUSTER_SUBJECT = "engine.cluster";
export const eventSubject = (userId: number, type: string): string => `events.${userId}.${type}`;
export const tickSubject = (symbol: string): string => `ticks.${symbol}`;
/** The status of a process that publishes prices. */
export const feedStatusSubject = (name: string): string => `feed.${name}.status`;
export const ALL_FEED_STATUS_SUBJECT = "feed.*.status";
export const TICK_BATCH_SUBJECT = "ticks";
/** Subjects of names with a dot, such as `ticks.THYAO.E`: no symbol has one (behaviour 3.5). */
export const DOTTED_TICKS_SUBJECT = "ticks.*.>";
/** Where engines store marks in the stream of ticks, to learn its position. */
export const TICK_MARK_SUBJECT = `${TICK_BATCH_SUBJECT}._engine.mark`;
export const ALL_TICKS_SUBJECT = "ticks.>";
export const brokerSubject = (code: string, operation: string): string => `broker.${code}.${operation}`;
/** Where processes of a connector publish that they serve it, and where a new one asks whether another does. */
export const connectorProcessSubject = (code: string): string => `connector.${code}.process`;
export const connectorQuestionSubject = (code: string): string => `connector.${code}.process.ask`;
/** A refresh-token family was revoked: edges drop its access tokens. */
export const REVOKED_SUBJECT = "identity.revoked";
/** Symbols, restrictions or lists changed: caches are dropped. */
export const REFERENCE_CHANGED_SUBJECT = "reference.changed";
