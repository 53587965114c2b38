import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aTeam, delegate, run, write } from '../../../testing/delegation/a-team.ts'
import { aFolder } from '../../../testing/db/a-store.ts'
import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import { watchCommands } from './command-changes.ts'

const NAME = '- files that changed in the folder while its commands ran: '
const lineIn = (text = '') =>
  text
    .split('\n')
    .find(line => line.startsWith(NAME))
    ?.slice(NAME.length)

test('what commands wrote, moved and removed is named, and what tools wrote is not among it', async () => {
  await using team = aTeam({
    chat: [[delegate('One'), delegate('Two')], 'Done.'],
    places: 1,
    agents: {
      One: [
        [write('kept.txt', '1'), write('old.txt', '1'), write('gone.txt', '1')],
        [run('echo 2 > made.txt; mkdir -p deep/er; echo 3 > deep/er/file.txt')],
        [run('mv old.txt new.txt; rm gone.txt; cat kept.txt')],
        'All of it.',
      ],
      Two: ['Nothing.'],
    },
  })
  await team.turn()
  const [one, two] = team.results()
  expect(lineIn(one!.text)?.split('; ')).toEqual([
    'deep/er/file.txt',
    'gone.txt',
    'made.txt',
    'new.txt',
    'old.txt',
  ])
  expect(two!.text).not.toContain(NAME)
  // The changes are stored with the sub-agent, so they outlive Talaria.
  const [agent] = team.store.delegations.ofChat(team.chat.id)
  expect(agent!.changed).toMatchObject({ more: 0, commands: 2 })
})

test('a command that was denied changed nothing, and one that was stopped is told as far as it came', async () => {
  await using team = aTeam({
    approval: 'none',
    chat: [[delegate('One')], 'Done.'],
    agents: { One: [[run('touch a.txt')], 'Not allowed.'] },
  })
  await team.turn()
  expect(team.results()[0]!.text).toContain('“touch a.txt” → not allowed')
  expect(lineIn(team.results()[0]!.text)).toBeUndefined()

  await using other = aTeam({
    chat: [[delegate('One')], 'Done.'],
    agents: { One: [[run('touch half.txt; echo begun; sleep 60')], 'Never.'] },
    onAgentEvent: event => void (event.type === 'tool_output' && other.stop()),
  })
  await other.turn()
  expect(lineIn(other.results()[0]!.text)).toBe('half.txt')
})

/** A watched folder, and the reported changes of its commands. */
function aWatched(most?: number) {
  const folder = aFolder()
  const told: NonNullable<Delegated['changed']>[] = []
  const around = watchCommands(changed => void told.push(changed), most)
  let calls = 0
  return {
    told,
    put(name: string, text = 'x') {
      mkdirSync(join(folder.path, name, '..'), { recursive: true })
      writeFileSync(join(folder.path, name), text)
    },
    path: (name: string) => join(folder.path, name),
    async command(work: () => void, given: Record<string, unknown> = {}, mayWrite = true) {
      const call = { id: `call_${++calls}`, name: 'terminal', arguments: { command: 'x', ...given } }
      const ended = await around({ call, folder: folder.path, mayWrite })
      work()
      await ended()
    },
    [Symbol.dispose]: folder[Symbol.dispose],
  }
}

test('what git ignores and packages are left out, and other rules for git leave open what was seen', async () => {
  using made = aWatched()
  made.put('.gitignore', 'build/\n')
  await made.command(() => {
    made.put('build/out.js')
    made.put('node_modules/a/index.js')
    made.put('.env.local')
    renameSync(made.path('.env.local'), made.path('.env'))
  })
  expect(made.told.at(-1)).toEqual({ paths: ['.env'], more: 0, commands: 1 })
  await made.command(() => made.put('.gitignore', ''))
  expect(made.told.at(-1)).toEqual({ paths: ['.env', '.gitignore', 'build/out.js'], more: 0, commands: 1 })
})

test('one that can only read changed nothing; of one that is left running nothing is known', async () => {
  using made = aWatched()
  await made.command(() => {}, {}, false)
  expect(made.told).toEqual([{ paths: [], more: 0, commands: 1 }])
  await made.command(() => made.put('a.txt'), { action: 'start' })
  expect(made.told).toHaveLength(1)
})

test('a folder of too many files is not looked at again and again, and more than fifty names are counted', async () => {
  using large = aWatched(3)
  for (const name of ['a', 'b', 'c', 'd']) large.put(name)
  await large.command(() => rmSync(large.path('d')))
  await large.command(() => large.put('e'))
  expect(large.told).toEqual([])

  using made = aWatched()
  await made.command(() => {
    for (let n = 0; n < 60; n++) made.put(`f${n}`)
  })
  expect(made.told[0]).toMatchObject({ more: 10, commands: 1 })
  expect(made.told[0]!.paths).toHaveLength(50)
})
