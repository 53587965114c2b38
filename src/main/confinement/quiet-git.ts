import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { GitPrograms } from './git-programs.ts'

/** The version of git as numbers; undefined if it is unknown. */
export type GitVersion = readonly [major: number, minor: number] | undefined

/** Read the version of the git that commands will use. */
export async function readGitVersion(): Promise<GitVersion> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'])
    const [, major, minor] = /(?<!\d)(\d+)\.(\d+)/.exec(stdout) ?? []
    return major === undefined ? undefined : [Number(major), Number(minor)]
  } catch {
    // There is no git.
    return undefined
  }
}

/** Shows a change as git would, using the arguments that git passes to external diffs. */
const PLAIN_DIFF = 'f() { diff -u --label "a/$1" --label "b/$1" "$2" "$5"; test $? -lt 2; }; f'

/** Overrides with fixed names. Sources: git-config(1), git(1). */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.sshCommand': 'false',
  'core.editor': 'false',
  'core.askPass': 'false',
  'core.alternateRefsCommand': 'false',
  'help.autocorrect': '0',
  'help.format': 'man',
  'log.showSignature': 'false',
  'gpg.program': 'false',
  'gpg.openpgp.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.ssh.defaultKeyCommand': 'false',
  'gpg.x509.program': 'false',
  'diff.ignoreSubmodules': 'all',
  'diff.submodule': 'short',
  'status.submoduleSummary': 'false',
  'submodule.recurse': 'false',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'credential.helper': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
}

/**
 * Build an environment in which git starts no program that a repository names. It overrides the configuration
 * of repositories and also applies in submodules. A `textconv` becomes `cat`, because git has no way to unset
 * it.
 */
export function quietGit(programs: GitPrograms, version: GitVersion): Record<string, string> {
  return {
    ...asConfiguration([...Object.entries(SETTINGS), ...byName(programs)], version),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    // From 2.44 on. Before, a fetch fails because of the protocol and the missing network.
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
  }
}

/** Overrides for settings in named sections. */
function byName(programs: GitPrograms): [string, string][] {
  const { filter, diff, merge, hook, submodule, man, browser, has } = programs
  return [
    ...filter.flatMap(name => [
      ...['clean', 'smudge', 'process'].map((key): [string, string] => [`filter.${name}.${key}`, '']),
      [`filter.${name}.required`, 'false'] as [string, string],
    ]),
    // Set only if some configuration sets it, because the setting itself changes how git shows a change.
    ...diff.flatMap((name): [string, string][] => [
      ...(has.textconv ? [[`diff.${name}.textconv`, 'cat'] as [string, string]] : []),
      ...(has.command ? [[`diff.${name}.command`, PLAIN_DIFF] as [string, string]] : []),
    ]),
    ...merge.map((name): [string, string] => [`merge.${name}.driver`, 'false']),
    ...hook.flatMap((name): [string, string][] => [
      [`hook.${name}.command`, 'true'],
      [`hook.${name}.enabled`, 'false'],
    ]),
    ...submodule.map((name): [string, string] => [`submodule.${name}.ignore`, 'all']),
    // `git log --help` shows a page with one of these.
    ...man.flatMap((name): [string, string][] => [
      [`man.${name}.cmd`, 'man'],
      [`man.${name}.path`, 'man'],
    ]),
    ...browser.flatMap((name): [string, string][] => [
      [`browser.${name}.cmd`, 'true'],
      [`browser.${name}.path`, 'true'],
    ]),
    ...(has.external ? [['diff.external', PLAIN_DIFF] as [string, string]] : []),
  ]
}

/** Write settings as variables. Before 2.31, git only reads the quoted list that `git -c` makes. */
function asConfiguration(
  entries: readonly (readonly [string, string])[],
  [major, minor]: NonNullable<GitVersion> = [2, 31],
): Record<string, string> {
  if (major < 2 || (major === 2 && minor < 31)) {
    const quoted = entries.map(([key, value]) => `'${`${key}=${value}`.replaceAll("'", `'\\''`)}'`)
    return { GIT_CONFIG_PARAMETERS: quoted.join(' ') }
  }
  const numbered = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { GIT_CONFIG_COUNT: `${entries.length}`, ...Object.fromEntries(numbered) }
}
