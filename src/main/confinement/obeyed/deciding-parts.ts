import { createHash } from 'node:crypto'
import { parseJson } from '../../lib/expected-errors.ts'

/** The named parts of a file that decide what runs. A file that counts as a whole has one unnamed part. */
export type Parts = ReadonlyMap<string, string>

/** Files in which only some parts count. Paths are in lower case and begin with a slash. */
const TABLE: readonly (readonly [pattern: RegExp, read: (text: string) => Parts])[] = [
  // A driver is a program, but only the configuration can define one.
  [/\/\.gitattributes$/, linesThat(/\b(filter|diff|merge)\s*=/)],
  [
    /\/package\.json$/,
    jsonFields([
      'scripts',
      'bin',
      'husky',
      'lint-staged',
      'simple-git-hooks',
      'nano-staged',
      'gitHooks',
      'pre-commit',
      // Other fields that name programs, or files that tools load.
      'packageManager',
      'pnpm',
      'jest',
      'babel',
      'eslintConfig',
      'prettier',
      'mocha',
      'ava',
      'nyc',
      'stylelint',
      'commitlint',
      'release',
    ]),
  ],
  [/\/tsconfig(\.[\w-]+)?\.json$/, linesThat(/"(plugins|extends|require|ts-node|transform)"\s*:/)],
  [/\/composer\.json$/, jsonFields(['scripts'])],
  [/\/deno\.json$/, jsonFields(['tasks'])],
  [
    /\/pyproject\.toml$/,
    sections(
      /^(build-system|project\.(gui-)?scripts|project\.entry-points\b.*|tool\.(pytest|tox|nox|poe|taskipy|rye\.scripts|pixi\.tasks|pdm\.(scripts|build)|hatch\.(build|envs)|poetry\.(scripts|build)|setuptools\.cmdclass)\b.*)$/,
    ),
  ],
  [/\/setup\.cfg$/, sections(/^(options\.entry_points|tool:pytest|aliases|build.*|global)$/)],
  [/\/cargo\.toml$/, linesThat(/^\s*(build|links|proc-macro|plugin|runner|linker)\s*=/)],
  [/\/gemfile$/, linesThat(/^(?!\s*(gem|source|ruby|group|end|#)\b|\s*(#|$))/)],
]

const rowFor = (path: string) => {
  const lower = `/${path.toLowerCase()}`
  return TABLE.find(([pattern]) => pattern.test(lower))
}

/** Whether only parts of a file count, so that it may be written and is judged afterwards. */
export const isJudgedByContent = (path: string): boolean => rowFor(path) !== undefined

/** Extract the parts of a text that decide what runs; may be empty. The path is relative to the folder. */
export const decidingParts = (path: string, text: string): Parts => rowFor(path)?.[1](text) ?? whole(text)

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')
const whole = (text: string): Parts => new Map([['', hashOf(text)]])
const joined = (lines: readonly string[]): Parts => (lines.length === 0 ? new Map() : whole(lines.join('\n')))

function linesThat(pattern: RegExp) {
  return (text: string): Parts => joined(text.split(/\r?\n/).filter(line => pattern.test(line)))
}

/** The sections of a TOML or INI file whose names match. */
function sections(name: RegExp) {
  return (text: string): Parts => {
    let isMeant = false
    const lines = text.split(/\r?\n/).filter(line => {
      const header = /^\s*\[{1,2}([^\]]+)\]/.exec(line)?.[1]
      if (header !== undefined) isMeant = name.test(header.replaceAll(/["'\s]/g, ''))
      return isMeant && !/^\s*(#|$)/.test(line)
    })
    return joined(lines)
  }
}

const ELSEWHERE = /^(file|link|portal|git|https?|ssh|github|gitlab|bitbucket)[:+]|^\.{0,2}\/|^[\w-]+\//

function jsonFields(fields: readonly string[]) {
  return (text: string): Parts => {
    const json = parseJson(text)
    // A less strict program may be able to parse this.
    if (typeof json !== 'object' || json === null) return whole(text)
    const parts = new Map<string, string>()
    for (const [field, value] of Object.entries(json)) {
      // A package that is not from the registry may be a local folder whose scripts run on installation.
      if (/dependencies$/i.test(field))
        for (const [name, from] of Object.entries(Object(value)))
          if (typeof from === 'string' && ELSEWHERE.test(from)) parts.set(`${field}.${name}`, hashOf(from))
      if (!fields.includes(field)) continue
      if (typeof value !== 'object' || value === null) parts.set(field, hashOf(JSON.stringify(value)))
      else
        for (const [name, each] of Object.entries(value))
          parts.set(`${field}.${name}`, hashOf(JSON.stringify(each)))
    }
    return parts
  }
}

/** The names of parts that differ, sorted. */
export const differingParts = (before: Parts, after: Parts): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter(name => before.get(name) !== after.get(name))
    .toSorted()

/**
 * Return what runs differently after a change of a file, such as “`npm test`”; undefined if nothing does,
 * such as after a new version number. `before` is undefined for a new file.
 */
export function whoRunsChanged(
  path: string,
  [before, after]: readonly [string | undefined, string],
  by: string,
): string | undefined {
  const were = before === undefined ? new Map<string, string>() : decidingParts(path, before)
  const names = differingParts(were, decidingParts(path, after))
  return names.length === 0 ? undefined : runnersOf(path, names, by)
}

const MOST_NAMED = 3
const HOOK_FIELDS = new Set([
  'husky',
  'lint-staged',
  'simple-git-hooks',
  'nano-staged',
  'gitHooks',
  'pre-commit',
])
const BY_INSTALL = new Set([
  'preinstall',
  'install',
  'postinstall',
  'prepare',
  'prepublish',
  'preprepare',
  'postprepare',
])
const SHORT = new Set(['test', 'start', 'stop', 'restart'])

/** Return what runs the changed parts of a file, such as “`npm test`”; `by` if no part has a telling name. */
export function runnersOf(path: string, names: readonly string[], by: string): string {
  if (!/(^|\/)package\.json$/i.test(path)) return by
  const runners = names.map(name => {
    const field = name.split('.', 1)[0]
    const script = name.slice(name.indexOf('.') + 1)
    if (field === 'bin') return 'its programs'
    if (/dependencies$/i.test(field ?? '')) return '`npm install`'
    if (field !== 'scripts') return HOOK_FIELDS.has(field ?? '') ? 'git hooks' : by
    const plain = script.replace(/^(pre|post)(?=test$|start$|stop$|restart$|build$)/, '')
    if (BY_INSTALL.has(script)) return '`npm install`'
    return SHORT.has(plain) ? `\`npm ${plain}\`` : `\`npm run ${plain}\``
  })
  const each = [...new Set(runners)]
  return each.length > MOST_NAMED
    ? `${each.slice(0, MOST_NAMED).join(', ')} and others`
    : each.join(', ') || by
}
