import { createWriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from 'node:events'
import { AttemptState } from '../../shared/contract/runs/batch.ts'
import { syncFolder, writeAtomic } from '../lib/disk/durable-files.ts'
import { letOthersRun } from '../lib/timing.ts'
import type { BatchSettings, Standing } from './batch-folder.ts'
import { ResultLine, type Ended } from './result-line.ts'

/** The files made from the results. */
const TRAJECTORIES = 'trajectories.jsonl'
const STATISTICS = 'statistics.json'

type Tally = { attempts: number; done: number; rewards: { count: number; sum: number } }

/**
 * Write `trajectories.jsonl`, in the order of the rows, and `statistics.json`. Both are rebuilt from the
 * results and replaced as a whole. Attempts in which the model wrote nothing are only counted. `lines`:
 * current line numbers by row key. Rows that are missing there keep their old number and come last.
 */
export async function writeOutputs(
  path: string,
  { ended, unknown }: Pick<Standing, 'ended' | 'unknown'>,
  settings: BatchSettings,
  lines: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const sorted = [...ended.values()].toSorted((a, b) => byPlace(a, b, lines))
  const states = Object.fromEntries(AttemptState.options.map(state => [state, 0])) as Record<
    AttemptState,
    number
  >
  const whole = emptyTally()
  const tools = new Map<string, { offered: number; calls: number; errors: number }>()
  const toolsets = new Map<string, Tally>()
  const draws = new Map<string, Tally>()
  const rows = new Set<string>()
  let tokens = 0
  await replaceFile(join(path, TRAJECTORIES), async write => {
    for await (const { line, at } of linesInOrder(sorted)) {
      rows.add(at.key)
      states[at.state]++
      tokens += at.tokens
      const result = ResultLine.parse(JSON.parse(line))
      count(whole, result)
      for (const name of result.toolsets) count(tallyOf(toolsets, name), result)
      if (settings.distribution) count(tallyOf(draws, result.toolsets.join(' ')), result)
      for (const [name, used] of Object.entries(result.tools)) {
        const known = tools.get(name) ?? { offered: 0, calls: 0, errors: 0 }
        tools.set(name, {
          offered: known.offered + 1,
          calls: known.calls + used.calls,
          errors: known.errors + used.errors,
        })
      }
      if (result.conversations.some(({ from }) => from === 'gpt')) await write(`${line}\n`)
    }
  })
  const statistics = {
    runName: settings.runName,
    model: settings.modelId,
    distribution: settings.distribution?.name ?? null,
    rows: rows.size,
    states,
    unknown,
    ...shown(whole),
    tokens,
    tools: inOrder(tools),
    toolsets: inOrder(toolsets, shown),
    draws: inOrder(draws, shown),
  }
  writeAtomic(join(path, STATISTICS), `${JSON.stringify(statistics, undefined, 2)}\n`, { mode: 0o600 })
}

function byPlace(a: Ended, b: Ended, lines: ReadonlyMap<string, number>): number {
  const [known, other] = [lines.get(a.key), lines.get(b.key)]
  const gone = Number(known === undefined) - Number(other === undefined)
  return (
    (lines.size > 0 ? gone : 0) ||
    (known ?? a.line) - (other ?? b.line) ||
    (a.key < b.key ? -1 : a.key > b.key ? 1 : a.attempt - b.attempt)
  )
}

const emptyTally = (): Tally => ({ attempts: 0, done: 0, rewards: { count: 0, sum: 0 } })

function tallyOf(all: Map<string, Tally>, name: string): Tally {
  const tally = all.get(name) ?? emptyTally()
  all.set(name, tally)
  return tally
}

function count(tally: Tally, { state, reward }: ResultLine): void {
  tally.attempts++
  if (state === 'done') tally.done++
  if (reward === undefined) return
  tally.rewards.count++
  tally.rewards.sum += reward
}

const shown = ({ attempts, done, rewards: { count: rewarded, sum } }: Tally) => ({
  attempts,
  done,
  rewarded,
  meanReward: rewarded === 0 ? null : sum / rewarded,
})

const inOrder = <T, S = T>(
  all: ReadonlyMap<string, T>,
  show: (value: T) => S = value => value as unknown as S,
) =>
  Object.fromEntries(
    [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, show(value)]),
  )

/** The result lines at these positions, which may be in many files. */
async function* linesInOrder(
  places: readonly Ended[],
): AsyncGenerator<{ line: string; at: Ended }, void, void> {
  let file: { path: string; handle: Awaited<ReturnType<typeof open>> } | undefined
  try {
    for (const at of places) {
      if (file?.path !== at.file) {
        await file?.handle.close()
        file = { path: at.file, handle: await open(at.file, 'r') }
      }
      const bytes = Buffer.alloc(at.length)
      await file.handle.read(bytes, 0, at.length, at.offset)
      yield { line: bytes.toString('utf8'), at }
      await letOthersRun()
    }
  } finally {
    await file?.handle.close()
  }
}

/** Replace a file once all pieces of its new content are written. */
async function replaceFile(
  path: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const part = `${path}.part`
  const stream = createWriteStream(part, { mode: 0o600, flush: true })
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error as Error))
  failed.catch(() => undefined)
  await Promise.race([
    failed,
    fill(async text => {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed])
    }).then(async () => {
      stream.end()
      await once(stream, 'close')
    }),
  ])
  await rename(part, path)
  syncFolder(join(path, '..'))
}
