import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeRandomGguf } from '../testing/gguf/random.ts'

/**
 * What holding a reply to a grammar costs: the switch at the mark of a call, and each token under the grammar
 * compared with a free one, on vocabularies of 16,384 and of 151,936 tokens. All figures of a model come from
 * one process.
 */
export async function benchGrammar(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  try {
    const base = join(folder, 'base.gguf')
    const half = join(folder, 'half.gguf')
    makeRandomGguf(base, { preset: 'base' })
    makeRandomGguf(half, { preset: 'half', type: 'Q4_0' })
    return { ...(await measure(base, 'base', 15)), ...(await measure(half, 'half', 7)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(path: string, name: string, rounds: number): Promise<Record<string, number>> {
  const script = fileURLToPath(new URL('grammar-loop.ts', import.meta.url))
  const child = fork(script, [path, name, String(rounds)], {
    // The engine's own process is started with this too.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process that was measured ended early.')
  })
  const [figures] = (await Promise.race([once(child, 'message'), ended])) as [Record<string, number>]
  return figures
}
