import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Files in which projects tell agents how to work, in order of preference. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', '.cursorrules']

/**
 * The first instruction file of a workspace, cut to `limit` characters. A file that is missing, unreadable or no text
 * is passed over: a project without instructions is the usual case.
 */
export async function projectContext(
  workspace: string,
  limit: number,
): Promise<{ file: string; text: string } | undefined> {
  for (const file of NAMES) {
    const text = await readStart(join(workspace, file), limit)
    if (text !== undefined && text.trim() !== '') return { file, text }
  }
  return undefined
}

async function readStart(path: string, limit: number): Promise<string | undefined> {
  try {
    // Asked before opening, because opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) return undefined
    await using file = await open(path, 'r')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limit * 4), 0, limit * 4, 0)
    const text = buffer.toString('utf8', 0, bytesRead)
    if (text.includes('\0')) return undefined
    return text.length > limit ? `${text.slice(0, limit)}\n[cut here: the file goes on]` : text
  } catch (error) {
    if (
      ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')
    )
      return undefined
    throw error
  }
}
