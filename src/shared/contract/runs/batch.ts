import { z } from 'zod'
import { call, stream } from '../../rpc.ts'

const MAX_PATH = 4_096
const path = z.string().min(1).max(MAX_PATH)

/**
 * What the attempts of a batch may do without a person. `work`: commands in *Work* without network, and changes in the folder of the
 * attempt. `reads`: only what can only read. `all`: everything but the hard limits. What else would ask is denied.
 */
export const BatchApproval = z.enum(['work', 'reads', 'all'])
export type BatchApproval = z.infer<typeof BatchApproval>

/** What a batch is started with. Paths are absolute. */
export const BatchOptions = z.object({
  /** JSON lines, one row each. */
  file: path,
  /** The folder of its results, made when it is missing. */
  out: path,
  /** The model of rows that name none; by default that of new chats. */
  modelId: z.string().min(1).max(MAX_PATH).optional(),
  runName: z.string().trim().min(1).max(200).optional(),
  workers: z.int().min(1).max(64).default(4),
  /** Attempts in one file of results. */
  batchSize: z.int().min(1).max(100_000).default(100),
  /** Attempts at each row. */
  attempts: z.int().min(1).max(1_000).default(1),
  /** Tokens of all attempts in the folder, after which none begins. */
  budget: z.int().min(1).optional(),
  /** Draw the toolsets of each row by these probabilities. */
  distribution: z.string().min(1).max(100).optional(),
  approve: BatchApproval.default('work'),
  /** False: the model is given no tools. */
  tools: z.boolean().default(true),
  /** Only the rows of one part, by their keys; `index` counts from 1. */
  shard: z.object({ index: z.int().min(1), count: z.int().min(1).max(100_000) }).optional(),
  /** Keep the folders of attempts that have ended. */
  keepFolders: z.boolean().default(false),
})
export type BatchOptions = z.infer<typeof BatchOptions>

/** A line that cannot be run, with its number, from 1. */
export const BadLine = z.object({ line: z.int(), why: z.string() })
export type BadLine = z.infer<typeof BadLine>

/** What a batch would do if it were started now. */
export const BatchPlan = z.object({
  runName: z.string(),
  /** Rows of this part, and attempts at them: all, and those that have ended already. */
  rows: z.int(),
  attempts: z.int(),
  ended: z.int(),
  /** The first bad lines, and how many more there are. */
  badLines: z.array(BadLine),
  moreBadLines: z.int(),
  /** The models of its rows, by id. */
  modelIds: z.array(z.string()),
  /** Tokens that the first requests of the open attempts read, as an estimate; each further step reads more. */
  leastTokens: z.int(),
  /** What the person should know before, one sentence each. */
  remarks: z.array(z.string()),
  /** The different checks of all rows, whole, and the hash that agrees to them; null without checks. */
  checks: z.object({ commands: z.array(z.string()), hash: z.string() }).nullable(),
})
export type BatchPlan = z.infer<typeof BatchPlan>

/**
 * How an attempt ended; nothing changes it any more. `done`: with an answer. `no_answer`: its answer is empty or void.
 * `steps_used`, `calls_unreadable`: its turn ended before it was done. `failed`: anything else.
 */
export const AttemptState = z.enum(['done', 'no_answer', 'steps_used', 'calls_unreadable', 'failed'])
export type AttemptState = z.infer<typeof AttemptState>

const Counts = z.record(AttemptState, z.int())

/** An attempt that ended while this host ran its batch. `id` is that of its row, or says its line. */
const EndedAttempt = z.object({
  id: z.string(),
  attempt: z.int(),
  state: AttemptState,
  /** Why it failed, or what its check printed; shortened, and empty where there is nothing to say. */
  note: z.string(),
  reward: z.number().nullable(),
  at: z.number(),
})
export type EndedAttempt = z.infer<typeof EndedAttempt>

/**
 * A batch of this host. `running`, or `waiting` for a server until `until`. `paused`: it can be gone on with, `text` says why it stopped.
 * `ended`: every attempt has a state.
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
  /** Attempts that an end of Talaria cut, before and now; each was followed by a new one. */
  unknown: z.int(),
  rewards: z.object({ count: z.int(), sum: z.number() }),
  tokens: z.int(),
  /** Tokens after which no further attempt begins. */
  budget: z.int().nullable(),
  workers: z.int(),
  badLines: z.int(),
  startedAt: z.number(),
  /** The last attempts that ended, newest first. */
  recent: z.array(EndedAttempt).max(10),
})
export type BatchState = z.infer<typeof BatchState>

/** Whether a batch only goes on with a larger budget. */
export const isBudgetUsed = ({ tokens, budget }: Pick<BatchState, 'tokens' | 'budget'>): boolean =>
  budget !== null && tokens >= budget

const id = z.string().min(1).max(100)

/** Batches: many rows, each answered in a folder of its own, with results in a folder and not in chats. */
export const batch = {
  /** Read the rows and say what would be done. Nothing is written. Throws `bad_input` for what cannot be started at all. */
  'batch.look': call(BatchOptions, BatchPlan),
  /**
   * Start a batch, or go on with the one in its folder. Where rows have checks, `agree` is the hash of all of them, as `batch.look` gave
   * it; it is the same in every host.
   */
  'batch.start': call(
    BatchOptions.extend({ agree: z.string().max(100).optional() }),
    z.object({ id: z.string() }),
  ),
  /** The state of a batch now and after each change, at most a few times a second, until it is paused or has ended. */
  'batch.watch': stream(z.object({ id }), BatchState),
  /** Stop its attempts, which are made again when the batch goes on. Resolves once it has stopped. */
  'batch.pause': call(z.object({ id }), z.object({})),
  /**
   * Go on with a batch that was paused, with the options it was started with. It takes the place of the paused one. The checks that were
   * agreed to still count, as long as they are the same. Throws `conflict` when it is not paused, or its checks have changed.
   */
  'batch.resume': call(z.object({ id }), z.object({ id: z.string() })),
  /** The list of `batch.list` now, and after each change of it, at most a few times a second. */
  'batch.watchList': stream(z.object({}), z.object({ batches: z.array(BatchState) })),
  /** The batches of this host, newest first; those that stopped are remembered for a while. */
  'batch.list': call(z.object({}), z.object({ batches: z.array(BatchState) })),
}
