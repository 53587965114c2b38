import { dirname, resolve } from 'node:path'
import { isWithin } from '../profile.ts'
import { pathsInHook } from './git/paths-in-settings.ts'
import { readTextOf } from './read-cached.ts'

/** Finds files that an `.envrc` sources. direnv asks again if the `.envrc` changes, but not for these. */
const SOURCED =
  /(?:^|[\s;&|({])(?:source_env_if_exists|source_env|source|\.|dotenv_if_exists|dotenv)[ \t]+("[^"\n]*"|'[^'\n]*'|[^\s;&|(){}]+)/gm
/** Commands that, without an argument, source files with fixed names. */
const FIXED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^[^\S\n\r\u2028\u2029]*dotenv(_if_exists)?[^\S\n\r\u2028\u2029]*$/m, ['.env']],
  [/^[^\S\n\r\u2028\u2029]*use[ _]flake\b/m, ['flake.nix']],
  [/^[^\S\n\r\u2028\u2029]*use[ _]nix\b/m, ['shell.nix', 'default.nix']],
  [/^[^\S\n\r\u2028\u2029]*use[ _]devenv\b/m, ['devenv.nix', 'devenv.yaml']],
]

/**
 * List the files that direnv obeys because an `.envrc` names them: sourced files and scripts that it starts.
 * Paths are absolute, and some files may not exist.
 */
export function sourcedByDirenv(root: string, files: readonly string[]): string[] {
  const found = files.filter(isEnvrc).flatMap(file => {
    const text = (readTextOf(file) ?? '').replace(/^[^\S\n\r\u2028\u2029]*#.*$/gm, '')
    const folder = dirname(file)
    const names = [...text.matchAll(SOURCED)].flatMap(([, word = '']) => {
      const plain = word.replace(/^["']|["']$/g, '').replace(/^(\$PWD|\$\{PWD\})\//, './')
      return /[$`*?]/.test(plain) ? [] : [plain]
    })
    const fixed = FIXED.flatMap(([pattern, each]) => (pattern.test(text) ? each : []))
    return [
      ...[...names, ...fixed].map(name => resolve(folder, name)),
      ...pathsInHook(text, [folder], '/nonexistent'),
    ]
  })
  return [...new Set(found)].filter(path => path !== root && isWithin(root, path))
}

const isEnvrc = (path: string) => path.endsWith('/.envrc')
