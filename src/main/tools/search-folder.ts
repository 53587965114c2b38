import { readFileSync, statSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import ignore from 'ignore'
import { fileErrorCode, isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { isCredential, isEnvironmentFile } from './credential-paths.ts'
import { decodeText } from './text-file.ts'
import { withSlashes, walkFolder } from './walk.ts'

/** `target` is the real path of a folder or of one file; `glob` is empty for all files. */
export type Search = { target: string; isFile: boolean; pattern: string; glob: string }
/** One matching line; `file` is relative to the searched folder. */
export type Match = { file: string; line: number; text: string }
/** `skipped` files are binary or too big; `more` means that the search was incomplete. */
export type SearchEnd = { matches: number; files: number; searched: number; skipped: number; more: boolean }

/** Matches to show; further ones are only counted. */
export const MOST_MATCHES = 200
const MOST_IN_FILE = 50
const MOST_COUNTED = 10_000
const MOST_FILES = 50_000
const MOST_BYTES = 8_000_000
const SHOWN_LINE = 300
const DEEPEST = 64

/**
 * Search text files line by line. Binary, hidden, ignored and very large files are left out, as are files
 * with keys. `enter` is called with each file before it is searched.
 */
export function searchFolder(
  { target, isFile, pattern, glob }: Search,
  found: (match: Match) => void,
  enter: (file: string) => void = () => undefined,
): SearchEnd {
  const expression = readPattern(pattern)
  if (isRefusal(expression)) throw new SyntaxError(expression.refused)
  const folder = isFile ? dirname(target) : target
  const isWanted = globFilter(glob)
  const end: SearchEnd = { matches: 0, files: 0, searched: 0, skipped: 0, more: false }
  let shown = 0
  for (const path of isFile ? [target] : filesIn(folder)) {
    const file = withSlashes(relative(folder, path))
    if (!isWanted(file) || isCredential(path) || (isEnvironmentFile(path) && !isFile)) continue
    if (end.searched >= MOST_FILES || end.matches >= MOST_COUNTED) {
      end.more = true
      break
    }
    const text = textOf(path)
    if (text === undefined) {
      end.skipped += 1
      continue
    }
    enter(file)
    end.searched += 1
    const before = end.matches
    for (const [index, line] of text.split('\n').entries()) {
      const at = expression.exec(line)?.index
      if (at === undefined) continue
      end.matches += 1
      if (shown < MOST_MATCHES && end.matches - before <= MOST_IN_FILE) {
        shown += 1
        found({ file, line: index + 1, text: shorten(line, at) })
      }
    }
    if (end.matches > before) end.files += 1
  }
  return end
}

function* filesIn(folder: string): Generator<string> {
  for (const { path, kind } of walkFolder(folder, { depth: DEEPEST, hidden: false }))
    if (kind === 'file') yield path
}

/** Globs as in ripgrep: without a slash they match file names, and a leading `!` excludes. */
function globFilter(glob: string): (file: string) => boolean {
  if (glob.trim() === '') return () => true
  const negated = glob.startsWith('!')
  const rules = ignore().add(expandBraces(glob.replace(/^!?(\.\/)?/, '')))
  return file => rules.ignores(file) !== negated
}

/** `*.{ts,tsx}` as two globs, because `.gitignore` rules do not support braces. */
function expandBraces(glob: string): string[] {
  const braces = /\{([^{}]*)\}/
  let globs = [glob]
  while (globs.length < 64 && globs.some(each => braces.test(each))) {
    globs = globs.flatMap(each => {
      const inner = braces.exec(each)?.[1]
      return inner === undefined ? [each] : inner.split(',').map(part => each.replace(braces, () => part))
    })
  }
  return globs
}

function textOf(path: string): string | undefined {
  try {
    const stats = statSync(path)
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined
    return decodeText(readFileSync(path))?.text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}

/** Shorten a long line around its match. */
function shorten(line: string, at: number): string {
  const text = line.trimEnd()
  if (text.length <= SHOWN_LINE) return text
  const start = Math.max(0, Math.min(at - SHOWN_LINE / 3, text.length - SHOWN_LINE))
  const end = start + SHOWN_LINE
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`.toWellFormed()
}

/**
 * Parse a pattern as ripgrep does: it is case-sensitive only with a capital letter. An invalid pattern
 * returns the problem.
 */
export function readPattern(pattern: string): RegExp | Refusal {
  const inline = /^\(\?i\)/.exec(pattern)
  const body = inline ? pattern.slice(inline[0].length) : pattern
  const hasCapital = /\p{Lu}/u.test(body.replace(/\\(?:[pP]\{[^}]*\}|.)/gu, ''))
  const flags = inline || !hasCapital ? 'i' : ''
  let problem = ''
  // Without the `u` flag more spellings are valid, such as `\-` and a lone `{`.
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(body, flags + unicode)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      problem = error.message.slice(error.message.lastIndexOf(': ') + 2)
    }
  }
  const literal = pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return {
    refused: `The pattern is not a valid regular expression (${problem}). To find these characters as they are, write ${literal}`,
  }
}
