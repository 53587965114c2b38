import { basename, dirname, join, resolve } from 'node:path'
import { homedir } from 'node:os'
import { isWithin, type FolderFacts } from '../../profile.ts'
import { createLinkFollower, statOf } from '../follow-links.ts'
import { collectGitFolders } from './git-folders.ts'
import { expandPath, includesOf } from './git-includes.ts'
import { isDataKey } from './git-keys.ts'
import { isScriptName, pathsInHook, pathsInSetting } from './paths-in-settings.ts'
import { isHarmlessStep } from './harmless-git.ts'
import { isObeyedByGit } from '../obeyed-names.ts'
import { readSettings, readTextOf } from '../read-cached.ts'
import { nameOfSetting } from './read-git-config.ts'
import { allNamesIn } from '../list-closed-folder.ts'

/** The paths that git obeys in folders that a command may write to: absolute, and each only once. */
export type GitObeyed = {
  /**
   * Existing files and folders, read-only for a command that may not write them. Links are resolved. A link
   * on the way is listed too, because it could be redirected, but nothing can be mounted over it. The user's
   * own configuration comes first, then the repository around the chat.
   */
  existing: string[]
  /** Missing paths that are obeyed once they exist. Only compared, because a mount would create a file. */
  missing: string[]
  /** Files that ordinary commands write and later ones run. Only compared, like files that the user runs. */
  compared: ComparedByGit[]
}

/** A step of a rebase that starts something, or a script that a hook starts. `by`: who runs it. */
type ComparedByGit = { path: string; by: string }

/** The folders that a command may write to, with links resolved, and the user's home folder. */
export type GitPlaces = { written: readonly string[]; userHome?: string }

/** Paths in a git folder that git obeys if they exist. The rest of `.git` is checked name by name. */
const PARTS = [
  ['config', 'config.worktree', 'commondir', 'gitdir', 'info/attributes'],
  ['objects/info/alternates', 'objects/info/http-alternates'],
].flat()
/**
 * Files of unfinished operations, and the command that continues each: steps, the name of a merge program,
 * words that old versions passed to a shell.
 */
const STEPS: Readonly<Record<string, string>> = {
  'rebase-merge/git-rebase-todo': '`git rebase --continue`',
  'rebase-merge/strategy': '`git rebase --continue`',
  'sequencer/opts': '`git cherry-pick --continue`',
  BISECT_NAMES: '`git bisect`',
}
/** Hooks of git(5), for a hooks folder that is too wide to protect as a whole. */
const HOOKS =
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change'.split(
    ' ',
  )
/** Maximum number of configurations and hooks folders to read, and of files in one such folder. */
const MAX_FILES = 2_000
const MAX_NAMES = 300

/** The git folder whose configuration is read, and where its programs start. */
type Owner = { name: string; roots: ReadonlySet<string> }

/**
 * Find everything that git obeys in the folders that a command may write to: in their repositories and those
 * around, and the paths that these and the user's own configuration name. Finds too much rather than too
 * little, and trusts nothing that it reads.
 */
export function findGitObeyed(
  facts: Pick<FolderFacts, 'repositories' | 'gitFiles' | 'outerGit'>,
  { written, userHome = homedir() }: GitPlaces,
): GitObeyed {
  const [existing, missing] = [new Set<string>(), new Set<string>()]
  const compared = new Map<string, string>()
  const read = new Set<string>()
  const isWritten = (path: string) => written.some(folder => isWithin(folder, path))
  const followLinks = createLinkFollower()
  const folders = collectGitFolders(facts, written)
  const everyRoot = new Set([...written, ...folders.flatMap(({ roots }) => [...roots])])

  /** Note an obeyed path. Returns its target if that exists. */
  function note(path: string): string | undefined {
    const { end, exists, links } = followLinks(path)
    for (const link of links) if (isWritten(link)) existing.add(link)
    const target = exists ? existing : missing
    for (const each of exists ? [end] : [path, end]) if (isWritten(each) && !isTooWide(each)) target.add(each)
    return exists ? end : undefined
  }

  /** Working folders, whose parents cannot be read-only. What git folders say is ignored. */
  const places = [...written, ...facts.repositories, ...facts.gitFiles].map(path =>
    basename(path) === '.git' ? dirname(path) : path,
  )
  const isTooWide = (path: string) => places.some(place => isWithin(path, place))

  function noteHooks(path: string, owner: Owner): void {
    const { end, exists } = followLinks(path)
    const isWide = exists && isTooWide(end)
    if (isWide) for (const name of HOOKS) note(join(path, name))
    else note(path)
    if (!exists || !isFirst(end, owner)) return
    const names = allNamesIn(end).filter(
      name => HOOKS.includes(name) || !(isWide || name.endsWith('.sample')),
    )
    for (const name of names.slice(0, MAX_NAMES)) {
      const file = join(end, name)
      // A hook may be a link to a script in the folder.
      const script = statOf(file)?.isSymbolicLink() ? note(file) : file
      if (script === undefined || !HOOKS.includes(name)) continue
      for (const started of pathsInHook(readTextOf(script) ?? '', owner.roots, userHome))
        if (isFile(started) && isWritten(followLinks(started).end)) compared.set(started, 'git hooks')
    }
  }

  /** Whether a file is read for this git folder for the first time; several folders may share a file. */
  function isFirst(path: string, { name }: Owner): boolean {
    const key = `${name}\n${path}`
    if (read.has(key) || read.size > MAX_FILES) return false
    read.add(key)
    return true
  }

  /** Read a configuration and its includes, and note the paths that they name. */
  function readConfiguration(file: string, owner: Owner): void {
    if (!isFirst(file, owner)) return
    const { roots } = owner
    const settings = readSettings(file) ?? []
    for (const included of includesOf(file, settings, userHome)) {
      note(included)
      readConfiguration(included, owner)
    }
    for (const setting of settings) {
      const name = nameOfSetting(setting)
      const { value } = setting
      if (value === '' || isDataKey(name)) continue
      const meant = [...roots].map(root => resolve(root, expandPath(value, userHome)))
      if (name === 'core.hookspath') {
        for (const place of meant) noteHooks(place, owner)
        // husky starts the hooks beside its folder `_`.
        for (const place of meant) if (basename(place) === '_') noteHooks(dirname(place), owner)
      } else if (/^(init\.templatedir|core\.attributesfile)$/.test(name)) {
        for (const place of meant) note(place)
      } else for (const path of pathsInSetting(value, roots, userHome)) if (isWorthNoting(path)) note(path)
    }
  }

  /** Whether to note a path: an existing file, or a missing one that may be a script. Folders do not run. */
  const isWorthNoting = (path: string) => {
    const { end, exists } = followLinks(path)
    if (exists) return isFile(end)
    return isWritten(end) && (isScriptName(path) || !everyRoot.has(dirname(path)))
  }

  for (const file of personalConfigurations(userHome)) {
    note(file)
    readConfiguration(file, { name: '', roots: everyRoot })
  }
  for (const { path, roots } of folders) {
    for (const name of partsOf(path)) note(join(path, name))
    // Old ways to name remotes. Git creates these folders empty in each repository, where they need no mount.
    for (const name of ['branches', 'remotes'])
      if (allNamesIn(join(path, name)).length > 0) note(join(path, name))
      else if (isWritten(path)) missing.add(join(path, name))
    for (const [name, by] of Object.entries(STEPS)) {
      const file = join(path, name)
      if (isFile(file) && isWritten(file) && !isHarmlessStep(file, readTextOf(file))) compared.set(file, by)
    }
    const owner = { name: path, roots: new Set([...roots, path]) }
    noteHooks(join(path, 'hooks'), owner)
    for (const name of ['config', 'config.worktree']) readConfiguration(join(path, name), owner)
  }
  // A link named `.git` leads to a folder, most of which is git's own state.
  for (const file of facts.gitFiles)
    if (isFile(file)) note(file)
    else if (isWritten(file) && statOf(file)?.isSymbolicLink()) existing.add(file)
  return {
    existing: [...existing],
    missing: [...missing],
    compared: [...compared].filter(([path]) => !existing.has(path)).map(([path, by]) => ({ path, by })),
  }
}

/** Paths to protect in a git folder: what git always obeys, and in `.git` all but git's own state. */
function partsOf(path: string): string[] {
  if (basename(path) !== '.git') return PARTS
  const others = allNamesIn(path).filter(
    name => isObeyedByGit(name) && !/^(hooks|branches|remotes|info|objects|worktrees|modules)$/i.test(name),
  )
  return [...new Set([...PARTS, ...others])]
}

const isFile = (path: string) => statOf(path)?.isFile() ?? false

/** The paths of the user's and the computer's git configurations. */
function personalConfigurations(userHome: string): string[] {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, XDG_CONFIG_HOME } = process.env
  return [
    ...[GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM].filter(path => path !== undefined && path !== '/dev/null'),
    join(userHome, '.gitconfig'),
    join(XDG_CONFIG_HOME ?? join(userHome, '.config'), 'git/config'),
    ...['/etc', '/usr/local/etc', '/opt/homebrew/etc', '/opt/local/etc'].map(at => join(at, 'gitconfig')),
  ].filter(path => path !== undefined)
}
