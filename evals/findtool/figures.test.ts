import { expect, test } from 'vitest'
import { differences } from '../records.ts'
import { encodeNothing, measureFindTool, openEncoder } from './measure.ts'
import { ownRows } from './rows.ts'

test('tools are found as often as recorded, with the encoder', async () => {
  const reported: unknown[] = []
  const meanings = openEncoder(error => void reported.push(error))
  try {
    const { figures } = await measureFindTool(ownRows('daily'), meanings.of)
    expect(reported).toEqual([])
    expect(differences('findtool', figures)).toEqual([])
  } finally {
    await meanings.close()
  }
}, 600_000)

test('tools are found as often as recorded, by words alone', async () => {
  const { rows, figures } = await measureFindTool(ownRows('all'), encodeNothing)
  expect(differences('findtool-words', figures)).toEqual([])
  expect(rows.filter(({ part }) => part === 'model').length).toBeGreaterThanOrEqual(60)
})

test('a tool of the same name of another server is not the one that was wanted', async () => {
  const tools = ['work', 'home', 'school', 'club'].map(server => ({
    server,
    name: 'send_letter',
    description: `Send a letter from ${server}.`,
  }))
  const row = {
    id: '1',
    part: 'all',
    tools,
    request: 'send a letter from home',
    want: { server: 'work', name: 'send_letter' },
  }
  const { rows, figures } = await measureFindTool([row], encodeNothing)
  expect(rows[0]!.found[0]).toBe('home/send_letter')
  expect(figures).toMatchObject({ allFirst: 0 })
})
