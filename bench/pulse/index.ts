import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectPipe } from '../../src/main/rpc/pipe.ts'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract } from '../../src/shared/contract/index.ts'
import { startOpenAiServer } from '../../testing/servers/openai-server.ts'
import { startHeadless } from '../headless.ts'
import { percentile, round } from '../measure.ts'
import type { Measured } from '../run-parts.ts'
import { cases, type Case, type CaseName } from './cases.ts'
import { openHomes, type Homes } from './homes.ts'
import { profileOptions, tellTasks } from './tell-tasks.ts'
import type { TimedCall } from './caller.ts'
import { msOf, startCaller, type Caller } from './watch-host.ts'

/**
 * How soon the host answered during long work: `p99Ms` and `worstMs` of `calls` small calls from another
 * process, and the p99 of earlier calls while the host was idle. `holds`: whether the promise of
 * ARCHITECTURE.md was kept.
 */
type Pulse = {
  case: CaseName
  p99Ms: number
  worstMs: number
  idleP99Ms: number
  calls: number
  workS: number
  holds: boolean
}

/**
 * The promise: the p99 is below `P99_MS`, or below three times the idle p99, and no call takes longer than
 * the second limit.
 */
const P99_MS = 50
const TIMES_IDLE = 3
const WORST_MS = 250
/** How long to wait before measuring an idle host: after its start it indexes and tidies. */
const SETTLING_MS = 3_000

export const caseNames = Object.keys(cases) as CaseName[]

/**
 * The built host under long work, while a window asks for the list of chats every ten milliseconds. With a
 * folder for profiles (`--profile`), Node writes a profile of each host there, which the performance tools of
 * Chrome can open, and the bench prints the longest tasks of the main thread while calls waited. They are in
 * processor time, so a busy machine hardly matters.
 */
export async function benchPulse(only?: CaseName, profiles?: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-pulse-'))
  const homes = openHomes(folder)
  const measured: Pulse[] = []
  try {
    for (const name of caseNames) {
      if (only !== undefined && only !== name) continue
      process.stderr.write(`  ${name} … `)
      const pulse = await measure(name, cases[name], homes, profiles && join(profiles, name))
      process.stderr.write(
        `p99 ${pulse.p99Ms}, worst ${pulse.worstMs}, idle p99 ${pulse.idleP99Ms} ms, ${pulse.calls} calls in ${pulse.workS} s\n`,
      )
      measured.push(pulse)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    ...Object.fromEntries(
      measured.flatMap(each => [
        [`pulse_${each.case}_p99_ms`, each.p99Ms],
        [`pulse_${each.case}_worst_ms`, each.worstMs],
        [`pulse_${each.case}_idle_p99_ms`, each.idleP99Ms],
        [`pulse_${each.case}_calls`, each.calls],
        [`pulse_${each.case}_work_s`, each.workS],
      ]),
    ),
    pulse_cases: measured.length,
    pulse_cases_that_hold: measured.filter(each => each.holds).length,
  }
}

async function measure(
  name: CaseName,
  { prepare, work }: Case,
  homes: Homes,
  profiles: string | undefined,
): Promise<Pulse> {
  const server = await startOpenAiServer()
  const home = homes.make(name, server.baseUrl)
  await prepare({ home, homes, server })
  const host = await startHeadless(home, profiles === undefined ? [] : profileOptions(profiles))
  let caller: Caller | undefined
  let calls: TimedCall[] = []
  try {
    caller = await startCaller(home)
    const channel = (await connectPipe(home))!
    const client = connectClient(contract, channel)
    await sleep(SETTLING_MS)
    // The first calls run code that is not warm yet.
    await caller.during(async () => {})
    const idle = percentile(msOf(await caller.during(async () => {})), 0.99)
    const startedAt = performance.now()
    let workMs = 0
    calls = await caller.during(async isEnough => {
      for (let n = 0; n === 0 || !isEnough(); n++) await work({ home, homes, server, client }, n)
      workMs = performance.now() - startedAt
    })
    const busy = msOf(calls)
    const p99 = percentile(busy, 0.99)
    const worst = percentile(busy, 1)
    return {
      case: name,
      p99Ms: round(p99),
      worstMs: round(worst),
      idleP99Ms: round(idle),
      calls: busy.length,
      workS: round(workMs / 1_000),
      holds: p99 <= Math.max(P99_MS, TIMES_IDLE * idle) && worst <= WORST_MS,
    }
  } finally {
    caller?.close()
    await host.stop()
    if (profiles !== undefined) process.stderr.write(`\n${tellTasks(profiles, calls, P99_MS)}`)
    await server.close()
    rmSync(home, { recursive: true, force: true })
  }
}
