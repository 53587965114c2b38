import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../../../testing/db/a-store.ts'
import { forgetTrajectories } from './forget-trajectories.ts'
import { appendLine } from './append-lines.ts'

/** A home with training data of these lines. */
function withLines(lines: string) {
  const home = aFolder()
  const file = join(home.path, 'trajectories', 'success.jsonl')
  mkdirSync(join(home.path, 'trajectories'))
  writeFileSync(file, lines)
  return { ...home, file, read: () => readFileSync(file, 'utf8') }
}

const line = (id: string, text = '') => `${JSON.stringify({ id, text })}\n`

test('the lines of a chat go, and all others stay, however long they are', async () => {
  const long = 'x'.repeat(300_000)
  using home = withLines(line('a', long) + line('b', long) + line('a') + line('c', long) + line('b'))
  await forgetTrajectories(home.path, ['a', 'c'])
  expect(home.read()).toBe(line('b', long) + line('b'))
  expect(readdirSync(join(home.path, 'trajectories'))).toEqual(['success.jsonl'])
})

test('what is appended meanwhile stays', async () => {
  using home = withLines(line('a') + line('b'))
  const forgetting = forgetTrajectories(home.path, ['a'])
  appendLine(home.file, line('d').trim())
  await forgetting
  expect(home.read()).toBe(line('b') + line('d'))
})

test('what a crash left of a line goes, and what another program wrote stays unless it names the chat', async () => {
  using home = withLines(`${line('a')}something else\nsomething about a_chat\n{"id":"a_ch`)
  appendFileSync(home.file, 'at","text":"cut')
  await forgetTrajectories(home.path, ['a_chat'])
  expect(home.read()).toBe(`${line('a')}something else\n`)
})

test('without training data there is nothing to do', async () => {
  using home = aFolder()
  await forgetTrajectories(home.path, ['a'])
  expect(readdirSync(home.path)).toEqual([])
})
