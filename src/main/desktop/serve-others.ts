import { parseArgs } from 'node:util'
import { app } from 'electron'
import type { Host, HostOptions } from '../app/host-types.ts'
import { spawnEngine } from './engine/spawn-engine.ts'

/**
 * Return the words after `mcp serve`, if another program started the packaged app to use its server. Electron
 * must not run scripts there, so the app itself acts as the terminal. Undefined for every other launch.
 */
export function servedWords(args: readonly string[]): string[] | undefined {
  // Chromium's switches precede our words.
  const from = args.findIndex(arg => !arg.startsWith('--'))
  return from !== -1 && args[from] === 'mcp' && args[from + 1] === 'serve' ? args.slice(from + 2) : undefined
}

/** Serve the program that started this process, over stdin and stdout without a window, until it leaves. */
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
