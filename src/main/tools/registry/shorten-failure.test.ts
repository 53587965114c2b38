import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { shortenFailure } from './shorten-failure.ts'

const ok = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `ok ${from + at} - the garden gate opens and closes`)
const withLine = (line: string) => [...ok(0, 400), line, ...ok(401, 900), 'in 3 s'].join('\n')

test('the beginning, what failed and the end stay, and the gaps are named', () => {
  const text = `exit code 1\n${withLine('FAIL 400 - the pump: 4 bar wanted')}`
  const short = shortenFailure(text, 3_000, 'the full text is in /x')
  expect(short.length).toBeLessThanOrEqual(3_000)
  expect(short).toMatch(/^exit code 1\nok 0 - .*\nFAIL 400 - the pump: 4 bar wanted\nok 401.*\nin 3 s$/s)
  expect(short).toMatch(/\n\[… [\d,]+ characters cut, \d+ lines; the full text is in \/x …\]\n/)
  const [head = '', , tail = ''] = short.split(/\[….*…\]/)
  expect(tail.length).toBeGreaterThan(head.length)
})

test.for([
  'not ok 3 - it',
  '  ✗ saves',
  '✕ reads (3 ms)',
  'Error: no',
  'TypeError: x is not a function',
  'ERROR in ./a.ts',
  'a.ts(3,1): error TS2322: Type',
  'error[E0308]: mismatched types',
  'npm ERR! code 1',
  'panic: runtime error',
  '--- FAIL: TestIt (0.0s)',
  'FAILED tests/a.py::test_b',
  'E   assert 4 == 7',
  'Traceback (most recent call last):',
  'a.c:3:1: error: expected',
  'fatal: not a repository',
  'Segmentation fault (core dumped)',
  '3 failed, 4 passed',
  'make: *** [Makefile:3: a] Error 1',
  'bash: x: command not found',
  'java.lang.IllegalStateException: no',
])('%s counts as what failed', line => {
  expect(shortenFailure(withLine(line), 3_000, '')).toContain(`\n${line}\n`)
})

test.for(['0 errors', 'no errors', 'compiled src/error.ts', 'ok handles-errors', '0 failed'])(
  '%s is no failure',
  line => {
    // More than a few of these lines, so that none stands out.
    const lines = ok(0, 900).toSpliced(400, 5, ...Array<string>(5).fill(line))
    expect(shortenFailure(lines.join('\n'), 3_000, '')).not.toContain(line)
  },
)

test('of thousands of failures the first ones stay', () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `FAIL ${at}`).join('\n')
  const short = shortenFailure(text, 4_000, 'x')
  expect(short.length).toBeLessThanOrEqual(4_000)
  expect(short).toMatch(/^FAIL 0\n[^]*\nFAIL 4999$/)
})

test('any text is cut to the limit, and all that is left is from it', () => {
  const part = fc.constantFrom(
    'FAIL x',
    '\n',
    'Error: a',
    ' plain ',
    '🙂',
    'expected 1 got 2',
    'a'.repeat(700),
  )
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 300, maxLength: 900 }),
      fc.integer({ min: 800, max: 1_500 }),
      (parts, limit) => {
        const text = parts.join('')
        fc.pre(text.length > limit)
        const short = shortenFailure(text, limit, 'advice')
        expect(short.length).toBeLessThanOrEqual(limit)
        for (const piece of short.split(/\n?\[… [^\]]*…\]\n/))
          expect(text.toWellFormed()).toContain(piece.replaceAll('\ufffd', ''))
      },
    ),
  )
})

test.for([
  'Fehler: Datei nicht gefunden: gurke.txt',
  '错误：找不到文件',
  'mkdir: cannot create directory x: Permission denied',
  'the pump says 7 bar',
])('%s stands out among lines of another kind', line => {
  expect(shortenFailure(withLine(line), 3_000, '')).toContain(`\n${line}\n`)
})

test('what fails once is not lost behind thousands of warnings that sound like it', () => {
  const warnings = Array.from({ length: 3_000 }, (_, at) => `warning: file${at}.c: possible error: ignored`)
  const text = [...warnings, 'FATAL ERROR: the heap is gone', ...ok(0, 3_000)].join('\n')
  const short = shortenFailure(text, 4_000, '')
  expect(short).toContain('\nFATAL ERROR: the heap is gone\n')
  expect(short).toContain('warning: file0.c')
})

test('a line that stands out among times is found behind its time', () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `2026-11-28T10:00:${at}Z INFO it runs`)
  const text = lines.with(900, '2026-11-28T10:00:09Z SCHLIMM das Rohr ist gebrochen').join('\n')
  expect(shortenFailure(text, 3_000, '')).toContain('SCHLIMM')
})

test.for(['a\n', '\n', 'FAIL\n', 'x y z ', 'é€\n'])('two million characters of %j are cut', part => {
  const short = shortenFailure(part.repeat(2_000_000 / part.length), 4_000, 'x')
  expect(short.length).toBeLessThanOrEqual(4_000)
})
