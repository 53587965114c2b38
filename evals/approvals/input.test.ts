import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { runEval } from '../../testing/evals/run-eval.ts'

const folder = mkdtempSync(join(tmpdir(), 'talaria-approvals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'rows.jsonl')

const judge = (path: string) => runEval('approvals', [path])
const row = (given: object) =>
  JSON.stringify({
    id: 1,
    class: 'read',
    mode: 'reads',
    command: 'ls',
    expect: 'run',
    confined: 'run',
    ...given,
  })

test.concurrent.for([
  ['a file that is not there', undefined, 'cannot be read'],
  ['an empty file', '\n', 'has no rows'],
  ['no JSON', `${row({})}\nno\n`, 'Line 2'],
  ['a mode that there is not', row({ mode: 'most' }), 'Line 1 of .*: mode'],
  ['a path that leaves the folder', row({ files: { '../a': { text: '' } } }), 'a path leaves the folder'],
  ['no expectation', row({ expect: undefined }), 'Line 1 of .*: expect'],
  ['no expectation with confinement', row({ confined: undefined }), 'Line 1 of .*: confined'],
  ['no kind of what asks and runs confined', row({ expect: 'ask' }), 'Line 1 of .*: why'],
  ['a field that is no field', row({ expects: 'run' }), 'Line 1 of .*expects'],
  ['a kind that there is not', row({ kind: 'guess' }), 'Line 1 of .*no known kind'],
  [
    'rows of two kinds',
    `${row({})}\n${JSON.stringify({ id: 2, kind: 'display', text: 'a', expect: 'a' })}`,
    'Line 2',
  ],
] as const)('%s ends with 2 and is named, without a figure', async ([name, text, said], { expect }) => {
  const path = join(folder, `${name.replaceAll(' ', '-')}.jsonl`)
  if (text !== undefined) writeFileSync(path, text)
  const { code, out, said: words } = await judge(path)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(words).toMatch(new RegExp(said))
})

test.concurrent.for([
  ['--execute with what runs anyway', ['--execute', 'evals/approvals/escapes.jsonl'], '--execute is for'],
  ['--sandbox with what is only judged', ['--sandbox', 'off'], '--sandbox may be off'],
  [
    'a sandbox that there is not',
    ['--sandbox', 'of', 'evals/approvals/obeyed/fresh.jsonl'],
    '--sandbox may be off',
  ],
] as const)('%s ends with 2', async ([, args, said], { expect }) => {
  const { code, out, said: words } = await runEval('approvals', args, rootFolder())
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(words).toContain(said)
})

test('a row that is wrong ends with 1, after its line and the figures; what cannot fail is counted apart', async () => {
  writeFileSync(
    file,
    [
      row({ id: 'good' }),
      row({ id: 'asked', command: 'touch a' }),
      row({ id: 'confined', command: 'cat $(ls)', expect: 'ask', confined: 'ask' }),
      row({ id: 'any', expect: 'any', confined: 'any' }),
    ].join('\n'),
  )
  const { code, out, said } = await judge(file)
  const lines = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { id: string; right: boolean })
  expect(code).toBe(1)
  expect(lines.slice(0, -1).map(({ id, right }) => [id, right])).toEqual([
    ['good', true],
    ['asked', false],
    ['confined', false],
    ['any', true],
  ])
  expect(lines.at(-1)).toMatchObject({
    eval: 'approvals',
    figures: { rows: 4, decisions: 8, right: 3, wrong: 3, cannotFail: 2 },
  })
  expect(said).toContain('confined (on) run: cat $(ls) (it runs confined, where it can only read)')
})
