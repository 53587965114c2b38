import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { confinedTest } from '../confinement/can-confine.ts'
import { canForward } from '../../src/main/processes/forward-port.ts'

const run = promisify(execFile)
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const OPTIONS = { maxBuffer: 50_000_000, timeout: 170_000 }

const Rounds = z.object({
  first: z.string(),
  sites: z.array(z.string()),
  escaped: z.array(z.string()),
  unanswered: z.array(z.string()),
})

/** Calls that must fail at least once for the test to be meaningful. */
const MUST_FAIL: Record<string, RegExp[]> = {
  process: [
    /^rmSync in processes\/forward-port/,
    /^fstatSync in /,
    /^readdirSync in /,
    /^kill in /,
    /^spawn in /,
  ],
  server: [/^mkdirSync in mcp\/connections\/start-program/, /^spawn in /],
  command: [/^readdirSync in commands\/left-running/, /^kill in /, /^spawn in /],
  engine: [/^fork in /],
  confine: [/^writeFileSync in confinement/, /^mkdtempSync in /, /^spawn in /],
}

for (const [scenario, wanted] of Object.entries(MUST_FAIL))
  confinedTest(
    `whatever call fails around a child, nothing ends the host, and it goes on: ${scenario}`,
    async () => {
      const parts = scenario === 'process' ? 3 : 1
      const begun = Array.from({ length: parts }, (_, part) =>
        run(process.execPath, [script('under-faults.ts'), scenario, `${part}`, `${parts}`], OPTIONS),
      )
      for (const { stdout } of await Promise.all(begun)) {
        const { first, sites, escaped, unanswered } = Rounds.parse(JSON.parse(stdout))
        expect(first).toBe('tea')
        for (const site of wanted) expect(sites).toContainEqual(expect.stringMatching(site))
        expect(escaped).toEqual([])
        expect(unanswered).toEqual([])
      }
    },
    scenario === 'process' && !canForward() ? 'It needs socat.' : '',
    test.concurrent,
  )

const Hostile = z.object({
  said: z.record(z.string(), z.string()),
  escaped: z.array(z.string()),
  after: z.string(),
  base: z.string(),
})

const isRoot = process.platform === 'linux' && userInfo().uid === 0
const setpriv = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'setpriv'))
  .find(path => existsSync(path))
/** Capabilities to drop: with them, root can write to every folder. */
const CAPABILITIES = '-dac_override,-dac_read_search'
const asPerson = (command: string[]): string[] =>
  isRoot
    ? [setpriv ?? '', `--bounding-set=${CAPABILITIES}`, `--inh-caps=${CAPABILITIES}`, ...command]
    : command

confinedTest(
  'children that do what they can to end the host fail alone, in words',
  async () => {
    const [program = '', ...args] = asPerson([process.execPath, script('hostile-children.ts')])
    const { stdout } = await run(program, args, OPTIONS)
    const { said, escaped, after, base } = Hostile.parse(JSON.parse(stdout))
    rmSync(base, { recursive: true, force: true })
    expect(escaped).toEqual([])
    expect(after).toBe('alive')
    expect(Object.keys(said).length).toBeGreaterThanOrEqual(26)
    for (const [name, outcome] of Object.entries(said)) expect([name, outcome]).toEqual([name, HOW])
  },
  !canForward() ? 'It needs socat.' : isRoot && setpriv === undefined ? 'Root is kept out of no folder.' : '',
  test.concurrent,
)

/** Each scenario ended in an expected way, or gives the reason; none threw or hung. */
const HOW = expect.stringMatching(
  /^(?:exited|stopped|not started|went on|answered|lost|hello, lost|The program .*|Commands cannot be confined now: .*)$/s,
)
