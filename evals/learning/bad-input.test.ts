import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runEval } from '../../testing/evals/run-eval.ts'

const folder = mkdtempSync(join(tmpdir(), 'talaria-eval-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runLearning = (...args: string[]) => runEval('learning', args)

function fileWith(name: string, ...rows: string[]): string {
  writeFileSync(join(folder, name), rows.join('\n'))
  return join(folder, name)
}

const GOOD = '{"id": "a", "turns": [{"user": "Hello."}], "expect": {"trigger": null}}'

test.each<[string, () => string[], string]>([
  ['a file that is not there', () => ['--only', join(folder, 'none.jsonl')], 'cannot be read'],
  ['a broken row', () => ['--only', fileWith('broken.jsonl', GOOD, '{"id": "b",')], 'Line 2 of'],
  ['a row of something else', () => ['--only', fileWith('other.jsonl', '{"name": "b"}')], 'is no row: id'],
  [
    'a case without an expectation',
    () => ['--only', fileWith('open.jsonl', '{"id": "b", "turns": [{"user": "Hello."}]}')],
    'is no row: expect',
  ],
  [
    'an expectation that leaves open whether there is a review',
    () => ['--only', fileWith('vague.jsonl', '{"id": "b", "turns": [{"user": "Hello."}], "expect": {}}')],
    'is no row: expect.trigger',
  ],
  [
    'a case without turns',
    () => ['--only', fileWith('mute.jsonl', GOOD.replace('{"user": "Hello."}', ''))],
    'turns',
  ],
  ['an empty file', () => ['--only', fileWith('empty.jsonl', '')], 'has no rows'],
  ['no file at all', () => ['--only'], 'There are no cases'],
  ['a name that no case has', () => ['--case', 'nobody-has-this'], 'whose id holds “nobody-has-this”'],
  ['two cases of one name', () => ['--only', fileWith('twice.jsonl', GOOD, GOOD)], 'Two cases are called a'],
  ['a server without the name of a model', () => ['--server', 'http://127.0.0.1:9/v1'], '--server-model'],
  ['an address that is none', () => ['--server', 'nowhere', '--server-model', 'x'], 'no address'],
  [
    'a server that is not there',
    () => ['--server', 'http://127.0.0.1:1/v1', '--server-model', 'x'],
    'The model is not there',
  ],
  ['a model file that is not there', () => ['--model', join(folder, 'none.gguf')], 'The model is not there'],
  ['a way that is none', () => ['--way', 'sideways'], '--way is chat or events'],
  ['an option that is none', () => ['--fast'], 'Usage'],
])('%s is named, and no figure is printed', async (_, args, says) => {
  const run = await runLearning(...args())
  expect(run).toMatchObject({ code: 2, out: '' })
  expect(run.said).toContain(says)
})

test('a run that is not as it should be ends with 1, after its figures', async () => {
  const wrong = GOOD.replace('null', '"memory_nudge"')
  const { code, out } = await runLearning('--only', fileWith('wrong.jsonl', wrong))
  const [row, figures] = out.trim().split('\n')
  expect(code).toBe(1)
  expect(JSON.parse(row!)).toMatchObject({ id: 'a', wrong: ['trigger: null instead of "memory_nudge"'] })
  expect(JSON.parse(figures!)).toEqual({
    eval: 'learning',
    figures: { runs: 1, asTheyShouldBe: 0, failed: 1, other: 0 },
  })
})
