import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { GitSetting } from './read-git-config.ts'

/** A path as git's configuration may write it: `~/x` is in the home folder, `:(optional)x` need not be there. */
export function expandPath(value: string, userHome: string): string {
  const path = value.replace(/^:\(optional\)/i, '')
  const [whole = '', name = ''] = /^~([\w.-]*)(?=\/|$)/.exec(path) ?? []
  // `~name/` may be the home of another user, whom a command of this user cannot write for.
  return whole !== '' && (name === '' || name === basename(userHome))
    ? join(userHome, path.slice(whole.length))
    : path
}

/** The files that `include.path` and `includeIf.*.path` of a configuration name, whether or not a condition holds now. */
export function includesOf(file: string, settings: readonly GitSetting[], userHome: string): string[] {
  const named = settings.flatMap(({ section, key, value }) =>
    key === 'path' && /^include(if)?(\.|$)/.test(section) && value !== ''
      ? [expandPath(value, userHome)]
      : [],
  )
  return named.flatMap(path =>
    isAbsolute(path) ? [path] : [...new Set([dirname(file), realFolder(file)])].map(at => resolve(at, path)),
  )
}

/** The folder of the file that a link leads to. */
function realFolder(file: string): string {
  try {
    return dirname(realpathSync(file))
  } catch {
    // It vanished in between.
    return dirname(file)
  }
}
