import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer } from '../../../../testing/host/a-host.ts'
import { OBEYED_FILES } from '../../../shared/contract/runs/permissions.ts'

type Call = { name: string; arguments: Record<string, unknown> }
const write = (path: string, content = 'x\n'): Call => ({ name: 'write_file', arguments: { path, content } })
const patch = (path: string, from: string, to: string): Call => ({
  name: 'patch_file',
  arguments: { path, old_string: from, new_string: to },
})

/** A host with a chat that has full access in its own folder. Only `make` answers its questions. */
async function aFullChat(home: string) {
  const folder = join(home, 'workspace', 'desk')
  mkdirSync(folder, { recursive: true })
  const host = await aHost(home, { coreTools: true })
  const server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server, { approval: 'full' })
  await host.client['session.update']({ id: sessionId, workspace: folder })
  const path = (name: string) => join(folder, name)
  return {
    host,
    sessionId,
    folder,
    path,
    read: (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : null),
    /** Let the model make a call, and answer the questions. Return their reasons and the stored result. */
    async make(call: Call, decision: 'once' | 'folder' | 'deny' = 'deny') {
      server.reply({ toolCalls: [call] }, { text: 'Done.' })
      const { runId } = await host.client['chat.send']({ sessionId, text: 'Go on.' })
      const asked: string[] = []
      for await (const event of host.client['run.watch']({ runId }))
        if (event.type === 'approval_request') {
          asked.push(event.approval.reason)
          await host.client['run.approve']({ runId, approvalId: event.approval.id, decision })
        }
      const { messages } = await host.client['session.messages']({ id: sessionId })
      const result = messages.findLast(message => message.role === 'tool')
      return { asked, text: result?.text, obeyed: result?.role === 'tool' ? result.obeyed : undefined }
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

test.for([
  ['.git/hooks/pre-commit', 'Git obeys this file without being asked.'],
  ['.envrc', 'Direnv obeys this file without being asked.'],
  ['.vscode/tasks.json', 'VS Code obeys this file without being asked.'],
  ['.VSCode/tasks.json', 'VS Code obeys this file without being asked.'],
  ['.husky/pre-commit', 'Git obeys this file without being asked.'],
  ['sub/AGENTS.md', 'Agents obey this file without being asked.'],
  ['rc', 'Direnv obeys this file without being asked.'],
  ['docs/linked.txt', 'Agents obey this file without being asked.'],
  ['tools/sourced.sh', 'Direnv obeys this file without being asked.'],
] as const)('with full access, writing %s asks and says who obeys it', async ([name, reason]) => {
  using home = aHome()
  await using chat = await aFullChat(home.path)
  if (name === 'rc') symlinkSync('rc', chat.path('.envrc'))
  if (name.startsWith('docs/')) {
    mkdirSync(chat.path('packages/a'), { recursive: true })
    symlinkSync('../../docs/linked.txt', chat.path('packages/a/CLAUDE.md'))
  }
  if (name.startsWith('tools/')) writeFileSync(chat.path('.envrc'), 'source tools/sourced.sh\n')
  const denied = await chat.make(write(name))
  expect([denied.asked.map(each => each.slice(0, reason.length)), chat.read(name)]).toEqual([[reason], null])
  const allowed = await chat.make(write(name), 'once')
  expect([allowed.asked.length, chat.read(name)]).toEqual([1, 'x\n'])
  expect(allowed.obeyed).toMatchObject([{ path: name, how: 'new', tier: 1, kept: 'stands' }])
  expect((await chat.make(patch(name, 'x', 'y'))).asked).toHaveLength(1)
  expect(chat.read(name)).toBe('x\n')
})

test('“always in this folder” makes the rule that lets such files be written unasked', async () => {
  using home = aHome()
  await using chat = await aFullChat(home.path)
  await chat.make(write('AGENTS.md', 'one\n'), 'folder')
  expect((await chat.host.client['permissions.list']({})).rules).toMatchObject([
    { effect: 'allow', tool: OBEYED_FILES, folder: chat.folder, network: false, by: 'card' },
  ])
  const again = await chat.make(write('AGENTS.md', 'two\n'))
  expect([again.asked, chat.read('AGENTS.md')]).toEqual([[], 'two\n'])
  expect(again.obeyed).toEqual([{ path: 'AGENTS.md', how: 'changed', by: 'agents', tier: 1, kept: 'stands' }])
})

test('what the person runs asks no more than before, and result and history say what it changed', async () => {
  using home = aHome()
  await using chat = await aFullChat(home.path)
  writeFileSync(chat.path('package.json'), '{"version":"1","scripts":{"test":"vitest"}}')
  const version = await chat.make(patch('package.json', '"1"', '"2"'))
  expect([version.asked, version.obeyed]).toEqual([[], undefined])
  const script = await chat.make(patch('package.json', 'vitest', 'node x'))
  expect(script.text).toContain('Changed package.json. It changed what `npm test` runs.')
  expect(script.obeyed).toEqual([
    { path: 'package.json', how: 'changed', by: '`npm test`', tier: 2, kept: 'stands' },
  ])
  const makefile = await chat.make(write('Makefile', 'all:\n'))
  expect(makefile.text).toContain('It changed what `make` runs.')
  expect(makefile.obeyed).toMatchObject([{ path: 'Makefile', how: 'new' }])
})

test('going back restores what programs obey only with a yes to that', async () => {
  using home = aHome()
  await using chat = await aFullChat(home.path)
  writeFileSync(chat.path('AGENTS.md'), 'one\n')
  await chat.make(write('AGENTS.md', 'two\n'), 'once')
  await chat.make(write('plain.md', 'x\n'))
  const { files } = await chat.host.client['branch.leaving']({
    sessionId: chat.sessionId,
    move: { how: 'undo' },
  })
  expect(files.map(({ name, obeyedBy }) => [name, obeyedBy])).toEqual([['plain.md', undefined]])
  const { messages } = await chat.host.client['session.messages']({ id: chat.sessionId })
  const left = await chat.host.client['branch.leaving']({
    sessionId: chat.sessionId,
    move: { how: 'edit', messageId: messages[0]!.id },
  })
  expect(left.files.map(({ name, obeyedBy }) => [name, obeyedBy])).toEqual([
    ['AGENTS.md', 'agents'],
    ['plain.md', undefined],
  ])
  const steps = left.files.map(({ path, from, to }) => ({ path, from, to }))
  const { restored, failed } = await chat.host.client['files.restore']({
    sessionId: chat.sessionId,
    files: steps,
  })
  expect(restored.map(({ name }) => name)).toEqual(['plain.md'])
  expect(failed).toEqual([
    {
      name: 'AGENTS.md',
      why: 'Agents obey this file without being asked. It stays as it is until you agree to that.',
    },
  ])
  expect(chat.read('AGENTS.md')).toBe('two\n')
  await chat.host.client['files.restore']({
    sessionId: chat.sessionId,
    files: steps.filter(({ path }) => path.endsWith('AGENTS.md')),
    obeyed: true,
  })
  expect(chat.read('AGENTS.md')).toBe('one\n')
})
