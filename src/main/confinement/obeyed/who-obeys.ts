import { readdirSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { homedir } from 'node:os'
import { isWithin } from '../profile.ts'
import { followLinks } from './follow-links.ts'
import { obeyedByName, type Obeyed } from './obeyed-names.ts'
import { bareAbove, gitAbove } from './git/git-folders.ts'
import { findGitObeyed } from './git/git-obeyed.ts'

/** Maximum number of names in one folder to check for links. */
const MAX_NAMES = 2_000

/**
 * Return which program obeys a file without being asked (tier 1), else which one runs it (tier 2). `path` is
 * absolute; a missing file counts as a plain one. Considers its given name, its real path, links in the
 * folder that lead to it, as `CLAUDE.md` often does, and git's configuration. Undefined if no program does,
 * or outside the folder.
 */
export function whoObeys(folder: string, path: string): Obeyed | undefined {
  const root = followLinks(folder).end
  const real = followLinks(path).end
  const names = [posix.normalize(path), real].flatMap(each =>
    [folder, root].filter(at => isWithin(at, each)).map(at => relative(at, each)),
  )
  if (isWithin(root, real)) names.push(...linksTo(root, real))
  const found = names.flatMap(name => obeyedByName(name.replaceAll('\\', '/')) ?? [])
  const byName = found.find(({ tier }) => tier === 1)
  if (byName || !isWithin(root, real)) return byName ?? found[0]
  const byGit = obeyedByGitAt(root, real)
  return byGit?.tier === 1 ? byGit : (found[0] ?? byGit)
}

/** Find links that lead to a path, beside it or beside a folder above it. Names are relative to the root. */
function linksTo(root: string, path: string): string[] {
  const found: string[] = []
  for (let at = dirname(path); isWithin(root, at); at = dirname(at)) {
    for (const name of linkNames(at)) {
      const real = followLinks(join(at, name)).end
      if (isWithin(real, path)) found.push(join(relative(root, at), name, relative(real, path)))
    }
    if (at === dirname(at)) break
  }
  return found
}

/** The links in a folder whose own names are obeyed. */
function linkNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, MAX_NAMES)
      .filter(entry => entry.isSymbolicLink() && obeyedByName(entry.name) !== undefined)
      .map(({ name }) => name)
  } catch {
    // The folder does not exist yet, so it has no links.
    return []
  }
}

/**
 * Return whether git obeys a file of a folder, which may not exist yet, according to the repositories around
 * it and the user's own configuration. Paths are absolute, with links resolved. Takes about a millisecond,
 * and misses repositories elsewhere in the folder that name this file.
 * @internal
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
