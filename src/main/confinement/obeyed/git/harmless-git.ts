import { basename, dirname, join, resolve } from 'node:path'
import { isWithin } from '../../profile.ts'
import { isGitFolder, readGitFile } from '../../protect-git.ts'
import { statOf } from '../follow-links.ts'
import { firstOddSetting, isHarmlessSetting } from './git-keys.ts'
import { isObeyedByGit } from '../obeyed-names.ts'
import { readTextOf } from '../read-cached.ts'
import { nameOfSetting, readGitConfig } from './read-git-config.ts'

/** What is believed when a change is judged. */
export type KnownGit = {
  /** The git folders that were there before: `repositories` and `outerGit`. */
  known: readonly string[]
  /** The folders that the command may write to: of new git folders in them, all parts are judged one by one. */
  written: readonly string[]
}

/** Programs that merge, by the names that git has for them. */
const STRATEGIES = /^(ort|recursive|resolve|octopus|ours|subtree)$/
/** Drivers that git brings, and those of git-lfs, which is installed by the person. */
const DRIVERS: Readonly<Record<string, RegExp>> = {
  filter: /^lfs$/,
  merge: /^(lfs|text|binary|union)$/,
  diff: /^(lfs|ada|bash|bibtex|cpp|csharp|css|dts|elixir|fortran|fountain|golang|html|java|kotlin|markdown|matlab|objc|pascal|perl|php|python|ruby|rust|scheme|tex)$/,
}
/** What `git lfs install`, `git clone --filter` and bare repositories set, beside what is harmless everywhere. */
const ALSO_HARMLESS =
  /^(core\.bare=(true|false)|remote\..+\.(promisor|partialclonefilter)=.*|extensions\.partialclone=[\w-]*|filter\.lfs\.(required=true|clean="?git-lfs clean -- %f"?|smudge="?git-lfs smudge -- %f"?|process="?git-lfs filter-process"?))$/

/**
 * Whether a change of what git obeys makes it run nothing: a new repository with ordinary settings, a new worktree of a known
 * one. `before` and `after` are the texts of the file, undefined where there was none. It is called while `after` is on the disk,
 * and looks there where a `.git` file leads.
 */
export function isHarmlessGitChange(
  path: string,
  before: string | undefined,
  after: string | undefined,
  around: KnownGit,
): boolean {
  if (before === after || path.endsWith('.sample')) return true
  if (statOf(path)?.isSymbolicLink()) return false
  if (after === undefined) return isGone(path)
  const name = basename(path)
  if (name === '.git') return before === undefined && isUsualGitFile(path, after, around)
  if (name === '.gitattributes') return hasOnlyKnownDrivers(after)
  if (name === '.gitmodules') return isHarmlessModules(after)
  return isHarmlessPart(path, before, after)
}

/** What went with its whole repository is no change of it. */
function isGone(path: string): boolean {
  const git = /^(.*\/\.git)(?=\/)/.exec(path)?.[1]
  return statOf(git ?? dirname(path)) === undefined
}

function isHarmlessPart(path: string, before: string | undefined, after: string): boolean {
  const folder = dirname(path)
  const inside = /\/\.git\/(.*)$/.exec(path)?.[1]
  if (inside !== undefined && !isObeyedByGit(inside)) return isHarmlessStep(path, after)
  if (path.endsWith('/info/attributes')) return hasOnlyKnownDrivers(after)
  if (path.endsWith('/objects/info/alternates')) return isKnownObjects(dirname(folder), after)
  const isWorktreePart = basename(dirname(folder)) === 'worktrees'
  if (isWorktreePart && basename(path) === 'commondir') return after.trim() === '../..'
  if (isWorktreePart && basename(path) === 'gitdir') return leadsBack(resolve(folder, after.trim()), folder)
  if (/^config(\.worktree)?$/.test(basename(path)) && isGitFolder(folder))
    return isHarmlessConfiguration(folder, before, after)
  return false
}

/** Whether what git has begun goes on without starting anything: no `exec` in a rebase, and no program of another name that merges. */
export function isHarmlessStep(path: string, text: string | undefined): boolean {
  if (path.endsWith('/rebase-merge/git-rebase-todo'))
    return !/^[^\S\n\r\u2028\u2029]*(x|exec)(\s|$)/im.test(text ?? 'exec')
  if (path.endsWith('/rebase-merge/strategy')) return STRATEGIES.test(text?.trim() ?? '')
  if (path.endsWith('/BISECT_NAMES')) return !/[;&|`$()<>\\"]/.test((text ?? ';').replace(/'[^']*'/g, ''))
  if (!path.endsWith('/sequencer/opts')) return true
  return readGitConfig(text ?? '[x]strategy=?').every(
    ({ key, value }) => key !== 'strategy' || STRATEGIES.test(value),
  )
}

/** Whether a `.git` file leads to a folder, or is still to be written. */
const leadsBack = (file: string, folder: string) =>
  basename(file) === '.git' && (!statOf(file) || readGitFile(file) === folder)

function isHarmlessConfiguration(git: string, before: string | undefined, after: string): boolean {
  const old = new Set(readGitConfig(before ?? '').map(each => `${nameOfSetting(each)}=${each.value}`))
  const addresses = new Set(readGitConfig(before ?? '').map(nameOfSetting))
  const odd = firstOddSetting(after, (key, value) => {
    if (old.has(`${key}=${value.trim()}`)) return true
    // An address that leads elsewhere now is not what the person set.
    if (key.endsWith('url') && addresses.has(key)) return false
    if (key === 'core.worktree') return readGitFile(join(resolve(git, value.trim()), '.git')) === git
    return isHarmlessSetting(key, value) || ALSO_HARMLESS.test(`${key}=${value.trim()}`)
  })
  return odd === undefined
}

/** A `.git` file as `git worktree add` and `git submodule add` write it. */
function isUsualGitFile(file: string, text: string, { known, written }: KnownGit): boolean {
  if (!/^gitdir: [^\n]+\n?$/.test(text)) return false
  const own = resolve(dirname(file), text.slice('gitdir: '.length).replace(/\n$/, ''))
  const isJudged = (git: string) =>
    isGitFolder(git) && (known.includes(git) || written.some(folder => isWithin(folder, git)))
  if (basename(dirname(own)) === 'worktrees') {
    const back = (readTextOf(join(own, 'gitdir')) ?? '').trim()
    return isJudged(dirname(dirname(own))) && back !== '' && resolve(own, back) === file
  }
  const outer = /^(.*\/\.git)\/modules\//.exec(own)?.[1]
  if (outer === undefined || !isJudged(outer) || !isGitFolder(own)) return false
  return readGitConfig(readTextOf(join(own, 'config')) ?? '').some(
    each => nameOfSetting(each) === 'core.worktree' && resolve(own, each.value) === dirname(file),
  )
}

/** Attributes may pick drivers that some configuration names; those that git itself has start nothing. */
function hasOnlyKnownDrivers(text: string): boolean {
  const picked = text
    .split(/\r?\n/)
    .filter(line => !/^\s*#/.test(line))
    .flatMap(line => [...line.matchAll(/\s(filter|diff|merge)=(\S*)/g)])
  return picked.every(([, kind = '', driver = '']) => DRIVERS[kind]?.test(driver))
}

function isHarmlessModules(text: string): boolean {
  const odd = firstOddSetting(text, (key, value) => {
    if (!key.startsWith('submodule.')) return false
    if (key.endsWith('.url')) return isHarmlessSetting(key, value) && !/^\s*"?-/.test(value)
    if (key.endsWith('.update')) return /^(checkout|rebase|merge|none)$/.test(value.trim())
    return /\.(path|branch|ignore|shallow|fetchrecursesubmodules)$/.test(key)
  })
  return odd === undefined
}

/** Objects that are borrowed from another repository, as `git clone --shared` does. */
const isKnownObjects = (objects: string, text: string): boolean =>
  text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => resolve(objects, line))
    .every(path => basename(path) === 'objects' && isGitFolder(dirname(path)))
