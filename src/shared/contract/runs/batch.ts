import { z } from 'zod'
import { call, stream } from '../../rpc.ts'

const MAX_PATH = 4_096
const path = z.string().min(1).max(MAX_PATH)

/**
 * What the attempts of a batch may do without a user. `work`: commands in *Work* without network, and changes
 * in the folder of the attempt. `reads`: only calls that can only read. `all`: everything except the hard
 * limits. Other calls that would ask are denied.
 */
export const BatchApproval = z.enum(['work', 'reads', 'all'])
export type BatchApproval = z.infer<typeof BatchApproval>

/** The options of a batch. Paths are absolute. */
export const BatchOptions = z.object({
  /** JSON lines, one row each. */
  file: path,
  /** The folder for the results, created if missing. */
  out: path,
  /** The model for rows that name none; by default the model of new chats. */
  modelId: z.string().min(1).max(MAX_PATH).optional(),
  runName: z.string().trim().min(1).max(200).optional(),
  workers: z.int().min(1).max(64).default(4),
  /** Attempts in one file of results. */
  batchSize: z.int().min(1).max(100_000).default(100),
  /** Attempts at each row. */
  attempts: z.int().min(1).max(1_000).default(1),
  /** Token budget of all attempts in the folder. Once it is used, no attempt starts. */
  budget: z.int().min(1).optional(),
  /** Draw the toolsets of each row by these probabilities. */
  distribution: z.string().min(1).max(100).optional(),
  approve: BatchApproval.default('work'),
  /** False: the model gets no tools. */
  tools: z.boolean().default(true),
  /** Only the rows of one part, by their keys; `index` counts from 1. */
  shard: z.object({ index: z.int().min(1), count: z.int().min(1).max(100_000) }).optional(),
  /** Keep the folders of attempts that have ended. */
  keepFolders: z.boolean().default(false),
})
export type BatchOptions = z.infer<typeof BatchOptions>

/** A line that cannot be run, with its number (from 1). */
export const BadLine = z.object({ line: z.int(), why: z.string() })
export type BadLine = z.infer<typeof BadLine>

/** What a batch would do if started now. */
export const BatchPlan = z.object({
  runName: z.string(),
  /** The number of rows of this part, of all attempts at them, and of attempts that have already ended. */
  rows: z.int(),
  attempts: z.int(),
  ended: z.int(),
  /** The first bad lines, and how many more there are. */
  badLines: z.array(BadLine),
  moreBadLines: z.int(),
  /** The models of its rows, by id. */
  modelIds: z.array(z.string()),
  /** Estimated tokens that the first requests of the open attempts read; each further step reads more. */
  leastTokens: z.int(),
  /** What the user should know before starting, as sentences. */
  remarks: z.array(z.string()),
  /** The distinct checks of all rows, in full, and the hash to agree to them; null without checks. */
  checks: z.object({ commands: z.array(z.string()), hash: z.string() }).nullable(),
})
export type BatchPlan = z.infer<typeof BatchPlan>

/**
 * The final state of an attempt. `done`: with an answer. `no_answer`: its answer is empty or void.
 * `steps_used`, `calls_unreadable`: its turn ended before it was done. `failed`: anything else.
 */
export const AttemptState = z.enum(['done', 'no_answer', 'steps_used', 'calls_unreadable', 'failed'])
export type AttemptState = z.infer<typeof AttemptState>

const Counts = z.record(AttemptState, z.int())

/** An attempt that ended while this host ran its batch. `id` is the id of its row, or names its line. */
const EndedAttempt = z.object({
  id: z.string(),
  attempt: z.int(),
  state: AttemptState,
  /** The reason for a failure, or the output of the check; shortened, and empty if there is neither. */
  note: z.string(),
  reward: z.number().nullable(),
  at: z.number(),
})
export type EndedAttempt = z.infer<typeof EndedAttempt>

/**
 * A batch of this host. `running`, or `waiting` for a server until `until`. `paused`: it can be continued;
 * `text` says why it stopped. `ended`: every attempt has a state.
 */
export const BatchState = z.object({
  id: z.string(),
  runName: z.string(),
  file: z.string(),
  out: z.string(),
  state: z.enum(['running', 'waiting', 'paused', 'ended']),
  text: z.string(),
  /** Epoch ms. */
  until: z.number().nullable(),
  rows: z.int(),
  attempts: z.int(),
  ended: z.int(),
  /** Attempts in progress. */
  active: z.int(),
  states: Counts,
  /**
   * Attempts that were interrupted because Talaria ended, before and now; each was followed by a new attempt.
   */
  unknown: z.int(),
  rewards: z.object({ count: z.int(), sum: z.number() }),
  tokens: z.int(),
  /** Token budget. Once it is used, no further attempt starts. */
  budget: z.int().nullable(),
  workers: z.int(),
  badLines: z.int(),
  startedAt: z.number(),
  /** The last attempts that ended, newest first. */
  recent: z.array(EndedAttempt).max(10),
})
export type BatchState = z.infer<typeof BatchState>

/** Whether a batch can only continue with a larger budget. */
export const isBudgetUsed = ({ tokens, budget }: Pick<BatchState, 'tokens' | 'budget'>): boolean =>
  budget !== null && tokens >= budget

const id = z.string().min(1).max(100)

/** Batches: many rows, each answered in its own folder, with results in a folder instead of chats. */
export const batch = {
  /**
   * Read the rows and plan the batch. Nothing is written. Throws `bad_input` if the batch cannot be started
   * at all.
   */
  'batch.look': call(BatchOptions, BatchPlan),
  /**
   * Start a batch, or continue the batch in its folder. If rows have checks, `agree` is the hash of all of
   * them from `batch.look`; it is the same in every host.
   */
  'batch.start': call(
    BatchOptions.extend({ agree: z.string().max(100).optional() }),
    z.object({ id: z.string() }),
  ),
  /**
   * The state of a batch now and after each change, at most a few times a second, until it is paused or has
   * ended.
   */
  'batch.watch': stream(z.object({ id }), BatchState),
  /**
   * Stop the attempts of a batch, which are repeated when the batch continues. Resolves once it has stopped.
   */
  'batch.pause': call(z.object({ id }), z.object({})),
  /**
   * Continue a paused batch with the options it was started with, in its place. The agreement to its checks
   * remains valid while they are the same. Throws `conflict` if the batch is not paused, or its checks have
   * changed.
   */
  'batch.resume': call(z.object({ id }), z.object({ id: z.string() })),
  /** The list of `batch.list` now and after each change, at most a few times a second. */
  'batch.watchList': stream(z.object({}), z.object({ batches: z.array(BatchState) })),
  /** The batches of this host, newest first. Stopped batches stay in the list for a while. */
  'batch.list': call(z.object({}), z.object({ batches: z.array(BatchState) })),
}
