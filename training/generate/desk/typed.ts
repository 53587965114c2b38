import type { ToolResult } from '../../../src/main/tools/registry/tool.ts'
import type { Desk } from './desk.ts'

/** What a terminal answers; commands that change files do so on the desk. `outcome` says what was printed. */
export function runTyped(
  desk: Desk,
  command: string,
  outcome: { output: string; code?: number } | undefined,
): ToolResult {
  const { output = '', code = 0 } = outcome ?? {}
  const text = `exit code ${code}\n${output.trim() === '' ? '(no output)' : output.trimEnd()}`
  if (code !== 0) return { ok: false, reason: text }
  change(desk, command)
  return { ok: true, text }
}

function change({ files }: Desk, command: string): void {
  const [verb, ...words] = command.split(' ').filter(word => !/^-\w+$/.test(word))
  const [from = '', to = ''] = words.map(word => word.replace(/^['"]|['"]$/g, ''))
  const moved = [...files].filter(([path]) => path === from || path.startsWith(`${from}/`))
  if (verb === 'rm' || verb === 'rmdir') for (const [path] of moved) files.delete(path)
  if (verb !== 'mv' && verb !== 'cp') return
  for (const [path, text] of moved) {
    const target = to.endsWith('/')
      ? to + path.slice(path.lastIndexOf('/') + 1)
      : to + path.slice(from.length)
    if (verb === 'mv') files.delete(path)
    files.set(target, text)
  }
}
