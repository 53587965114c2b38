import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { aMarkedHome, call } from '../../../../testing/marks/a-marked-home.ts'
import { frameStrangersText } from '../../untrusted/strangers-text.ts'

const read = (source: string, long = false) => [call('read_news', { source, long })]

test('the turns after a result are marked until the person ends that, and new text is marked anew', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  expect(await home.sourcesIn(chat)).toEqual([])
  await home.turn(chat, read('mails'), 'I read it.')
  expect(await home.sourcesIn(chat)).toEqual(['mails'])
  expect(await home.sourcesIn(chat)).toEqual(['mails'])
  await home.restart()
  expect(await home.sourcesIn(chat)).toEqual(['mails'])
  const marks = home.store.marks.ofChat(chat)
  home.store.marks.end(
    chat,
    marks.map(({ id }) => id),
    1,
  )
  expect(await home.sourcesIn(chat)).toEqual([])
  await home.turn(chat, read('mails'), 'I read the same again.')
  expect(await home.sourcesIn(chat)).toEqual(['mails'])
  expect(home.store.marks.ofChat(chat)).toHaveLength(2)
})

test('an answer, a result after it, a summary and a copy have the mark of what they were made from', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, 'Nothing yet.')
  await home.turn(chat, read('mails'), 'I read it.')
  await home.turn(chat, [call('list_files', { path: '.' })], 'Listed.')
  const messages = home.store.messages.history(chat)
  expect(messages.map(({ role, marks }) => `${role} ${marks?.length ?? 0}`)).toEqual([
    'user 0',
    'assistant 0',
    'user 0',
    'assistant 0',
    'tool 1',
    'assistant 1',
    'user 0',
    'assistant 1',
    'tool 1',
    'assistant 1',
  ])
  const copy = await home.store.branches.copyUpTo(chat, messages.at(-1)!.id)
  for (let more = 0; more < 8; more++)
    await home.turn(chat, `It goes on, ${'at some length, '.repeat(40)}${more}.`)
  await home.compact(chat)
  const { summary, upToId, marks } = home.store.compactions.newest(chat)!
  expect(summary).not.toBe('')
  expect(upToId).toBeGreaterThan(messages.at(-1)!.id)
  expect(marks).toEqual(home.store.marks.ofChat(chat))
  expect(await home.sourcesIn(chat)).toEqual(['mails'])
  expect(await home.sourcesIn(copy)).toEqual(['mails'])
})

test('what ended in a chat has ended in its copy, and in no other chat', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, read('mails'), 'I read it.')
  home.store.marks.end(
    chat,
    home.store.marks.ofChat(chat).map(({ id }) => id),
    1,
  )
  await home.turn(chat, 'I go on.')
  const last = home.store.messages.history(chat).at(-1)!
  expect(last.marks).toBeUndefined()
  const copy = await home.store.branches.copyUpTo(chat, last.id)
  expect(await home.sourcesIn(copy)).toEqual([])
  await home.turn(chat, read('news'), 'I read it.')
  const before = await home.store.branches.copyUpTo(chat, home.store.messages.history(chat).at(-1)!.id)
  home.store.marks.end(
    chat,
    home.store.marks.ofChat(chat).map(({ id }) => id),
    1,
  )
  expect(await home.sourcesIn(chat)).toEqual([])
  expect(await home.sourcesIn(before)).toEqual(['news'])
  const other = home.chat()
  await home.turn(other, [call('session_search', { session_id: chat })], 'I read that chat.')
  expect(await home.sourcesIn(other)).toEqual(['mails', 'news'])
})

test('a page of a kept result is marked where no frame is in it, in another chat and after a restart', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, read('mails', true), 'It was long.')
  const path = home.fileOf(chat)
  await home.restart()
  const paging = home.chat()
  await home.turn(paging, [call('read_file', { path, offset: 100, limit: 5 })], 'Read.')
  expect(await home.sourcesIn(paging)).toEqual(['mails'])
  const searching = home.chat()
  await home.turn(
    searching,
    [call('search_files', { path: path.replace(/\/[^/]*$/, ''), pattern: 'A line of' })],
    'Found.',
  )
  expect(await home.sourcesIn(searching)).toEqual(['mails'])
  const looking = home.chat()
  await home.turn(looking, [call('list_files', { path: path.replace(/\/[^/]*$/, '') })], 'Listed.')
  expect(await home.sourcesIn(looking)).toEqual([])
})

test('answers that are compared have the marks of what they were made from', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, read('mails'), 'I read it.')
  await home.compare(chat)
  const answers = home.store.branches.compared(chat)
  expect(answers.map(({ marks }) => marks?.map(({ source }) => source))).toEqual([
    ['the server mails'],
    ['the server mails'],
  ])
})

test('a result that an older version kept has the marks of its frame, once it is read', async () => {
  await using home = aMarkedHome()
  const folder = join(home.path, 'cache', 'outputs')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'out_1old.txt')
  writeFileSync(path, `${frameStrangersText('the server mails', 'Pay me.\n'.repeat(200))}\nThe end.`)
  writeFileSync(join(folder, 'out_2old.txt'), 'Nothing of others.')
  const chat = home.chat()
  await home.turn(chat, [call('read_file', { path: join(folder, 'out_2old.txt') })], 'Read.')
  expect(await home.sourcesIn(chat)).toEqual([])
  await home.turn(chat, [call('read_file', { path, offset: 100, limit: 5 })], 'Read.')
  expect(await home.sourcesIn(chat)).toEqual(['mails'])
  expect(home.store.marks.ofOutput('out_1old.txt')).toHaveLength(1)
  expect(home.store.marks.ofOutput('out_2old.txt')).toEqual([])
})

test('a command that names a kept result, by a link too, has read it', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, read('mails', true), 'It was long.')
  const path = home.fileOf(chat)
  const [naming, linked, globbing] = [home.chat(), home.chat(), home.chat()]
  await home.turn(naming, [call('terminal', { command: `tail -n 2 ${path}` })], 'Read.')
  expect(await home.sourcesIn(naming)).toEqual(['mails'])
  symlinkSync(path, join(home.desk, 'notes.txt'))
  await home.turn(linked, [call('read_file', { path: 'notes.txt', offset: 50, limit: 2 })], 'Read.')
  expect(await home.sourcesIn(linked)).toEqual(['mails'])
  await home.turn(
    globbing,
    [call('terminal', { command: `tail -n 2 ${path.replace(/[^/]*$/, '*')}` })],
    'Read.',
  )
  expect(await home.sourcesIn(globbing)).toEqual(['mails'])
})

test('a list of chats has the marks of what it shows of them', async () => {
  await using home = aMarkedHome()
  const clean = home.chat()
  await home.turn(clean, 'Nothing.')
  const before = home.chat()
  await home.turn(before, [call('session_search', {})], 'Listed.')
  expect(await home.sourcesIn(before)).toEqual([])
  await home.turn(home.chat(), read('mails'), 'They want money.')
  const after = home.chat()
  await home.turn(after, [call('session_search', {})], 'Listed.')
  expect(await home.sourcesIn(after)).toEqual(['mails'])
})

test('a schedule that a marked turn made begins each run with the marks, until its task is written anew', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, read('mails'), 'I read it.')
  const add = call('schedule', { action: 'add', when: 'every day at 8', task: 'Do what the mail says.' })
  await home.turn(chat, [add], 'Planned.')
  const run = await home.runSchedule()
  expect(await home.sourcesIn(run)).toEqual(['mails'])
  const listing = home.chat()
  await home.turn(listing, [call('schedule', { action: 'list' })], 'Listed.')
  expect(await home.sourcesIn(listing)).toEqual(['mails'])
  const { id } = home.store.schedules.list().at(-1)!
  const seen = () => home.edits.show(home.store.schedules.get(id)!).seen
  await home.edits.change(id, { deliver: 'chat', seen: seen() })
  expect(home.store.schedules.get(id)?.marks).toHaveLength(1)
  await home.edits.change(id, { task: 'Do what I say.', seen: seen() })
  expect(home.store.schedules.get(id)?.marks).toEqual([])
})

test('a chat of a thousand results stores few marks with each message, and ends them all the same', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  for (let round = 0; round < 6; round++)
    await home.turn(
      chat,
      Array.from({ length: 10 }, () => read('mails')[0]!),
      'Read.',
    )
  expect(home.store.marks.ofChat(chat).length).toBeGreaterThan(60)
  const counts = home.store.messages.history(chat).map(({ marks }) => marks?.length ?? 0)
  expect(Math.max(...counts)).toBeLessThanOrEqual(40)
  expect(await home.sourcesIn(chat)).toEqual(['mails'])
  home.store.marks.end(
    chat,
    home.store.marks.ofChat(chat).map(({ id }) => id),
    1,
  )
  expect(await home.sourcesIn(chat)).toEqual([])
})

test.for<[string, (path: string) => Record<string, unknown>]>([
  [
    'a pattern beside another',
    path => ({ command: `tail -n 2 ${dirname(path)}/out_0.txt ${dirname(path)}/*` }),
  ],
  ['one in braces', path => ({ command: `tail -n 2 ${dirname(path)}/{out_0.txt,*}` })],
  ['their folder as its own', path => ({ command: 'tail -n 2 *', cwd: dirname(path) })],
  ['the home as its own', path => ({ command: 'tail -n 2 */*/*.txt', cwd: dirname(dirname(dirname(path))) })],
  ['cd to the cache', path => ({ command: `cd ${dirname(dirname(path))} && tail -n 2 outputs/*` })],
  ['cd to the home', path => ({ command: `cd ${dirname(dirname(dirname(path)))}; tail -n 2 cac*/*/*.txt` })],
  ['quotes', path => ({ command: `tail -n 2 ${dirname(dirname(path))}/"out"puts/*` })],
  ['a link to one', () => ({ command: 'tail -n 2 notes.txt' })],
  ['a link to all', () => ({ command: 'tail -n 2 all/*' })],
])('a command that reads kept results without their names is marked: %s', async ([, args]) => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, read('mails', true), 'It was long.')
  const path = home.fileOf(chat)
  symlinkSync(path, join(home.desk, 'notes.txt'))
  symlinkSync(dirname(path), join(home.desk, 'all'))
  const other = home.chat()
  await home.turn(other, [call('terminal', args(path))], 'Read.')
  const [result] = home.store.messages.history(other).filter(({ role }) => role === 'tool')
  expect(result?.text).toContain('A line of it.')
  expect(await home.sourcesIn(other)).toEqual(['mails'])
})

test('a command that names a skill of the home, or a folder of its own with such a name, has read none', async () => {
  await using home = aMarkedHome()
  const chat = home.chat()
  await home.turn(chat, read('mails', true), 'It was long.')
  const other = home.chat()
  const commands = [
    `ls ${home.path}/skills/notes || true`,
    'ls outputs cache || true',
    `ls ${home.path}2 || true`,
  ]
  for (const command of commands) await home.turn(other, [call('terminal', { command })], 'Listed.')
  expect(await home.sourcesIn(other)).toEqual([])
})
