/** Notification targets: where a user's events are sent to, in addition to streams. */
import { z } from "zod";
import { fitsPattern } from "../../domain/event-pattern.ts";
import { EVENT_TYPES } from "../event/event.ts";
import { body } from "../fields.ts";

/** The most targets of one user. */
export const TARGETS_MAX = 20;
/** The most patterns of one target: more than there are types. */
const PATTERNS_MAX = 100;

const eventPatterns = z
  .array(z.string().max(64))
  .min(1, "must not be empty")
  .max(PATTERNS_MAX)
  .refine(
    (patterns) => patterns.every((pattern) => EVENT_TYPES.some((type) => fitsPattern(type, pattern))),
    "must be event types, like oco.triggered or order.*",
  )
  .meta({ description: "Which events are sent: types, or `oco.*` for all that begin so; `*` for all" });

const shared = {
  name: z.string().min(1, "must not be empty").max(100),
  events: eventPatterns,
  isActive: z.boolean().meta({ description: "False: nothing is sent" }),
};

/** Body of a create and of an update. The engine checks the address. */
export const targetBody = z
  .discriminatedUnion("kind", [
    body({
      kind: z.literal("webhook"),
      ...shared,
      url: z.string().min(1, "must not be empty").max(2_000).meta({ description: "https; public" }),
    }),
    body({
      kind: z.literal("telegram"),
      ...shared,
      botToken: z
        .string()
        .regex(/^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$/, "must be a Telegram bot's token")
        .meta({ description: "Never shown again" }),
      chatId: z.string().regex(/^(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64})$/, "must be a chat's number or @name"),
    }),
    body({ kind: z.literal("email"), ...shared, address: z.email("must be an e-mail address").max(254) }),
  ])
  .meta({ id: "NotificationTargetWrite" });
export type TargetBody = z.infer<typeof targetBody>;

export const targetSchema = z
  .object({
    id: z.number().int(),
    kind: z.enum(["webhook", "telegram", "email"]),
    name: z.string(),
    address: z.string().meta({ description: "URL, chat or e-mail address" }),
    events: z.array(z.string()),
    isActive: z.boolean(),
    state: z
      .enum(["idle", "failing", "dead"])
      .meta({ description: "failing: it is tried again; dead: it was given up, an update revives it" }),
    failureMessage: z
      .string()
      .nullable()
      .meta({ description: "What is wrong, with the status where the other side gave one; null where nothing is" }),
    failingSince: z.string().nullable(),
    skippedCount: z
      .number()
      .int()
      .meta({ description: "How many events the target refused for good; each was tried a few times and left out" }),
    lastSkipped: z
      .object({ eventId: z.string(), message: z.string(), time: z.string() })
      .nullable()
      .meta({ description: "The last event that was left out, and why; null if none was left out" }),
    lastDelivery: z
      .object({
        time: z.string(),
        message: z.string().nullable().meta({ description: "What was wrong; null if the message was taken" }),
      })
      .nullable()
      .meta({ description: "The last try to hand a message over, tests included; null if none is known" }),
    createdDate: z.string(),
  })
  .meta({ id: "NotificationTarget" });
export type TargetView = z.infer<typeof targetSchema>;

export const createdTargetSchema = targetSchema
  .extend({
    secret: z
      .string()
      .nullable()
      .meta({ description: "Of a webhook: signs what is sent (Standard Webhooks); shown once" }),
  })
  .meta({ id: "CreatedNotificationTarget" });

export const testedTargetSchema = z.object({ delivered: z.boolean(), message: z.string() });
/** The engine's result of a test. The detail (texts of libraries and servers) is only for the edge's log. */
export const targetTestReplySchema = testedTargetSchema.extend({ detail: z.string().nullable().default(null) });
export type TargetTestReply = z.output<typeof targetTestReplySchema>;

export const targetIdBody = z.object({ id: z.number().int().positive() });
export const updateTargetBody = z.object({ id: z.number().int().positive(), target: targetBody });

export const TARGET_COMMANDS = {
  create: "targets.create",
  update: "targets.update",
  remove: "targets.remove",
  test: "targets.test",
} as const;
export const TARGET_QUERIES = { list: "targets.list" } as const;

/** How a target is stored. */
export const storedTargetSchema = z.strictObject({
  version: z.literal(1),
  userId: z.number().int().positive(),
  targetId: z.number().int().positive(),
  body: targetBody,
  /** The secret of a webhook. */
  secret: z.string().nullable(),
  createdAtMs: z.number().int(),
  /** Events up to this sequence were sent, or are not for this target. */
  sentThrough: z.number().int().nonnegative(),
  failure: z.strictObject({ sinceMs: z.number(), message: z.string(), isDead: z.boolean() }).nullable(),
  /** Events that were refused for good and left out: how many, and the last of them. */
  skipped: z
    .strictObject({ count: z.number().int(), eventId: z.string(), message: z.string(), atMs: z.number() })
    .nullable()
    .default(null),
  /** The last try; null in a target that was stored before tries were kept. */
  delivery: z.strictObject({ atMs: z.number(), message: z.string().nullable() }).nullable().default(null),
});
export type StoredTarget = z.infer<typeof storedTargetSchema>;
