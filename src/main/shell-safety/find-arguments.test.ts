import { expect, test } from 'vitest'
import { parseShell } from './parse/parse-shell.ts'
import { narrowingOf } from './find-arguments.ts'

const narrowing = (command: string) =>
  narrowingOf(parseShell(command, '/home/ada/notes', '/home/ada').commands[0]!.args)

test.each([
  ["find . -name '[ab]name*'", 'names'],
  ["find . -name '[ab]*'", 'none'],
  // After an unclosed bracket, it is unclear which files are meant.
  ["find . -name '[[[name*'", 'none'],
])('%s selects by %s', (command, by) => {
  expect(narrowing(command)).toBe(by)
})
