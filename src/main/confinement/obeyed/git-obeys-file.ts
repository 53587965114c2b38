import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { isWithin } from '../profile.ts'
import { bareAbove, gitAbove } from './git-folders.ts'
import { findGitObeyed } from './git-obeyed.ts'
import type { Obeyed } from './obeyed-names.ts'

/**
 * Whether git obeys one file of a folder, which is there or would be written: as `obeyedByName`, but by what the repositories around
 * the file and the person's own configuration say. Paths are absolute, with links resolved. It takes about a millisecond, and finds
 * nothing of repositories elsewhere in the folder that name this file.
 */
export function obeyedByGitAt(
  folder: string,
  path: string,
  userHome: string = homedir(),
): Obeyed | undefined {
  const place = dirname(path)
  const around = { repositories: bareAbove(place), gitFiles: gitAbove(place), outerGit: [] }
  const { existing, missing, compared } = findGitObeyed(around, { written: [folder], userHome })
  if ([...existing, ...missing].some(each => isWithin(each, path))) return { tier: 1, by: 'git' }
  const script = compared.find(each => each.path === path)
  return script && { tier: 2, by: script.by }
}
