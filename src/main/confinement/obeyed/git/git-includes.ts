import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { GitSetting } from './read-git-config.ts'

/** Expand a path in a git configuration: `~/x` is in the home folder, `:(optional)x` need not exist. */
export function expandPath(value: string, userHome: string): string {
  const path = value.replace(/^:\(optional\)/i, '')
  const [whole = '', name = ''] = /^~([\w.-]*)(?=\/|$)/.exec(path) ?? []
  // `~name/` may be the home of another user, which a command of this user cannot write to.
  return whole !== '' && (name === '' || name === basename(userHome))
    ? join(userHome, path.slice(whole.length))
    : path
}

/** The files included by `include.path` and `includeIf.*.path`, whether or not the condition is met now. */
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

/** The folder of a file after following links. */
function realFolder(file: string): string {
  try {
    return dirname(realpathSync(file))
  } catch {
    // The file vanished in between.
    return dirname(file)
  }
}
