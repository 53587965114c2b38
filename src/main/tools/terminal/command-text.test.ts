import { expect, test } from 'vitest'
import { plainCommand } from './command-text.ts'

test.for([
  ['ls', 'ls'],
  ['if true; then\r\n  echo a\r\nfi\r\n', 'if true; then\n  echo a\nfi'],
  ['mkdir made\r\n', 'mkdir made'],
  ['mkdir made\r', 'mkdir made'],
  ['\uFEFFls -l\n', 'ls -l'],
  ['cat <<EOF\r\na b\r\nEOF\r\n', 'cat <<EOF\na b\nEOF'],
  ['a\r\r\nb', 'a\nb'],
  ['if true; then\r  echo a\rfi', 'if true; then\n  echo a\nfi'],
  // Between quotes it is meant, and the same after a backslash.
  ["tr -d '\r' < a", "tr -d '\r' < a"],
  ['sed "s/\r$//" a', 'sed "s/\r$//" a'],
  ['git commit -m "a\r\n\r\nb"', 'git commit -m "a\n\nb"'],
  ['echo a \\\n', 'echo a \\\n'],
  ['echo a \\\r\n  b\r\n', 'echo a \\\n  b'],
  ['\r\n', ''],
] as const)('%j becomes %j', ([given, expected]) => {
  expect(plainCommand(given)).toBe(expected)
  expect(plainCommand(expected)).toBe(expected)
})
