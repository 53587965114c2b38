import { basename, dirname, join, resolve } from 'node:path'
import { isWithin } from '../../profile.ts'
import { isGitFolder, readGitFile } from '../../protect-git.ts'
import { statOf } from '../follow-links.ts'
import { firstOddSetting, isHarmlessSetting } from './git-keys.ts'
import { isObeyedByGit } from '../obeyed-names.ts'
import { readTextOf } from '../read-cached.ts'
import { nameOfSetting, readGitConfig } from './read-git-config.ts'

/** Facts that the judgement of a change relies on. */
export type KnownGit = {
  /** The git folders that existed before: `repositories` and `outerGit`. */
  known: readonly string[]
  /** The folders that the command may write to. In new git folders there, each part is judged separately. */
  written: readonly string[]
}

/** Git's built-in merge strategies. */
const STRATEGIES = /^(ort|recursive|resolve|octopus|ours|subtree)$/
/** Drivers that come with git, and those of git-lfs, which the user installs. */
const DRIVERS: Readonly<Record<string, RegExp>> = {
  filter: /^lfs$/,
  merge: /^(lfs|text|binary|union)$/,
  diff: /^(lfs|ada|bash|bibtex|cpp|csharp|css|dts|elixir|fortran|fountain|golang|html|java|kotlin|markdown|matlab|objc|pascal|perl|php|python|ruby|rust|scheme|tex)$/,
}
/** Settings of `git lfs install`, `git clone --filter` and bare repositories that are harmless too. */
const ALSO_HARMLESS =
  /^(core\.bare=(true|false)|remote\..+\.(promisor|partialclonefilter)=.*|extensions\.partialclone=[\w-]*|filter\.lfs\.(required=true|clean="?git-lfs clean -- %f"?|smudge="?git-lfs smudge -- %f"?|process="?git-lfs filter-process"?))$/

/**
 * Whether a change of an obeyed file starts nothing, such as a new repository with ordinary settings or a new
 * worktree of a known one. `before` and `after` are the texts of the file, undefined if it is missing. Called
 * while `after` is on disk, where `.git` files are followed.
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

/** Whether the file was deleted together with its whole repository. */
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

/** Whether continuing an operation of git starts nothing: no `exec` in a rebase, no custom merge program. */
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

/** Whether a `.git` file points to this folder, or is not written yet. */
const leadsBack = (file: string, folder: string) =>
  basename(file) === '.git' && (!statOf(file) || readGitFile(file) === folder)

function isHarmlessConfiguration(git: string, before: string | undefined, after: string): boolean {
  const old = new Set(readGitConfig(before ?? '').map(each => `${nameOfSetting(each)}=${each.value}`))
  const addresses = new Set(readGitConfig(before ?? '').map(nameOfSetting))
  const odd = firstOddSetting(after, (key, value) => {
    if (old.has(`${key}=${value.trim()}`)) return true
    // An existing address that changes is not the one the user set.
    if (key.endsWith('url') && addresses.has(key)) return false
    if (key === 'core.worktree') return readGitFile(join(resolve(git, value.trim()), '.git')) === git
    return isHarmlessSetting(key, value) || ALSO_HARMLESS.test(`${key}=${value.trim()}`)
  })
  return odd === undefined
}

/** Whether a `.git` file looks as `git worktree add` and `git submodule add` write it. */
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

/** Whether attributes name only known drivers. Others could be defined by some configuration. */
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

/** Whether borrowed objects belong to another repository, as with `git clone --shared`. */
const isKnownObjects = (objects: string, text: string): boolean =>
  text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => resolve(objects, line))
    .every(path => basename(path) === 'objects' && isGitFolder(dirname(path)))
