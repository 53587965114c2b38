import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { analyse, type Report } from 'scslre'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { BOUNDED } from './bounded-patterns.ts'

// Part of `npm run check`: no regular expression in the code may take time that doubles with each character
// of a text. One of them blocked the host for minutes on a command of 60 characters: the ways in which
// /^(?:\w+=\S*\s*)+$/ can divide `a=a=a=;` double with each `a=`.
//
// None may start again at each character of a run either, because that takes time that grows with the square
// of the run: /\s+$/ takes 20 seconds for 100,000 blanks and a letter. Ways to mend it: /(?<!\s)\s+$/ starts
// only where the run starts; a pattern for lines starts with `^` and matches no line break; a name gets a
// longest length. Patterns that only read short texts are listed in bounded-patterns.ts.

/** A regular expression in the code, with its line. */
export type FoundPattern = { line: number; pattern: string }

/**
 * The regular expressions of a source that can take exponential time. Those that are built from texts are not
 * seen.
 */
export const exponentialPatterns = (file: string, source: string): FoundPattern[] =>
  patternsIn(file, source).flatMap(({ reports, ...found }) =>
    reports.some(({ exponential }) => exponential) ? [found] : [],
  )

/**
 * Those that start again at each character of a run, and so take time that grows with the square of its
 * length.
 */
export const quadraticPatterns = (file: string, source: string): FoundPattern[] =>
  patternsIn(file, source).flatMap(({ reports, ...found }) =>
    reports.some(({ type }) => type === 'Move') ? [found] : [],
  )

function patternsIn(file: string, source: string): (FoundPattern & { reports: readonly Report[] })[] {
  const found: (FoundPattern & { reports: readonly Report[] })[] = []
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      const { reports } = analyse({ source: pattern, flags })
      if (reports.length === 0) return
      const line = source.slice(0, node.start).split('\n').length
      found.push({ line, pattern: `/${pattern}/${flags}`, reports })
    },
  }).visit(parseSync(file, source).program)
  return found
}

if (process.argv[1] === import.meta.filename) {
  const root = rootFolder()
  const complain = (what: string) => {
    console.error(what)
    process.exitCode = 1
  }
  const listed = new Set(Object.keys(BOUNDED))
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    const file = path.replaceAll(sep, '/')
    if (/\.test\.tsx?$|\/test\//.test(file)) continue
    const source = readFileSync(join(root, path), 'utf8')
    for (const { line, pattern } of exponentialPatterns(file, source))
      complain(`${file}:${line}: a text of few letters can hold this pattern for minutes: ${pattern}`)
    const quadratic = quadraticPatterns(file, source)
    if (quadratic.length > 0 && listed.delete(file)) continue
    for (const { line, pattern } of quadratic)
      complain(`${file}:${line}: a long run of one sign can hold this pattern for seconds: ${pattern}`)
  }
  for (const file of listed) complain(`scripts/bounded-patterns.ts: nothing in ${file} needs to be listed.`)
}
