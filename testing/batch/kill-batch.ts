import { deepStrictEqual, ok } from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isFresh } from '../../scripts/freshness.mjs'
import { BatchState } from '../../src/shared/contract/runs/batch.ts'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { aBareServer } from '../host/a-host.ts'
import { askedIn, lasting, resultsIn, someRows, statisticsIn, trajectoriesIn } from './a-batch.ts'

const root = rootFolder()
const cli = join(root, 'out/main/cli.js')
/** Maximum wait before a kill after an attempt has ended, in ms. */
const LONGEST_MS = 250

/**
 * Kill the command that runs a batch repeatedly at random moments, and continue the batch each time. Throws
 * if a confirmed result is lost, changed or duplicated, or if the end differs from a run without kills.
 */
export async function killBatch(home: string, kills: number, random: () => number, count = 24) {
  // A built command starts in a third of the time.
  if (!isFresh(root)) await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts')])
  await using server = await aBareServer()
  server.reply(request => {
    const { asked, isFirst } = askedIn(request)
    const delayMs = 5
    return isFirst && asked.includes('plan')
      ? { toolCalls: [{ name: 'todo', arguments: { plan: '[ ] one\n[ ] two\n[ ] three' } }], delayMs }
      : { reasoning: 'Hm.', text: [`Answer `, `to `, asked], delayMs }
  })
  mkdirSync(home, { recursive: true })
  const entry = { id: 'kill', name: 'S', base_url: server.baseUrl, model: 'qwen3', context_tokens: 16_000 }
  const own = { plans: { plan: 60, files: 50 } }
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({ models: { servers: [entry] }, batch: { distributions: own } }),
  )
  const prompts = Array.from({ length: count }, (_, at) => ({
    prompt: at % 3 === 0 ? `Make plan ${at}` : `Question ${at % 9}`,
  }))
  using rows = someRows(prompts)
  const words = [
    '--model',
    'server:kill',
    '--distribution',
    'plans',
    '--workers',
    '3',
    '--batch-size',
    '7',
    '--json',
  ]

  /** Run until it ends, or until `untilKill` resolves. */
  async function runOnce(out: string, untilKill?: (states: AsyncIterable<BatchState>) => Promise<void>) {
    const child = spawn(process.execPath, [cli, 'batch', rows.file, '--out', out, '--home', home, ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
    let last: BatchState | undefined
    async function* states() {
      for await (const line of createInterface({ input: child.stdout })) {
        const read = BatchState.safeParse(JSON.parse(line))
        if (read.success) yield (last = read.data)
      }
    }
    if (untilKill) {
      await untilKill(states())
      child.kill('SIGKILL')
    } else for await (const _state of states()) continue
    const code = await ended
    ok(untilKill || code === 0, `The command ended with ${code}.`)
    return last
  }

  const whole = join(rows.folder, 'whole')
  await runOnce(whole)
  const wanted = trajectoriesIn(whole).map(lasting)
  let done = 0
  let unknown = 0
  let folders = 0
  while (done < kills) {
    const out = join(rows.folder, `out-${++folders}`)
    let known: ReturnType<typeof lasting>[] = []
    for (let isOver = false; !isOver && done < kills;) {
      const wait = Math.floor(random() * 3)
      const ms = random() * LONGEST_MS
      const seen = await runOnce(out, async states => {
        let first: number | undefined
        for await (const { ended } of states) {
          first ??= ended
          if (ended >= first + wait) break
        }
        await sleep(ms)
      })
      done++
      if (seen) ok(seen.ended <= count)
      // Before the first result there is no file of results.
      const now = existsSync(join(out, 'batches')) ? wholeResults(out) : []
      deepStrictEqual(now.slice(0, known.length), known, 'A result was lost or has changed.')
      ok(now.length >= (seen?.ended ?? 0), 'A result that was confirmed is not there.')
      known = now
      isOver = known.length === count
    }
    const end = await runOnce(out)
    deepStrictEqual(end?.ended, count)
    deepStrictEqual(trajectoriesIn(out).map(lasting), wanted)
    const { unknown: cut, ...counted } = statisticsIn(out)
    const { unknown: none, ...ofWhole } = statisticsIn(whole)
    deepStrictEqual(counted, ofWhole)
    deepStrictEqual(none, 0)
    unknown += Number(cut)
  }
  return { kills: done, folders, unknown, lost: 0, doubled: 0 }
}

/** The complete results in a folder. Throws if an attempt is there twice. */
function wholeResults(out: string): ReturnType<typeof lasting>[] {
  const results = resultsIn(out)
  deepStrictEqual(
    new Set(results.map(({ key, attempt }) => `${key} ${attempt}`)).size,
    results.length,
    'A result stands there twice.',
  )
  return results.map(lasting)
}
