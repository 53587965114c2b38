import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { readStart } from './read-start.ts'

/** Files in which projects tell agents how to work, in order of preference. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', '.cursorrules']

/**
 * The first instruction file of a workspace, cut to `limit` characters. A file that is missing, unreadable or no text
 * is passed over: a project without instructions is the usual case. So is a link that leads out of the workspace: a
 * project from elsewhere must not decide which file of this person goes to a model.
 */
export async function projectContext(
  workspace: string,
  limit: number,
): Promise<{ file: string; text: string } | undefined> {
  for (const file of NAMES) {
    const path = join(workspace, file)
    if (!(await staysInside(workspace, path))) continue
    const text = await readStart(path, limit)
    if (text !== undefined && text.trim() !== '') return { file, text }
  }
  return undefined
}

async function staysInside(folder: string, path: string): Promise<boolean> {
  try {
    const way = relative(await realpath(folder), await realpath(path))
    return !isAbsolute(way) && !/^\.\.(?=[\\/]|$)/.test(way)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false
    throw error
  }
}
