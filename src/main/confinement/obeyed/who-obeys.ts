import { readdirSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { homedir } from 'node:os'
import { isWithin } from '../profile.ts'
import { followLinks } from './follow-links.ts'
import { obeyedByName, type Obeyed } from './obeyed-names.ts'
import { bareAbove, gitAbove } from './git/git-folders.ts'
import { findGitObeyed } from './git/git-obeyed.ts'

/** Names in one folder that are looked at for links. */
const MAX_NAMES = 2_000

/**
 * Who obeys a file that would be written, without being asked for first (tier 1), else who runs it. `path` is absolute; what is
 * missing counts as plain. It is judged as it was named, as its links lead, and as what other names in the folder lead to it, as
 * `CLAUDE.md` often does to another file, and by what git's configuration names. Undefined for a path outside the folder, and where nobody does.
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

/** The names by which links beside a path, or beside a folder above it, lead to it; relative to the folder. */
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

/** The links in a folder whose name somebody obeys. */
function linkNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, MAX_NAMES)
      .filter(entry => entry.isSymbolicLink() && obeyedByName(entry.name) !== undefined)
      .map(({ name }) => name)
  } catch {
    // Nothing is there yet, so nothing leads there.
    return []
  }
}

/**
 * Whether git obeys one file of a folder, which is there or would be written: as `obeyedByName`, but by what the repositories around
 * the file and the person's own configuration say. Paths are absolute, with links resolved. It takes about a millisecond, and finds
 * nothing of repositories elsewhere in the folder that name this file.
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
