import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../src/main/cli/program.ts'
import { everyCommand } from '../src/main/cli/command-line.ts'
import { Config } from '../src/main/config/schema.ts'
import { settingsOf } from '../src/main/config/settings-handlers.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { referenceFiles } from './reference.ts'
import { fromTerminal } from './reference/write-markdown.ts'

const files = referenceFiles()

test.each(Object.keys(files))('%s says what the program says', path => {
  const file = join(rootFolder(), path)
  const isFresh = existsSync(file) && readFileSync(file, 'utf8') === files[path]
  expect(isFresh ? 'fresh' : 'stale: run “npm run reference” and commit what it writes').toBe('fresh')
})

/** The sections of a document by their headings. */
function sectionsOf(text: string): Map<string, string> {
  const sections = text.split(/^#{2,4} /m).slice(1)
  return new Map(
    sections.map(section => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n'))]),
  )
}

test('every command has a section with its arguments and options', () => {
  const sections = sectionsOf(files['docs/reference/command-line.md']!)
  let count = 0
  everyCommand(createProgram(), command => {
    const names = [command.name()]
    for (let at = command.parent; at; at = at.parent) names.unshift(at.name())
    const section = sections.get(names.join(' '))
    expect(section, names.join(' ')).toContain(
      command
        .description()
        .slice(1)
        .replace(/[<*].*/s, ''),
    )
    for (const { flags, long, hidden } of command.options)
      if (!hidden && long !== '--home') expect(section, names.join(' ')).toContain(flags)
    for (const argument of command.registeredArguments)
      expect(section, names.join(' ')).toContain(argument.name())
    count += 1
  })
  expect(count).toBeGreaterThan(100)
})

test('every setting has a section with its title and its default', () => {
  const sections = sectionsOf(files['docs/reference/settings.md']!)
  const settings = settingsOf({ current: Config.parse({}), lineOf: () => undefined })
  expect(settings.length).toBeGreaterThan(60)
  for (const { path, title, standard } of settings) {
    expect(sections.get(path), path).toContain(`**${title}.**`)
    if (typeof standard === 'number') expect(sections.get(path)).toContain(`- Default: \`${standard}\``)
  }
})

test('help of the terminal becomes paragraphs, and examples become code', () => {
  const help = 'Reads a file\nof <rows>.\n\nExamples:\n  talaria a\n    --b\nAnd JSON:\n{"a":1}'
  expect(fromTerminal(help)).toBe(
    'Reads a file of \\<rows>.\n\nExamples:\n\n```text\ntalaria a\n  --b\n```\n\nAnd JSON:\n\n```text\n{"a":1}\n```',
  )
})
