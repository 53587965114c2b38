import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import type { LongRun } from './index.ts'

/** The suites by the package that they are in: the newer era with everything before it, and the older one. */
const SUITES = ['@modelcontextprotocol/conformance', 'conformance-older']
/** Scenarios of what Talaria does not do, by how their names begin: no OAuth, no questions of servers, no skills of servers. */
const NOT_DONE = {
  oauth: 'auth/',
  elicitation: 'elicitation-',
  'more input': 'sep-2322-',
  skills: 'sep-2640-',
}
/** Only what never ends takes as long: a busy machine is no fault. */
const MOST_MS = 170_000

/** Run every scenario for clients of both suites against our client. What should pass has to. */
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
