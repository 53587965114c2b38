import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, turn, type TestHost } from '../../../testing/host/a-host.ts'
import { until } from '../../../testing/until.ts'
import type { FileStep } from '../../shared/contract/chats/changed-files.ts'
import type { Move } from '../../shared/contract/chats/branches.ts'

type Call = { name: string; arguments: Record<string, unknown> }

/** A host with a chat that may do everything in its own folder, and with its model's server. */
async function aWorkingChat(home: string) {
  const folder = join(home, 'workspace', 'desk')
  mkdirSync(folder, { recursive: true })
  const host = await aHost(home, { coreTools: true })
  const server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server, { approval: 'full' })
  await host.client['session.update']({ id: sessionId, workspace: folder })
  const path = (name: string) => join(folder, name)
  return {
    host,
    server,
    sessionId,
    folder,
    path,
    read: (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : null),
    write: (name: string, text: string | Uint8Array) => writeFileSync(path(name), text),
    /** Send a message, and let the model make these calls before it answers. */
    async ask(text: string, ...calls: Call[]) {
      server.reply({ toolCalls: calls }, { text: 'Done.' })
      await turn(host, sessionId, text)
    },
    leaving: (move: Move) => host.client['branch.leaving']({ sessionId, move }),
    restore: (files: FileStep[]) => host.client['files.restore']({ sessionId, files }),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const write = (path: string, content: string): Call => ({ name: 'write_file', arguments: { path, content } })
const patch = (path: string, from: string, to: string): Call => ({
  name: 'patch_file',
  arguments: { path, old_string: from, new_string: to },
})
const stepsOf = (files: readonly (FileStep & { problem?: string | null })[]) =>
  files.map(({ path, from, to }) => ({ path, from, to }))
const messagesOf = async ({ client }: TestHost, id: string) =>
  (await client['session.messages']({ id })).messages

test('before the turn is undone, its files are offered with diffs, and restoring them can be undone', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  chat.write('kept.md', 'one\ntwo\n')
  await chat.ask('Change it.', patch('kept.md', 'two', '2'), write('new.md', 'fresh\n'))
  await chat.ask('And again.', patch('kept.md', 'one', '1'))
  expect(await chat.leaving({ how: 'undo' })).toMatchObject({
    commands: 0,
    memory: [],
    files: [{ name: 'kept.md', change: 'write', diff: '@@ -1,2 +1,2 @@\n-1\n+one\n 2', problem: null }],
  })
  const [first] = await messagesOf(host, sessionId)
  const { files } = await chat.leaving({ how: 'edit', messageId: first!.id })
  expect(files.map(({ name, change }) => [name, change])).toEqual([
    ['kept.md', 'write'],
    ['new.md', 'remove'],
  ])
  const { restored, failed } = await chat.restore(stepsOf(files))
  expect([restored.length, failed]).toEqual([2, []])
  expect([chat.read('kept.md'), chat.read('new.md')]).toEqual(['one\ntwo\n', null])
  await chat.restore(restored.map(({ path, from, to }) => ({ path, from: to, to: from })))
  expect([chat.read('kept.md'), chat.read('new.md')]).toEqual(['1\n2\n', 'fresh\n'])
  expect(host.mistakes()).toEqual([])
})

test('going to a branch brings its files back, and leaving it takes them along', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  chat.write('a.md', 'zero\n')
  await chat.ask('One.', write('a.md', 'one\n'))
  const [asked] = await messagesOf(host, sessionId)
  const back = await chat.leaving({ how: 'undo' })
  await chat.restore(stepsOf(back.files))
  await host.client['branch.undo']({ sessionId })
  await chat.ask('Two.', write('a.md', 'two\n'))
  const there: Move = { how: 'switch', messageId: asked!.id }
  const { files } = await chat.leaving(there)
  expect(files).toMatchObject([{ name: 'a.md', diff: '@@ -1 +1 @@\n-two\n+one' }])
  await chat.restore(stepsOf(files))
  await host.client['branch.switch']({ sessionId, messageId: asked!.id })
  expect(chat.read('a.md')).toBe('one\n')
  expect(await host.client['files.changed']({ sessionId })).toEqual({ files: [] })
})

test('what somebody else changed since is listed with the reason, and stays', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  mkdirSync(chat.path('sub'))
  for (const name of ['edited', 'gone', 'linked', 'folder', 'sub/in']) chat.write(name, `old ${name}`)
  const names = ['edited', 'gone', 'linked', 'folder', 'sub/in', 'fine']
  await chat.ask('All.', ...names.map(name => write(name, `new ${name}`)))
  chat.write('edited', 'mine')
  for (const name of ['gone', 'linked', 'folder']) rmSync(chat.path(name))
  symlinkSync(chat.path('edited'), chat.path('linked'))
  mkdirSync(chat.path('folder'))
  renameSync(chat.path('sub'), chat.path('away'))
  const { files } = await chat.leaving({ how: 'undo' })
  expect(Object.fromEntries(files.map(({ name, problem }) => [name, problem]))).toEqual({
    edited: 'It was changed since by something else, so it stays as it is.',
    gone: 'It no longer exists, and stays that way.',
    linked: 'There is now a link to another place.',
    folder: 'There is now a folder with this name.',
    'sub/in': 'It no longer exists, and stays that way.',
    fine: null,
  })
  const fine = files.find(({ name }) => name === 'fine')!
  chat.write('fine', 'mine too')
  expect(await chat.restore(stepsOf([fine]))).toMatchObject({
    restored: [],
    failed: [{ name: 'fine', why: expect.stringContaining('was changed since by something else') }],
  })
  expect(chat.read('fine')).toBe('mine too')
  const elsewhere = { path: join(home.path, 'config.yaml'), from: null, to: null }
  expect((await chat.restore([elsewhere])).failed).toMatchObject([
    { why: 'This chat did not change this file.' },
  ])
})

test('the files of certain calls are taken back alone, and later changes, strange calls and bad input have answers', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  chat.write('kept.md', 'one\n')
  await chat.ask(
    'Change it.',
    write('kept.md', 'two\n'),
    write('new.md', 'fresh\n'),
    patch('new.md', 'fresh', 'new'),
  )
  await chat.ask('And this.', write('kept.md', 'three\n'))
  await chat.ask('Nothing.')
  const messages = await messagesOf(host, sessionId)
  const replies = messages.flatMap(each => (each.role === 'assistant' && each.calls.length > 0 ? [each] : []))
  const [first = [], second = []] = replies.map(({ calls }) => calls.map(({ id }) => id))
  const taking = async (calls: string[]) =>
    (await host.client['files.changed']({ sessionId, calls })).files.map(file => ({
      ...file,
      path: undefined,
    }))
  expect(await taking(first)).toMatchObject([
    { name: 'kept.md', problem: expect.stringContaining('A later answer in this chat changed it again') },
    { name: 'new.md', change: 'remove', to: null, diff: '@@ -1 +0,0 @@\n-new', problem: null },
  ])
  expect(await taking(second)).toMatchObject([
    { name: 'kept.md', change: 'write', diff: '@@ -1 +1 @@\n-three\n+two' },
  ])
  const { files } = await host.client['files.changed']({ sessionId, calls: second })
  const { restored } = await chat.restore(stepsOf(files))
  expect(chat.read('kept.md')).toBe('two\n')
  expect(await taking(second)).toMatchObject([
    { name: 'kept.md', isAsBefore: true, problem: 'The file is already as it was before.' },
  ])
  expect(await taking(first)).toMatchObject([
    { name: 'kept.md', diff: '@@ -1 +1 @@\n-two\n+one' },
    { name: 'new.md' },
  ])
  await chat.restore(restored.map(({ path, from, to }) => ({ path, from: to, to: from })))
  expect(chat.read('kept.md')).toBe('three\n')
  expect(await taking(second)).toMatchObject([{ name: 'kept.md', problem: null }])
  // The messages stay, and unknown calls changed nothing.
  expect(await messagesOf(host, sessionId)).toEqual(messages)
  expect(await taking(['call_of_nobody'])).toEqual([])
  for (const calls of [[], Array.from({ length: 2_001 }, String)])
    await expect(taking(calls)).rejects.toMatchObject({ code: 'bad_input' })
  await expect(host.client['files.changed']({ sessionId: 'gone', calls: ['a'] })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('what a person changed between two calls is not undone with them', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  chat.write('a.md', 'zero\n')
  await chat.ask('One.', write('a.md', 'one\n'))
  chat.write('a.md', 'mine\n')
  await chat.ask('Two.', write('a.md', 'two\n'))
  const [first] = await messagesOf(host, sessionId)
  const { files } = await chat.leaving({ how: 'edit', messageId: first!.id })
  await chat.restore(stepsOf(files))
  expect(chat.read('a.md')).toBe('mine\n')
})

test('commands and what they may have done are counted, reading is not, and memory is listed with its undo', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  await chat.ask(
    'Work.',
    { name: 'terminal', arguments: { command: 'touch made' } },
    { name: 'read_file', arguments: { path: 'made' } },
    { name: 'memory', arguments: { action: 'add', target: 'user', content: 'Likes herons.' } },
  )
  const asked = (await messagesOf(host, sessionId))[0]!
  for (const move of [{ how: 'undo' }, { how: 'retry', messageId: asked.id }] as const)
    expect(await chat.leaving(move)).toMatchObject({
      commands: 1,
      files: [],
      memory: [{ after: 'Likes herons.', op: 'add' }],
    })
  const { memory } = await chat.leaving({ how: 'undo' })
  await host.client['memory.undo']({ revisionIds: memory.map(({ id }) => id) })
  expect((await chat.leaving({ how: 'undo' })).memory).toEqual([])
  // A second answer to the same question has its own changes.
  chat.server.reply({ text: 'Nothing to do.' })
  const { runId } = await host.client['branch.retry']({ sessionId, messageId: asked.id })
  for await (const _ of host.client['run.watch']({ runId }));
  expect(await chat.leaving({ how: 'undo' })).toMatchObject({ commands: 0, memory: [] })
})

test('skills that the agent changed are listed, until the change is undone', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  await chat.ask('Hello.')
  const content = '---\nname: tidy\ndescription: Sort tables.\n---\n\nSort by the first column.\n'
  await chat.ask('Learn it.', {
    name: 'skill_manage',
    arguments: { action: 'create', name: 'tidy', content },
  })
  const [first, , asked] = await messagesOf(host, sessionId)
  const of = async (move: Move) => (await chat.leaving(move)).skills.map(({ name, op }) => [name, op])
  expect(await of({ how: 'undo' })).toEqual([['tidy', 'create']])
  expect(await of({ how: 'retry', messageId: asked!.id })).toEqual([['tidy', 'create']])
  expect(await of({ how: 'edit', messageId: first!.id })).toEqual([['tidy', 'create']])
  const { skills } = await chat.leaving({ how: 'undo' })
  await host.client['skills.undo']({ revisionIds: skills.map(({ id }) => id) })
  expect(await of({ how: 'undo' })).toEqual([])
})

test('a copy of a chat restores what was changed before it was made, and says why where it cannot', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  chat.write('a.md', 'zero\n')
  chat.write('b.md', 'zero\n')
  await chat.ask('One.', write('a.md', 'one\n'), write('b.md', 'one\n'))
  const last = (await messagesOf(host, sessionId)).at(-1)!
  await chat.ask('Two.', write('b.md', 'two\n'))
  const { id } = await host.client['branch.fork']({ sessionId, messageId: last.id })
  expect(await host.client['files.changed']({ sessionId: id })).toEqual({ files: [] })
  // The chat and its copies go; those of the copied chat are its own.
  await host.client['session.remove']({ id: sessionId })
  await host.client['session.purge']({ ids: [sessionId] })
  await until(() => !existsSync(join(home.path, 'file-copies', sessionId)))
  const { files } = await host.client['branch.leaving']({ sessionId: id, move: { how: 'undo' } })
  expect(files.map(({ name, problem }) => [name, problem])).toEqual([
    ['a.md', null],
    ['b.md', 'It was changed since by something else, so it stays as it is.'],
  ])
  const { restored, failed } = await host.client['files.restore']({
    sessionId: id,
    files: stepsOf(files.slice(0, 1)),
  })
  expect([restored.length, failed, chat.read('a.md'), chat.read('b.md')]).toEqual([1, [], 'zero\n', 'two\n'])
  expect(host.mistakes()).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'a program that was removed can be run again when it is restored',
  async () => {
    using home = aHome()
    await using chat = await aWorkingChat(home.path)
    await chat.ask('Write it.', write('run.sh', 'echo\n'), write('notes.md', 'one\n'))
    chmodSync(chat.path('run.sh'), 0o755)
    const { files } = await chat.leaving({ how: 'undo' })
    const { restored } = await chat.restore(stepsOf(files))
    expect([chat.read('run.sh'), chat.read('notes.md')]).toEqual([null, null])
    await chat.restore(restored.map(({ path, from, to }) => ({ path, from: to, to: from })))
    const canRun = (name: string) => (statSync(chat.path(name)).mode & 0o100) !== 0
    expect([chat.read('run.sh'), canRun('run.sh'), canRun('notes.md')]).toEqual(['echo\n', true, false])
  },
)

test('copies are counted in the home, and go with the chat', async () => {
  using home = aHome()
  await using chat = await aWorkingChat(home.path)
  const { host, sessionId } = chat
  chat.write('a.md', 'zero\n')
  await chat.ask('One.', write('a.md', 'one\n'))
  const copies = join(home.path, 'file-copies', sessionId)
  expect(readdirSync(copies).map(name => readFileSync(join(copies, name), 'utf8'))).toEqual(['zero\n'])
  const { parts } = await host.client['data.sizes']({})
  expect(parts.find(({ id }) => id === 'file-copies')).toMatchObject({ bytes: 5, files: 1 })
  rmSync(copies, { recursive: true })
  expect((await chat.leaving({ how: 'undo' })).files).toMatchObject([
    { name: 'a.md', problem: 'The copy of its earlier content no longer exists.' },
  ])
  mkdirSync(copies)
  await host.client['session.remove']({ id: sessionId })
  await host.client['session.purge']({ ids: [sessionId] })
  await until(() => !existsSync(copies))
})
