import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import type { LongRun } from './index.ts'

/** The suites, by package: the newer era with everything before it, and the older era. */
const SUITES = ['@modelcontextprotocol/conformance', 'conformance-older']
/**
 * Prefixes of scenarios for features that Talaria lacks: no OAuth, no questions from servers, no skills from
 * servers.
 */
const NOT_DONE = {
  oauth: 'auth/',
  elicitation: 'elicitation-',
  'more input': 'sep-2322-',
  skills: 'sep-2640-',
}
/** Time limit of a scenario, in ms. Only a scenario that hangs takes this long, even on a busy machine. */
const MOST_MS = 170_000

/** Run every client scenario of both suites against our client, and check that the supported ones pass. */
export const mcpConformance: LongRun = {
  says: 'the conformance suites of MCP run against our client, in every scenario for clients',
  rounds: 1,
  async run() {
    const counts = {
      scenarios: 0,
      passed: 0,
      ...Object.fromEntries(Object.keys(NOT_DONE).map(key => [key, 0])),
    }
    const failed: string[] = []
    for (const suite of SUITES)
      for (const scenario of scenariosIn((await conformance(suite, ['list'])).output)) {
        const { ok, output } = await runScenario(suite, scenario)
        const why = Object.entries(NOT_DONE).find(([, start]) => scenario.startsWith(start))?.[0]
        console.error(`${ok ? 'passes' : why ? `not done (${why})` : 'FAILS'}  ${suite}  ${scenario}`)
        counts.scenarios++
        if (ok) counts.passed++
        else if (why !== undefined) counts[why as keyof typeof counts]++
        else failed.push(`${suite} ${scenario}\n${output}`)
      }
    if (failed.length > 0) throw new Error(`These should pass:\n${failed.join('\n\n')}`)
    return counts
  },
}

const scenariosIn = (list: string): string[] => {
  const clients = list.split(/^Client scenarios.*$/m)[1]?.split(/\n\n/)[0] ?? ''
  return [...clients.matchAll(/^ {2}- (\S+)/gm)].map(found => found[1]!)
}

/** Run one scenario of a suite against our client. */
export function runScenario(suite: string, scenario: string): Promise<{ ok: boolean; output: string }> {
  const client = join(rootFolder(), 'testing/mcp/conformance-client.ts')
  return conformance(suite, [
    'client',
    '--command',
    `"${process.execPath}" "${client}"`,
    '--scenario',
    scenario,
    '--timeout',
    String(MOST_MS),
  ])
}

/** Run one scenario of the newer suite against the server of an address. */
export const runServerScenario = (url: string, scenario: string): Promise<{ ok: boolean; output: string }> =>
  conformance(SUITES[0]!, ['server', '--url', url, '--scenario', scenario])

/** A scenario that failed ends the program with a code other than 0. */
function conformance(suite: string, args: string[]): Promise<{ ok: boolean; output: string }> {
  const program = join(rootFolder(), 'node_modules', suite, 'dist/index.js')
  return new Promise(resolve => {
    execFile(process.execPath, [program, ...args], { timeout: MOST_MS + 5_000 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    )
  })
}
