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

/** How often to repeat an attempt whose answer broke off, before that counts as a failure. */
const MOST_BREAKS = 3

/** A picture that engines find by the hash of its attachment until it is released. */
type HeldPicture = Disposable & { attachment: Attachment }

/** Everything that a batch needs. */
export type BatchWork = {
  options: Pick<BatchOptions, 'workers' | 'attempts' | 'budget' | 'approve' | 'tools' | 'keepFolders'>
  /** The model for rows that do not name one. */
  modelId: string
  rows: readonly RowAt[]
  file: Pick<RowFile, 'read' | 'folderOf' | 'imageOf'>
  folder: BatchFolder
  distribution: Usable | undefined
  attempt(task: AttemptTask, signal: AbortSignal): Promise<AttemptEnd>
  check(command: string, folder: string, signal: AbortSignal): Promise<Checked>
  /** Prepare a picture for models, and hold it until it is released. Refuses other files. */
  holdPicture(path: string): Promise<HeldPicture | Refusal>
  /** The number of active attempts has changed, or an attempt has ended. */
  onChange(change: { active: number } | { line: ResultLine }): void
  now(): number
  report(error: unknown): void
}

/** Why a batch stopped before every attempt had a state, as a sentence; undefined if all of them have one. */
type Stopped = string | undefined

type Job = { at: RowAt; attempt: number }

/**
 * Run all attempts without a state, several at a time, until none is left, the budget is used, the disk is
 * full, or `signal` aborts. Attempts in progress then end without a state, and are repeated on the next run.
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

  /** The remaining work of attempts whose model has answered, while the next attempts already run. */
  const pending = new Set<Promise<void>>()
  function later(doing: Promise<void>): void {
    const own = doing
      .catch((error: unknown) => stopFor(reasonToStop(error, work)))
      .finally(() => pending.delete(own))
    pending.add(own)
  }

  /** Run an attempt and store its outcome. Resolves once its model and its check are done. */
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
        // Attempts in progress still end normally.
        stopped ??= `The budget of ${many(options.budget, 'token')} is used up. Resume the batch with a larger budget.`
        return
      }
      if (pending.size >= MOST_PENDING * options.workers) await Promise.race(pending)
      const next = jobs.next()
      if (next.done) return
      await begin(next.value)
    }
  }

  if (await folder.isFull()) return NO_ROOM
  // Prepare one more attempt while the others wait for their models; not with a budget, which may be used up.
  const atOnce = options.budget === undefined ? options.workers + 1 : options.workers
  await Promise.all(Array.from({ length: atOnce }, worker))
  // An ended attempt still has to remove its folder.
  while (pending.size > 0) await Promise.all(pending)
  return stopped
}

/** Maximum number of attempts waiting for the disk, per worker. */
const MOST_PENDING = 8
const NO_ROOM = 'The disk is full. Free some space, and resume the batch.'

/** A slot among the attempts that work at the same time. */
type Seat = {
  /** Resolves once a slot is free, or everything is stopped. */
  take: () => Promise<void>
  leave(): void
}

/** Limit how many attempts work at the same time, in order of readiness. `onChange` gets their number. */
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
  /** The model and the commands are done. Gets the number of tokens used. */
  answered(tokens: number): void
  /** Resolves once the attempt may work. */
  seated(): Promise<void>
}

/** Run one attempt, again if something outside broke it off. Returns its line, or undefined if stopped. */
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
    /** An attempt that was only prepared is not recorded, so a stop does not cut it off. */
    async function begin(): Promise<void> {
      await seated()
      if (isBegun || stop.aborted) return
      isBegun = true
      await folder.begin({ key: at.key, attempt, try: begun.number })
    }
    try {
      const place = begun.folder
      const made = await makeAttempt(work, { row, toolsets, place, answered, seated: begin }, stop)
      // The agent or its check may have failed to write something.
      if (await folder.isFull()) throw new NoRoom()
      const end = made.cut && breaks + 1 >= MOST_BREAKS && !stop.aborted ? BROKEN : made
      if (end.cut) continue
      isOver = true
      return lineOf(end, { at, attempt, number: begun.number, row, toolsets, modelId, now: work.now })
    } finally {
      // A full disk may prevent this; the next start then sees that the attempt was cut off.
      if (!isOver && isBegun && !stop.aborted)
        await folder.cut({ key: at.key, attempt, try: begun.number }).catch(fileErrorCode)
      if (!(isOver && options.keepFolders)) later(folder.drop(begun.folder))
    }
  }
  return undefined
}

type Ended = Exclude<AttemptEnd, { cut: true }> & { reward?: number }

/** The answer broke off every time. */
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

/** Copy the row's folder, let the model work, and check the result. */
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
