import { parseArgs } from 'node:util'
import { app } from 'electron'
import type { Host, HostOptions } from '../app/host-types.ts'
import { spawnEngine } from './engine/spawn-engine.ts'

/**
 * The words after `mcp serve`, if another program started the packaged app to be answered: Electron may run no scripts there, so the
 * app itself stands for the terminal. Undefined for every other start.
 */
export function servedWords(args: readonly string[]): string[] | undefined {
  // Chromium's switches stand before our words.
  const from = args.findIndex(arg => !arg.startsWith('--'))
  return from !== -1 && args[from] === 'mcp' && args[from + 1] === 'serve' ? args.slice(from + 2) : undefined
}

/** Answer the program that started this, over standard input and output, without a window, until it leaves. */
export async function serveInDesktop(
  createHost: (options: HostOptions) => Promise<Host>,
  words: string[],
): Promise<void> {
  try {
    app.disableHardwareAcceleration()
    app.dock?.hide()
    await app.whenReady()
    const { mcpServe } = await import('../cli/mcp/mcp-serve.ts')
    const { values } = parseArgs({ args: words, options: { home: { type: 'string' } }, strict: false })
    await mcpServe({
      ...(typeof values.home === 'string' && { home: values.home }),
      createHost: options => createHost({ ...options, spawnEngine }),
    })
    app.exit(0)
  } catch (error) {
    console.error(error)
    app.exit(1)
  }
}
