import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { namesIn, parseJson } from '../../lib/expected-errors.ts'
import { obeyedByName, type Obeyed } from '../../confinement/obeyed/obeyed-names.ts'
import { whoObeys } from '../../confinement/obeyed/who-obeys.ts'
import { isWithin, type MayWriteObeyed } from '../../confinement/profile.ts'
import { onlyReadsConfined } from '../../shell-safety/reads/confined-reads.ts'
import type { Invocation, ParsedShell } from '../../shell-safety/shell-types.ts'
import { needOfGit, type ObeyedFile } from './obeyed-by-git.ts'
import { filesNamedToWrite, leadsOutside, type WhoObeys } from './obeyed-paths.ts'
import { findVerbRows, HOOK_INSTALLERS } from './obeyed-verbs.ts'

/** The obeyed files that a call may write: what kinds, which known files, and why. */
export type ObeyedNeed = { may: MayWriteObeyed; files: readonly ObeyedFile[]; why: readonly string[] }

/** The need of a call that writes no obeyed files. */
export const NO_NEED: ObeyedNeed = { may: 'nothing', files: [], why: [] }

/** Maximum number of files on a card. */
const MOST_NAMED = 6
/** Maximum lookups for one command line: about 1 ms for a path, 10 ms for what git would write. */
const MOST_LOOKED_UP = 300
const MOST_OF_GIT = 20
const TOO_MANY = 'it names more files than can be checked in advance'

/**
 * The obeyed files that a command line may write, by its words and by the content of the chat's folder. All
 * other obeyed files are protected while it runs, so an overlooked verb fails and writes nothing.
 */
export function obeyedByCommands(parsed: ParsedShell, workspace: string): ObeyedNeed {
  const look = lookUpOnce(workspace)
  const needs = parsed.commands
    .map(command => needOf(command, workspace, look))
    .filter(({ may }) => may !== 'nothing')
  if (look.isOver()) needs.push({ may: 'all', files: [], why: [TOO_MANY] })
  if (needs.length === 0) return NO_NEED
  const may = needs.some(need => need.may === 'all') ? 'all' : 'git'
  const known = needs.flatMap(({ files }) => files)
  return {
    may,
    files: namedOnce(known.length > 0 || may === 'git' ? known : foundIn(workspace)),
    why: [...new Set(needs.flatMap(({ why }) => why))],
  }
}

/** The disk lookups for one command line. Each is cached, and none is made beyond the limit. */
type Look = {
  whoObeys: WhoObeys
  needOfGit(command: Invocation): ReturnType<typeof needOfGit>
  isOver(): boolean
}

function lookUpOnce(workspace: string): Look {
  let isOver = false
  function once<T>(most: number, find: (key: string) => T, otherwise: T): (key: string) => T {
    const known = new Map<string, T>()
    return key => {
      if (known.has(key)) return known.get(key)!
      isOver ||= known.size === most
      if (known.size === most) return otherwise
      const found = find(key)
      known.set(key, found)
      return found
    }
  }
  const commands = new Map<string, Invocation>()
  const ofGit = once(MOST_OF_GIT, key => needOfGit(commands.get(key)!, workspace), [])
  return {
    whoObeys: once<Obeyed | undefined>(MOST_LOOKED_UP, path => whoObeys(workspace, path), undefined),
    needOfGit(command) {
      const key = JSON.stringify([command.folder, command.name, command.args.map(({ text }) => text)])
      commands.set(key, command)
      return ofGit(key)
    },
    isOver: () => isOver,
  }
}

function needOf(command: Invocation, workspace: string, look: Look): ObeyedNeed {
  if (onlyReadsConfined('', { commands: [command], simple: true, unparsed: undefined })) return NO_NEED
  const words = command.args.map(({ text }) => text)
  const named = filesNamedToWrite(command, workspace, look.whoObeys)
  const found: ObeyedNeed[] = named.map(file => ({
    may: isInGitFolder(file.path) ? 'git' : 'all',
    files: [file],
    why: [`it names ${file.path}`],
  }))
  if (command.name === 'git') found.push(...look.needOfGit(command))
  else
    for (const { need, why } of findVerbRows(command.name, words)) {
      if (need === 'git') found.push({ may: 'git', files: [], why: [why] })
      else if (need === 'tracked' || need === 'changed') found.push(...look.needOfGit(command))
      else if (
        need === 'hooks' ? installsHooks(command, words, workspace) : !leadsOutside(command, workspace)
      )
        found.push({ may: 'all', files: [], why: [why] })
    }
  const may = found.some(each => each.may === 'all') ? 'all' : found.length > 0 ? 'git' : 'nothing'
  return { may, files: found.flatMap(({ files }) => files), why: found.flatMap(({ why }) => why) }
}

const isInGitFolder = (path: string) => /(^|\/)\.git(\/|$)/i.test(path)

/** Scripts that a package manager runs on its own. */
const OWN_SCRIPTS = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]

/** Whether the package in a folder installs git hooks when its packages are installed, like husky. */
function installsHooks({ folder }: Invocation, words: readonly string[], workspace: string): boolean {
  if (words.includes('--ignore-scripts')) return false
  if (words.some(word => HOOK_INSTALLERS.test(word))) return true
  for (let at = folder; isWithin(workspace, at); at = dirname(at)) {
    const { scripts, dependencies, devDependencies } = packageIn(at)
    const texts = [
      ...OWN_SCRIPTS.map(name => recordOf(scripts)[name]).filter(text => typeof text === 'string'),
      ...Object.keys({ ...recordOf(dependencies), ...recordOf(devDependencies) }),
    ]
    if (texts.some(text => HOOK_INSTALLERS.test(text))) return true
    if (at === dirname(at)) break
  }
  return false
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function packageIn(folder: string): Record<string, unknown> {
  try {
    return recordOf(parseJson(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch {
    // This folder has no package.json.
    return {}
  }
}

/** The obeyed files at the top of a folder, listed if a command does not say which files it brings. */
const foundIn = (workspace: string): ObeyedFile[] =>
  namesIn(workspace).flatMap(path => {
    const obeyed = path === '.git' ? undefined : obeyedByName(path)
    return obeyed?.tier === 1 ? [{ path, by: obeyed.by }] : []
  })

function namedOnce(files: readonly ObeyedFile[]): ObeyedFile[] {
  // A command that names a folder such as `.vscode` means the files in it.
  const short = files.map(({ path, by }) => ({ path: path.replace(/^(\.[\w-]+)\/.*/, '$1'), by }))
  return [...new Map(short.map(file => [file.path, file])).values()].slice(0, MOST_NAMED)
}
