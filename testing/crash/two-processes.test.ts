import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNotes } from '../../src/main/memory/note-files.ts'
import { test } from '../terminal/cli.ts'

test('several processes that remember something at the same moment lose nothing', async ({
  talaria,
  expect,
}) => {
  const home = talaria.folder()
  const facts = Array.from({ length: 5 }, (_, n) => `Fact number ${n}.`)
  const run = (...args: string[]) => talaria.run(['memory', ...args, '--home', home])
  const said = await Promise.all(facts.map(fact => run('add', fact)))
  const unexpected = said.filter(({ stdout }) => !stdout.startsWith('Remembered: '))
  expect(unexpected).toEqual([])
  expect(parseNotes(readFileSync(join(home, 'memories', 'USER.md'), 'utf8')).toSorted()).toEqual(facts)

  const { stdout } = await run('history', '--json')
  const { revisions } = JSON.parse(stdout) as { revisions: { after: string; actor: string }[] }
  expect(revisions.map(({ after, actor }) => `${actor}: ${after}`).toSorted()).toEqual(
    facts.map(fact => `you: ${fact}`),
  )
})
