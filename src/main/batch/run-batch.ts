import { mkdir } from 'node:fs/promises'
import { many } from '../../shared/text/amounts.ts'
import { fileErrorCode, isNoRoom, isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { BatchOptions } from '../../shared/contract/runs/batch.ts'
import type { BatchFolder } from './batch-folder.ts'
import { copyIn } from './copy-in.ts'
import { drawToolsets, type Usable } from './distributions.ts'
import type { RowAt, RowFile } from './read-rows.ts'
import { attemptName, type ResultLine } from './result-line.ts'
import type { Row } from './row.ts'
import type { AttemptEnd, AttemptTask } from './run-attempt.ts'
import type { Checked } from './run-check.ts'
import { CheckNotRun } from './run-check.ts'

/** How often an attempt is made again that broke off in the middle of an answer, before that counts as its failure. */
const MOST_BREAKS = 3

/** A picture that engines find under the hash of its attachment until it is released. */
type HeldPicture = Disposable & { attachment: Attachment }

/** What a batch works with. */
export type BatchWork = {
  options: Pick<BatchOptions, 'workers' | 'attempts' | 'budget' | 'approve' | 'tools' | 'keepFolders'>
  /** The model of rows that name none. */
  modelId: string
  rows: readonly RowAt[]
  file: Pick<RowFile, 'read' | 'folderOf' | 'imageOf'>
  folder: BatchFolder
  distribution: Usable | undefined
  attempt(task: AttemptTask, signal: AbortSignal): Promise<AttemptEnd>
  check(command: string, folder: string, signal: AbortSignal): Promise<Checked>
  /** Make of a picture what models may get, and hold it until it is released; refuses what is none. */
  holdPicture(path: string): Promise<HeldPicture | Refusal>
  /** The number of attempts at work has changed, or one has ended. */
  onChange(change: { active: number } | { line: ResultLine }): void
  now(): number
  report(error: unknown): void
}

/** Why a batch stopped before every attempt had a state, as a sentence; undefined if all have one. */
type Stopped = string | undefined

type Job = { at: RowAt; attempt: number }

/**
 * Make every attempt that has no state yet, some at a time, until all have one, the budget is used, the disk is full, or `signal`
 * aborts. Attempts in progress then end without a state, and are made again when the batch goes on.
 */
export async function runBatch(work: BatchWork, signal: AbortSignal): Promise<Stopped> {
  const { options, folder } = work
  const halt = new AbortController()
  const stop = AbortSignal.any([signal, halt.signal])
  let stopped: Stopped
  const seats = createSeats(options.workers, stop, active => work.onChange({ active }))
  let tokens = [...folder.ended.values()].reduce((sum, each) => sum + each.tokens, 0)
  const jobs = openJobs(work)

  /** Stop everything. The first reason counts. */
  function stopFor(reason: string): void {
    stopped ??= reason
    halt.abort()
  }

  /** What is left to do of attempts whose model has answered, while the next ones run already. */
  const pending = new Set<Promise<void>>()
  function later(doing: Promise<void>): void {
    const own = doing
      .catch((error: unknown) => stopFor(reasonToStop(error, work)))
      .finally(() => pending.delete(own))
    pending.add(own)
  }

  /** Make an attempt and store what came of it. Resolves once its model and its check have done their work. */
  function begin(job: Job): Promise<void> {
    const { promise: isFree, resolve } = Promise.withResolvers<void>()
    const seat = seats.reserve()
    let counted = 0
    function free(): void {
      seat.leave()
      resolve()
    }
    function answered(used: number): void {
      tokens += counted = used
      free()
    }
    async function make(): Promise<void> {
      const line = await perform(work, job, { stop, later, answered, seated: seat.take })
      if (!line) return
      tokens += line.tokens - counted
      free()
      await folder.end(line)
      work.onChange({ line })
    }
    later(make().finally(free))
    return isFree
  }

  async function worker(): Promise<void> {
    while (!stop.aborted) {
      if (options.budget !== undefined && tokens >= options.budget) {
        // Those in progress end as they would have.
        stopped ??= `The budget of ${many(options.budget, 'token')} is used. With a larger one it goes on.`
        return
      }
      if (pending.size >= MOST_PENDING * options.workers) await Promise.race(pending)
      const next = jobs.next()
      if (next.done) return
      await begin(next.value)
    }
  }

  if (await folder.isFull()) return NO_ROOM
  // One more is made ready while the others wait for their models. Not with a budget, which may be used by then.
  const atOnce = options.budget === undefined ? options.workers + 1 : options.workers
  await Promise.all(Array.from({ length: atOnce }, worker))
  // An attempt that ends leaves its folder to be removed.
  while (pending.size > 0) await Promise.all(pending)
  return stopped
}

/** How much may wait for the disk, for each worker. */
const MOST_PENDING = 8
const NO_ROOM = 'The disk is full. Free some space, and go on.'

/** A place among the attempts that work at the same time. */
type Seat = {
  /** Resolves when there is room, or everything is stopped. */
  take: () => Promise<void>
  leave(): void
}

/** Lets at most `most` attempts work at the same time, in the order in which they are ready. `onChange` gets how many do. */
function createSeats(most: number, stop: AbortSignal, onChange: (taken: number) => void) {
  let taken = 0
  const waiting: (() => void)[] = []
  function admit() {
    while (waiting.length > 0 && (taken < most || stop.aborted)) {
      taken++
      waiting.shift()!()
    }
    onChange(taken)
  }
  stop.addEventListener('abort', admit)
  return {
    reserve(): Seat {
      let seat: Promise<void> | undefined
      return {
        take: () =>
          (seat ??= new Promise(resolve => {
            waiting.push(resolve)
            admit()
          })),
        leave() {
          if (!seat) return
          seat = undefined
          taken--
          admit()
        },
      }
    },
  }
}

function reasonToStop(error: unknown, { report }: BatchWork): string {
  if (error instanceof NoRoom) return NO_ROOM
  if (error instanceof CheckNotRun) return `A check could not run: ${error.message}`
  if (error instanceof Fault) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (isNoRoom(code)) return NO_ROOM
  report(error)
  return typeof code === 'string' && /^[A-Z]/.test(code)
    ? `The folder of results cannot be written: ${code}.`
    : 'Something went wrong inside Talaria. Nothing was lost; the log has the details.'
}

class NoRoom extends Error {}

/** The attempts that have no state, row by row. */
function* openJobs({ rows, options, folder }: BatchWork): Generator<Job, undefined, void> {
  for (const at of rows)
    for (let attempt = 1; attempt <= options.attempts; attempt++)
      if (!folder.ended.has(attemptName({ key: at.key, attempt }))) yield { at, attempt }
}

type Hooks = {
  stop: AbortSignal
  later(doing: Promise<void>): void
  /** The model and the commands are done; the number of tokens used. */
  answered(tokens: number): void
  /** Resolves when the attempt may work. */
  seated(): Promise<void>
}

/** Make one attempt, again where it was broken off from outside. Returns its line, or nothing when it was stopped. */
async function perform(
  work: BatchWork,
  { at, attempt }: Job,
  { stop, later, answered, seated }: Hooks,
): Promise<ResultLine | undefined> {
  const { folder, distribution, options, modelId } = work
  const row = await work.file.read(at)
  const toolsets = distribution && drawToolsets(distribution, at.key)
  for (let breaks = 0; !stop.aborted; breaks++) {
    const begun = await folder.prepare({ key: at.key, attempt })
    let isOver = false
    let isBegun = false
    /** An attempt that was only made ready is not noted, so a stop does not cut it off. */
    async function begin(): Promise<void> {
      await seated()
      if (isBegun || stop.aborted) return
      isBegun = true
      await folder.begin({ key: at.key, attempt, try: begun.number })
    }
    try {
      const place = begun.folder
      const made = await makeAttempt(work, { row, toolsets, place, answered, seated: begin }, stop)
      // What the agent or its check wanted to write may have been lost.
      if (await folder.isFull()) throw new NoRoom()
      const end = made.cut && breaks + 1 >= MOST_BREAKS && !stop.aborted ? BROKEN : made
      if (end.cut) continue
      isOver = true
      return lineOf(end, { at, attempt, number: begun.number, row, toolsets, modelId, now: work.now })
    } finally {
      // A disk that is full may refuse this; the next start sees what was cut.
      if (!isOver && isBegun && !stop.aborted)
        await folder.cut({ key: at.key, attempt, try: begun.number }).catch(fileErrorCode)
      if (!(isOver && options.keepFolders)) later(folder.drop(begun.folder))
    }
  }
  return undefined
}

type Ended = Exclude<AttemptEnd, { cut: true }> & { reward?: number }

/** An answer broke off in the middle each time. */
const BROKEN: Ended = {
  state: 'failed',
  note: `The server broke off in the middle of the answer ${MOST_BREAKS} times.`,
  tokens: 0,
  tools: {},
  trajectory: undefined,
}

const failedBy = ({ refused }: Refusal): Ended => ({
  state: 'failed',
  note: refused,
  tokens: 0,
  tools: {},
  trajectory: undefined,
})

/** Copy in what the row names, let the model work, and check what came of it. */
async function makeAttempt(
  work: BatchWork,
  {
    row,
    toolsets,
    place,
    answered,
    seated,
  }: Pick<Hooks, 'answered' | 'seated'> & { row: Row; toolsets: string[] | undefined; place: string },
  stop: AbortSignal,
): Promise<Ended | { cut: true }> {
  const { options } = work
  const from = work.file.folderOf(row)
  const refused = from === undefined ? undefined : await copyIn(from, place)
  if (isRefusal(refused)) return failedBy(refused)
  await mkdir(place, { recursive: true })
  const image = await work.file.imageOf(row)
  const picture = typeof image === 'string' ? await work.holdPicture(image) : image
  if (isRefusal(picture)) return failedBy(picture)
  using _held = picture
  const end = await work.attempt(
    {
      prompt: row.prompt,
      modelId: row.model ?? work.modelId,
      folder: place,
      toolsets,
      approve: options.approve,
      tools: options.tools,
      picture: picture?.attachment,
      answered: row.check === undefined ? answered : () => undefined,
      seated,
    },
    stop,
  )
  if (end.cut || row.check === undefined) return end
  const checked = await work.check(row.check, place, stop)
  if (checked === 'cut') return { cut: true }
  return { ...end, reward: checked.reward, note: [end.note, checked.note].filter(Boolean).join('\n') }
}

function lineOf(
  { state, note, tokens, tools, trajectory, reward }: Ended,
  {
    at,
    attempt,
    number,
    row,
    toolsets = [],
    modelId,
    now,
  }: Job & {
    number: number
    row: Row
    toolsets: string[] | undefined
    modelId: string
    now(): number
  },
): ResultLine {
  return {
    conversations: [],
    model: row.model ?? modelId,
    completed: false,
    timestamp: new Date(now()).toISOString(),
    turns: 0,
    complexity: { toolCalls: 0, uniqueTools: 0, errors: 0 },
    ...trajectory,
    id: row.id ?? at.key,
    ...(row.image !== undefined && { image: row.image }),
    key: at.key,
    attempt,
    try: number,
    line: at.line,
    state,
    ...(note !== '' && { note }),
    ...(reward !== undefined && { reward }),
    tokens,
    toolsets,
    tools,
  }
}
