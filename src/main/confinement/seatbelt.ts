import { readOnlyFor } from './bubblewrap.ts'
import { dirname } from 'node:path'
import {
  isWithin,
  type Confinement,
  type FolderFacts,
  type HiddenPath,
  type Surroundings,
} from './profile.ts'
import { findGitObeyed } from './obeyed/git/git-obeyed.ts'

/** Everything that Seatbelt needs to know for one command. */
export type SeatbeltParts = {
  confinement: Confinement
  surroundings: Surroundings
  facts: FolderFacts
  hidden: readonly HiddenPath[]
  temporary: string
  caches: string
  gitConfig: string
  noEditor: string
}

/** System folders that *Look* commands need; real paths, because Seatbelt compares those. */
const PROGRAMS = [
  ['/usr', '/bin', '/sbin', '/System', '/Library/Developer', '/Library/Apple', '/opt'],
  ['/private/etc', '/private/var/db/timezone', '/private/var/select', '/dev', '/Applications/Xcode.app'],
].flat()

/**
 * Build a profile for `sandbox-exec -p` on macOS, which denies everything not named. Compare the profiles of
 * macOS (`/System/Library/Sandbox/Profiles`). Never tested on macOS. Later rules win, so exceptions come
 * last.
 */
export function seatbeltProfile(parts: SeatbeltParts): string {
  const { confinement, surroundings, facts, hidden, temporary, caches, gitConfig, noEditor } = parts
  const { folder, readable, given = { readable: [], writable: [] } } = surroundings
  const work = confinement.profile === 'work' ? confinement : undefined
  const rules = [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    // Reads and requests of every program at its start.
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo" "com.apple.system.logger"))',
    rule('allow file-write-data', ['/dev/null', '/dev/tty', '/dev/zero'].map(literal)),
    ...(work
      ? [
          '(allow file-read*)',
          rule(
            'allow file-write*',
            [folder, ...given.writable, temporary, caches].filter(path => path !== '/').map(subpath),
          ),
          rule('deny file-read* file-write*', hidden.map(matcher)),
          rule(
            'allow file-read*',
            [folder, caches, gitConfig, noEditor, ...readable, ...given.readable, ...facts.outerGit].map(
              subpath,
            ),
          ),
          rule('allow file-write*', [caches].map(subpath)),
        ]
      : [
          rule('allow file-read*', [...PROGRAMS, folder, noEditor, ...facts.outerGit].map(subpath)),
          '(allow file-read* (literal "/"))',
        ]),
    rule(
      'deny file-read* file-write*',
      hidden.filter(({ path }) => path !== folder && isWithin(folder, path)).map(matcher),
    ),
    rule('deny file-read* file-write*', facts.hidden.map(matcher)),
    ...(work?.obeyed === 'nothing'
      ? protectGit(facts, [folder, ...given.writable], surroundings.userHome)
      : []),
    rule('deny file-write*', work ? readOnlyFor(facts, work.obeyed).map(subpath) : []),
    work?.network
      ? '(allow network* system-socket)\n(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd" "com.apple.trustd.agent"))'
      : '(deny network*)',
  ]
  return `${rules.filter(text => text !== '').join('\n')}\n`
}

/** Protect what git obeys. Seatbelt compares paths, so this also protects missing files. */
function protectGit(facts: FolderFacts, written: readonly string[], userHome: string): string[] {
  const { existing, missing } = findGitObeyed(facts, { written, userHome })
  const kept = [...existing, ...missing]
  const parents = (path: string): string[] =>
    written.includes(dirname(path)) || dirname(path) === path
      ? []
      : [dirname(path), ...parents(dirname(path))]
  return [
    rule('deny file-write*', kept.map(subpath)),
    // Renaming the folder would remove the protection.
    rule(
      'deny file-write-unlink',
      [...new Set([...facts.repositories, ...kept.flatMap(parents)])].map(literal),
    ),
  ]
}

function rule(action: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${action}\n  ${filters.join('\n  ')})`
}

const quoted = (path: string) => `"${path.replace(/["\\]/g, '\\$&')}"`
const literal = (path: string) => `(literal ${quoted(path)})`
const subpath = (path: string) => `(subpath ${quoted(path)})`
const matcher = ({ path, kind }: HiddenPath) => (kind === 'file' ? literal(path) : subpath(path))
