import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'
import { rootFolder } from '../src/main/lib/shipped-files.ts'

// Part of `npm run check`: no regular expression in the code may take time that doubles with each letter of a text. One such held
// the host for minutes on a command of 60 letters: /^(?:\w+=\S*\s*)+$/ can divide `a=a=a=;` in as many ways as it has signs.

/** Regular expressions of a source that can take exponential time, with their lines. Those that are put together from texts are not seen. */
export function exponentialPatterns(file: string, source: string): { line: number; pattern: string }[] {
  const found: { line: number; pattern: string }[] = []
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      const { reports } = analyse({ source: pattern, flags }, { reportTypes: { Move: false } })
      if (!reports.some(({ exponential }) => exponential)) return
      found.push({ line: source.slice(0, node.start).split('\n').length, pattern: `/${pattern}/${flags}` })
    },
  }).visit(parseSync(file, source).program)
  return found
}

if (process.argv[1] === import.meta.filename) {
  const root = rootFolder()
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    const file = path.replaceAll(sep, '/')
    if (/\.test\.tsx?$|\/test\//.test(file)) continue
    for (const { line, pattern } of exponentialPatterns(file, readFileSync(join(root, path), 'utf8'))) {
      console.error(`${file}:${line}: a text of few letters can hold this pattern for minutes: ${pattern}`)
      process.exitCode = 1
    }
  }
}
