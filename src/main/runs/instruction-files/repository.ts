import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { fileErrorCode } from '../../lib/expected-errors.ts'

/**
 * The real folders whose instructions count for a chat: from the root of the repository down to the chat's
 * folder, or only that folder without a repository. Of nested repositories, such as submodules and worktrees,
 * the innermost counts. A home folder kept in git is not one repository of everything: chats below it never
 * reach the home folder, nor Talaria's own.
 */
export async function foldersDown(workspace: string, home: string): Promise<string[]> {
  const folder = await realOf(workspace)
  const ends = new Set(await Promise.all([homedir(), home].map(realOf)))
  const way: string[] = []
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder && (ends.has(at) || at === dirname(at))) return [folder]
    way.unshift(at)
    if (await isRepository(at)) return way
    if (ends.has(at) || at === dirname(at)) return [folder]
  }
}

/** Whether a folder has a `.git`: a folder, or the file of a worktree or submodule. */
async function isRepository(folder: string): Promise<boolean> {
  try {
    const found = await stat(`${folder}/.git`)
    return found.isDirectory() || found.isFile()
  } catch (error) {
    fileErrorCode(error)
    return false
  }
}

async function realOf(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    fileErrorCode(error)
    return folder
  }
}
