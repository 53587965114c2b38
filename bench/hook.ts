import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resourcePath } from '../src/main/lib/disk/shipped-files.ts'
import { hookArguments } from '../src/main/other-agents/connect/claude-code.ts'
import type { Measured } from './run-parts.ts'

/**
 * How much longer the hook in Claude Code takes than a bare start of Node, at the end of a turn and at a
 * start: medians of runs that take turns.
 */
export async function benchHook(rounds = 40): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-hook-bench-'))
  try {
    const snapshot = join(folder, 'snapshot.json')
    const notes = Array.from({ length: 60 }, (_, n) => `- Note ${n}: the build of part ${n} uses pnpm.`).join(
      '\n',
    )
    const shared = { about: notes, folders: { '': notes, '/work': notes }, skills: [] }
    writeFileSync(snapshot, JSON.stringify({ v: 1, learn: true, inbox: join(folder, 'inbox'), ...shared }))
    const hook = hookArguments(resourcePath('connect/claude-code/hook.mjs'), snapshot)
    const event = { session_id: 'bench', cwd: '/home/me/site', prompt_id: 'p' }
    const start = JSON.stringify({ ...event, hook_event_name: 'SessionStart', source: 'startup' })
    const stop = JSON.stringify({ ...event, hook_event_name: 'Stop', last_assistant_message: notes })
    const times = { bare: [] as number[], start: [] as number[], stop: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.bare.push(timeNode(['-e', '0'], stop))
      times.start.push(timeNode(hook, start))
      times.stop.push(timeNode(hook, stop))
    }
    const bare = median(times.bare)
    return {
      hook_rounds: rounds,
      hook_bare_node_ms: bare,
      hook_start_ratio: median(times.start) / bare,
      hook_stop_ratio: median(times.stop) / bare,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function timeNode(args: readonly string[], input: string): number {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { input })
  const took = performance.now() - startedAt
  if (status !== 0 || stderr.length > 0) throw new Error(`It ended with ${status}: ${stderr.toString()}`)
  return took
}

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
