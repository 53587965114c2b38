import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendLine } from './append-lines.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'talaria-lines-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('lines are appended to a file', () => {
  const path = join(folder, 'new', 'success.jsonl')
  appendLine(path, '{"a":1}')
  appendLine(path, '{"b":"ü"}')
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"b":"ü"}\n')
})

test('the exported file is readable only by its owner', context => {
  context.skip(process.platform === 'win32', 'Windows knows no such rights')
  const path = join(folder, 'new', 'success.jsonl')
  appendLine(path, '{}')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
})

test.each([
  ['behind whole lines', '{"a":1}\n{"half', '{"a":1}\n'],
  ['of a long line', `{"a":1}\n${'x'.repeat(200_000)}`, '{"a":1}\n'],
  ['in the place of the only line', 'x'.repeat(150_000), ''],
  ['just behind a step of the search', `{"a":1}\n${'x'.repeat(65_536 + 65_535)}`, '{"a":1}\n'],
  ['that is not there', '{"a":1}\n', '{"a":1}\n'],
])('the rest of an unfinished line %s is removed', (_, before, whole) => {
  const path = join(folder, 'lines.jsonl')
  writeFileSync(path, before)
  appendLine(path, '{"b":2}')
  expect(readFileSync(path, 'utf8')).toBe(`${whole}{"b":2}\n`)
})

// A file size limit simulates a full disk: part of a line fits.
test.skipIf(process.platform === 'win32')(
  'a full disk keeps complete lines, and later ones are appended',
  () => {
    const path = join(folder, 'lines.jsonl')
    const module = new URL('./append-lines.ts', import.meta.url).href
    const script = `
    const { appendLine } = await import(${JSON.stringify(module)})
    for (const size of [3000, 3000, 3000, 500]) {
      try {
        appendLine(${JSON.stringify(path)}, 'x'.repeat(size))
        process.stdout.write('whole ')
      } catch (error) {
        process.stdout.write(error.code + ' ')
      }
    }`
    const said = execFileSync(
      'bash',
      ['-c', 'ulimit -f 8 && exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    expect(said.toString()).toBe('whole whole EFBIG whole ')
    expect(
      readFileSync(path, 'utf8')
        .split('\n')
        .map(line => line.length),
    ).toEqual([3_000, 3_000, 500, 0])
  },
)

test('a failed write is reported and leaves nothing behind', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => appendLine(join(folder, 'file', 'lines.jsonl'), '{}')).toThrow(/ENOTDIR|EEXIST/)
  expect(existsSync(join(folder, 'lines.jsonl'))).toBe(false)
})
