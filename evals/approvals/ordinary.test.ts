import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readRow, type Row } from './row.ts'
import { openStage } from './stage.ts'

/** `expect`: part of the output. `git`: the folder is a repository with two commits. `needs`: a program that may be missing. */
type Ordinary = Row & { expect: string; git?: boolean; needs?: string }
const rows = readFileSync(new URL('ordinary.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => ({ ...JSON.parse(line), ...(readRow(line) as Row) }) as Ordinary)

// A stage tells whatever changes on it, so each of the commands that run at once has its own.
const stages = await Promise.all(Array.from({ length: 4 }, openStage))
afterAll(async () => {
  for (const stage of stages) await stage[Symbol.asyncDispose]()
})
const free = [...stages]
const waiting: ((stage: Stage) => void)[] = []

type Stage = (typeof stages)[number]

async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = free.pop() ?? (await new Promise<Stage>(resolve => waiting.push(resolve)))
  try {
    return await work(stage)
  } finally {
    const next = waiting.shift()
    if (next) next(stage)
    else free.push(stage)
  }
}

/** Commands run without the user's home, so programs that lie there count as missing. */
const isInstalled = (program: string) =>
  ['/usr/bin', '/bin', '/usr/local/bin'].some(
    folder => spawnSync(join(folder, program), ['--version']).error === undefined,
  )

function makeRepository(folder: string) {
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    const { status, stderr } = spawnSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'First')
  git('tag', 'v1')
  git('remote', 'add', 'origin', 'https://example.org/garden.git')
  writeFileSync(join(folder, 'notes.md'), '# Notes\n\nbeans and peas\nBeans again\nmore beans\n')
  git('commit', '-qam', 'Second')
}

test('there are at least forty of them', () => {
  expect(rows.length).toBeGreaterThanOrEqual(40)
})

test.concurrent.for(rows)('ordinary reading works in Look: $command', async (row, { skip, expect }) => {
  if (row.needs !== undefined && !isInstalled(row.needs)) skip(`${row.needs} is not installed`)
  await onStage(async stage => {
    if (!stage.state.confined) {
      if (process.env['TALARIA_MUST_CONFINE'] === '1') throw new Error(stage.state.reason)
      return skip(stage.state.reason)
    }
    using place = stage.place(row)
    if (row.git) makeRepository(place.folder)
    const did = await stage.execute(row, place, { profile: 'look' })
    expect(did).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(row.expect) as string,
      created: [],
      changed: [],
    })
  })
})
