import { realpath, open, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { fileErrorCode } from '../lib/expected-errors.ts'

/** File names in which projects keep instructions for agents, by priority. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', '.cursorrules']
/** What a project says about how an agent should sound. The one in Talaria's home is the identity of all chats instead. */
const SOUL = ['SOUL.md']

/** One file of a workspace for its agents. */
export type ProjectFile = { file: string; text: string }

/**
 * What a workspace says to agents: its instruction file, cut to `limit` characters, and its `SOUL.md`, which stands beside
 * it and gets a quarter of that.
 */
export async function projectFiles(workspace: string, limit: number): Promise<ProjectFile[]> {
  const found = await Promise.all([
    projectContext(workspace, limit),
    projectContext(workspace, soulLimit(limit), SOUL),
  ])
  return found.filter(each => each !== undefined)
}

/** The characters for `SOUL.md` beside an instruction file of `limit` characters. */
export const soulLimit = (limit: number): number => Math.round(limit / 4)

/**
 * The first instruction file of a workspace, cut to `limit` characters. Missing, unreadable and binary files
 * are skipped, because most projects have no instructions. Links that lead out of the workspace are skipped
 * too: a downloaded project must not choose which of the user's files a model reads.
 */
export async function projectContext(
  workspace: string,
  limit: number,
  names: readonly string[] = NAMES,
): Promise<ProjectFile | undefined> {
  for (const file of names) {
    const path = join(workspace, file)
    if (!(await staysInside(workspace, path))) continue
    const text = await readFileStart(path, limit)
    if (text !== undefined && text.trim() !== '') return { file, text }
  }
  return undefined
}

async function staysInside(folder: string, path: string): Promise<boolean> {
  try {
    const way = relative(await realpath(folder), await realpath(path))
    return !isAbsolute(way) && !/^\.\.(?=[\\/]|$)/.test(way)
  } catch (error) {
    fileErrorCode(error)
    return false
  }
}

/** The text of a file, cut to `limit` characters; undefined when it cannot be read as text. */
export async function readFileStart(path: string, limit: number): Promise<string | undefined> {
  try {
    // Check before opening, because opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) return undefined
    await using file = await open(path, 'r')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limit * 4), 0, limit * 4, 0)
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '')
    if (text.includes('\0')) return undefined
    return text.length > limit ? `${text.slice(0, limit).toWellFormed()}\n[cut here: the file goes on]` : text
  } catch (error) {
    // Any file system error means that the file cannot be read.
    fileErrorCode(error)
    return undefined
  }
}
