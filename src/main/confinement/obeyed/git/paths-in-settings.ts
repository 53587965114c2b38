import { isAbsolute, join, resolve } from 'node:path'
import { expandPath } from './git-includes.ts'

/** Programs that run a file named by one of their arguments. */
const INTERPRETER =
  /^(\S*\/)?((ba|z|da|k|fi|a)?sh|env|exec|source|\.|node|deno|bun|tsx|ts-node|npx|python[\d.]*|pythonw?|uv|ruby|perl|php|lua|pwsh|Rscript|awk|sed|make|just|sudo|nice|time|command)$/
/** File names that are scripts in any position. */
const SCRIPT = /\.([cm]?[jt]sx?|sh|bash|zsh|fish|py|rb|pl|php|lua|ps1|cmd|bat|exe)$/i

/** Whether a path has the name of a script. */
export const isScriptName = (path: string): boolean => SCRIPT.test(path)

/** Split a command line into words without quotes, with their role in their command. */
function wordsOf(text: string): { word: string; isFirst: boolean; afterProgram: boolean }[] {
  const found: { word: string; isFirst: boolean; afterProgram: boolean }[] = []
  for (const command of text.split(/[;&|\n`(){}]+|\$\(|(?:^|\s)(?:then|do|else|if|elif|while|!)(?=\s)/)) {
    const words = command
      .replace(/["'\\]/g, '')
      .split(/[\s<>=,]+/)
      .filter(word => word !== '')
    const at = words.findIndex(word => INTERPRETER.test(word))
    words.forEach((word, index) =>
      found.push({
        word,
        isFirst: index === 0,
        afterProgram: at >= 0 && index > at && !word.startsWith('-'),
      }),
    )
  }
  return found
}

/** Resolve a word against the starting folders, as with `$(…)/x`, `${ROOT}/x` and `$PWD/x`. */
function placesOf(word: string, roots: Iterable<string>, userHome: string): string[] {
  const plain = expandPath(word.replace(/^!+/, ''), userHome)
  const variable = /^\$\w+\/(.+)$/.exec(plain)
  const relative = variable?.[1] ?? plain
  const begins = [...roots]
  return [
    ...(isAbsolute(plain) ? [plain] : begins.map(root => resolve(root, relative))),
    // The part after `$(git rev-parse --show-toplevel)` or `${ROOT}` has been split off.
    ...(isAbsolute(plain) ? begins.map(root => join(root, plain)) : []),
  ]
}

/** Paths that the words of a setting may name as programs or scripts; most of them do not exist. */
export function pathsInSetting(value: string, roots: Iterable<string>, userHome: string): string[] {
  const words = wordsOf(value)
    .filter(
      ({ word, isFirst, afterProgram }) =>
        // A program without a folder is found in PATH.
        word.includes('/') || (!isFirst && SCRIPT.test(word)) || afterProgram,
    )
    .map(({ word }) => word)
  return [...phrasesOf(value), ...words].filter(isPlain).flatMap(word => placesOf(word, roots, userHome))
}

/** Paths that a hook may start: commands with a folder, and arguments of shells and interpreters. */
export function pathsInHook(text: string, roots: Iterable<string>, userHome: string): string[] {
  const code = text.replace(/^[^\S\n\r\u2028\u2029]*#.*$/gm, '')
  const words = wordsOf(code)
    .filter(({ word, isFirst, afterProgram }) => (isFirst ? word.includes('/') : afterProgram))
    .map(({ word }) => word)
  return words.filter(isPlain).flatMap(word => placesOf(word, roots, userHome))
}

/** Paths with blanks: the whole value, or a quoted part. */
const phrasesOf = (value: string): string[] =>
  [value, ...[...value.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single ?? '')]
    .map(phrase => phrase.trim().replaceAll('\\ ', ' '))
    .filter(phrase => / /.test(phrase) && /\//.test(phrase))

/** Whether a text looks like a path that someone wrote down. */
const isPlain = (word: string) =>
  word.length < 500 && /^[^\0\n*?"'`|;&<>(){}[\]]+$/.test(word) && /\w/.test(word)
