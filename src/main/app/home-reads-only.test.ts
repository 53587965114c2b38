import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  aBareServer,
  aHome,
  aHost,
  endOf,
  transcript,
  turn,
  type TestHost,
} from '../../../testing/host/a-host.ts'
import { Fault } from '../../shared/rpc.ts'
import { forgetComputer } from '../config/computer-mark.ts'

const MARK = '.lock.computer'

async function fillHome(home: string): Promise<string> {
  const host = await aHost(home)
  const { id } = await host.client['session.create']({})
  await host.client['session.update']({ id, title: 'About tea' })
  await host.client['memory.add']({ target: 'user', text: 'Likes green tea.' })
  await host.close()
  return id
}

/** Every file name in a home, with the file's bytes. */
function bytesOf(home: string) {
  return readdirSync(home, { withFileTypes: true, recursive: true })
    .map(entry => join(entry.parentPath, entry.name))
    .toSorted()
    .map(path => [path, readable(path)])
}
function readable(path: string): string {
  try {
    return readFileSync(path).toString('base64')
  } catch {
    return ''
  }
}

async function noticesOf({ client }: TestHost) {
  const watching = client['app.watch']({})
  const first = await watching.next()
  await watching.return()
  return first.value?.type === 'hello' ? first.value.notices : []
}

const openElsewhere = (home: string, secondsAgo: number) =>
  writeFileSync(
    join(home, MARK),
    JSON.stringify({ computer: 'kitchen', at: Date.now() - secondsAgo * 1_000 }),
  )

test('a home that another computer has is read, nothing is written there, and the person hears why', async () => {
  using home = aHome()
  const id = await fillHome(home.path)
  openElsewhere(home.path, 90)
  const before = bytesOf(home.path)
  {
    await using host = await aHost(home.path)
    const { client } = host
    expect((await noticesOf(host)).find(notice => notice.id === 'reading-only')).toEqual({
      id: 'reading-only',
      level: 'warning',
      text: `Nothing can be saved in ${home.path}: the computer kitchen is using it, last 2 minutes ago. You can read everything, and nothing is lost.`,
      fix: `Close Talaria there. If that computer is gone, run: talaria data take-over --home ${JSON.stringify(home.path)}`,
    })
    expect((await client['session.list']({})).sessions.map(each => each.title)).toEqual(['About tea'])
    expect((await client['memory.view']({})).entries.map(each => each.text)).toEqual(['Likes green tea.'])
    expect(await client['data.sizes']({})).toMatchObject({ home: home.path })
    await client['session.update']({ id, draft: 'typed meanwhile' })
    const refused = [
      client['memory.add']({ target: 'user', text: 'No.' }),
      client['session.create']({}),
      client['chat.send']({ sessionId: id, text: 'Hello?' }),
      client['session.remove']({ id }),
      client['app.setSettings']({ theme: 'dark' }),
    ].map(each =>
      each.then(
        () => 'done',
        (error: unknown) => (error instanceof Fault ? error.code : error),
      ),
    )
    expect(await Promise.all(refused)).toEqual(Array(5).fill('not_ready'))
  }
  expect(bytesOf(home.path)).toEqual(before)
  forgetComputer(home.path)
  await using host = await aHost(home.path)
  expect(host.host.reading).toBe(undefined)
})

test('what is shown of a home that is read names the home; what passes and what waits writes nothing there', async () => {
  using home = aHome()
  const monday = Date.UTC(2026, 10, 23, 12)
  {
    await using host = await aHost(home.path, { now: () => monday })
    for (const text of ['Flies to Lisbon tomorrow.', 'Likes green tea.'])
      await host.client['memory.add']({ target: 'user', text })
    await host.client['memory.add']({ target: 'memory', text: 'Builds with make.' })
  }
  const notes = join(home.path, 'memories', 'MEMORY.md')
  writeFileSync(notes, '<<<<<<< HEAD\nBuilds with make.\n=======\nBuilds with ninja.\n>>>>>>> x\n')
  const copy = join(home.path, 'memories', 'USER 2.md')
  writeFileSync(copy, 'Has a cat.\n')
  openElsewhere(home.path, 30)
  const before = bytesOf(home.path)
  {
    await using host = await aHost(home.path)
    const view = await host.client['memory.view']({})
    expect(view.waiting.map(({ path }) => path)).toEqual([notes, copy])
    expect(view.entries.map(({ text }) => text)).toEqual(['Likes green tea.', 'Builds with make.'])
    expect((await host.client['memory.preview']({})).text).not.toContain('Lisbon')
    const [waiting] = view.waiting
    const { id, seen } = waiting!
    await expect(host.client['memory.settle']({ id, seen, keep: 'both', entries: [] })).rejects.toThrow(
      'Nothing can be saved',
    )
    expect(host.mistakes()).toEqual([])
  }
  expect(bytesOf(home.path)).toEqual(before)
})

test.each([
  ['it was left behind', { computer: 'kitchen', at: Date.now() - 3_600_000 }],
  ['a clock in 2099 wrote it', { computer: 'kitchen', at: Date.UTC(2099, 0) }],
  ['a clock in 1970 wrote it', { computer: 'kitchen', at: 0 }],
  ['it is no mark', 'hello'],
  ['it is empty', ''],
])('a mark of another computer does not close a home when %s', async (_, mark) => {
  using home = aHome()
  mkdirSync(home.path, { recursive: true })
  writeFileSync(join(home.path, MARK), typeof mark === 'string' ? mark : JSON.stringify(mark))
  await using host = await aHost(home.path)
  expect(host.host.reading).toBe(undefined)
})

test('an open home says on which computer, and a closed one says nothing', async () => {
  using home = aHome()
  const host = await aHost(home.path)
  expect(JSON.parse(readFileSync(join(home.path, MARK), 'utf8'))).toMatchObject({
    computer: expect.any(String),
  })
  await host.close()
  expect(readdirSync(home.path)).not.toContain(MARK)
})

test.each([
  ['2099', Date.UTC(2099, 0, 1)],
  ['1970', 86_400_000],
])('a clock in %s starts, answers, and removes nothing', async (_, at) => {
  using home = aHome()
  await using server = await aBareServer()
  const first = await aHost(home.path)
  const { client } = first
  const { id: modelId } = await client['model.addServer']({
    name: 'S',
    baseUrl: server.baseUrl,
    model: 'plain',
  })
  await client['model.setDefault']({ id: modelId })
  const kept = await client['session.create']({})
  server.reply({ text: 'One.' })
  await turn(first, kept.id, 'First?')
  const gone = await client['session.create']({})
  await client['session.remove']({ id: gone.id })
  await client['memory.add']({ target: 'user', text: 'Likes green tea.' })
  await first.close()

  const leap = await aHost(home.path, { now: () => at })
  server.reply({ text: 'Two.' })
  const { id } = await leap.client['session.create']({})
  expect(endOf(await turn(leap, id, 'Second?'))).toBe('done')
  await leap.close()

  await using again = await aHost(home.path)
  expect(await transcript(again, kept.id)).toEqual(['user: First?', 'assistant: One.'])
  expect(await transcript(again, id)).toEqual(['user: Second?', 'assistant: Two.'])
  expect((await again.client['memory.view']({})).entries.map(each => each.text)).toEqual(['Likes green tea.'])
  expect((await again.client['session.deleted']({})).chats.map(each => each.id)).toEqual([gone.id])
})
