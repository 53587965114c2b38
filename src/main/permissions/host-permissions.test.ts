import { toldBy } from '../../../testing/host/a-host.ts'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { connectClient } from '../../shared/connect-client.ts'
import { contract } from '../../shared/contract/index.ts'
import { createHost } from '../host.ts'
import { memoryChannels } from '../rpc/channels.ts'
import { connectPipe } from '../rpc/pipe.ts'
import { serveContract } from '../rpc/serve.ts'

/** A host with a window and a terminal. `until` waits for the window's next event of a type. */
async function aHost() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-permissions-')))
  const host = await createHost({ hosting: 'headless', home })
  onTestFinished(async () => {
    await host.close()
    rmSync(home, { recursive: true, force: true })
  })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const window = connectClient(contract, ours)
  const terminal = connectClient(contract, (await connectPipe(home))!)
  const events = window['app.watch']({})
  await events.next()
  const until = async (type: string) => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) throw new Error(`The events ended without “${type}”.`)
      if (toldBy(value).includes(type)) return value
    }
  }
  return { home, window, terminal, until }
}

test('every window follows the rules, and is told which of them a terminal added', async () => {
  const { window, terminal, until } = await aHost()
  await window['permissions.add']({ effect: 'ask', command: 'npm publish' })
  await until('permissions')
  const rule = await terminal['permissions.add']({ effect: 'allow', command: 'npm test', by: 'terminal' })
  expect(await until('notice')).toMatchObject({
    notice: { level: 'warning', text: 'A rule was added in a terminal. It always allows “npm test”.' },
  })
  expect((await window['permissions.list']({})).rules).toHaveLength(2)
  const shown = (await window['permissions.list']({})).rules
  const seenOf = (id: string) => shown.find(each => each.id === id)!.seen
  await terminal['permissions.remove']({ id: rule.id, seen: seenOf(rule.id) })
  expect(await until('notice_ended')).toMatchObject({ id: `terminal-rule-${rule.id}` })
  const [kept] = shown.filter(({ id }) => id !== rule.id)
  await terminal['permissions.remove']({ id: kept!.id, seen: kept!.seen })
  expect(await until('notice')).toMatchObject({
    notice: { text: 'A rule was removed in a terminal. It always asks about “npm publish”.' },
  })
})

test('a notice about a setting ends once the user sets it in the window', async () => {
  const { window, terminal, until } = await aHost()
  await terminal['settings.set']({ path: 'terminal.sandbox', value: 'off' })
  const { notice } = (await until('notice')) as { notice: { id: string } }
  await window['settings.set']({ path: 'terminal.sandbox', value: 'on' })
  expect(await until('notice_ended')).toMatchObject({ id: notice.id })
})

test('a window is told what a terminal changes about modes and confinement, and nothing of its own changes', async () => {
  const { window, terminal, until } = await aHost()
  await window['settings.set']({ path: 'approvals.default', value: 'reads' })
  await terminal['settings.set']({ path: 'ui.theme', value: 'dark' })
  await terminal['settings.set']({ path: 'approvals.default', value: 'full' })
  expect(await until('notice')).toMatchObject({
    notice: { text: '“New chats may” was changed in a terminal, to "full".' },
  })
  await terminal['settings.set']({ path: 'terminal.sandbox', value: 'off' })
  expect(await until('notice')).toMatchObject({
    notice: { text: '“Confine commands” was changed in a terminal, to "off".' },
  })
  await terminal['settings.reset']({ path: 'approvals' })
  expect(await until('notice')).toMatchObject({ notice: { id: 'terminal-approvals' } })
})

test('a lent mode is shown, is told, ends with its terminal, and is never stored', async () => {
  const { window, terminal, until } = await aHost()
  const { id, approval } = await window['session.create']({})
  const over = new AbortController()
  const loan = terminal['session.lendMode']({ id, approval: 'full' }, { signal: over.signal })
  expect(await loan.next()).toMatchObject({ value: { approval: 'full' } })
  expect(await until('notice')).toMatchObject({
    notice: { text: expect.stringContaining('with full access') as string },
  })
  expect((await window['session.get']({ id })).approval).toBe('full')
  over.abort()
  await expect.poll(async () => (await window['session.get']({ id })).approval).toBe(approval)
})

test('the user sets another mode in the window, and a lent one ends', async () => {
  const { window, terminal } = await aHost()
  const { id } = await window['session.create']({})
  await terminal['session.lendMode']({ id, approval: 'full' }).next()
  expect((await window['session.update']({ id, approval: 'none' })).approval).toBe('none')
})

test('what would happen to a command is said with the reason and what each part does', async () => {
  const { home, window } = await aHost()
  await window['permissions.add']({ effect: 'never', command: 'git push' })
  await window['permissions.add']({ effect: 'allow', command: 'npm test', unconfined: true })
  const tried = (command: string, mode?: 'ask' | 'reads' | 'full' | 'none') =>
    window['permissions.test']({ command, ...(mode && { mode }) })
  expect(await tried('npm test && git push', 'full')).toMatchObject({
    decision: 'refuse',
    reason: 'A rule of the user forbids it: “git push”.',
    access: null,
    parts: [{ command: 'npm test' }, { command: 'git push' }],
  })
  expect(await tried('npm test', 'none')).toMatchObject({
    decision: 'run',
    reason: 'allowed by your rule “npm test”',
  })
  expect(await tried('npm run e2e')).toMatchObject({ decision: 'ask' })
  expect(await tried('ls', 'reads')).toMatchObject({ decision: 'run', reason: 'a command that only reads' })
  expect(await tried(`cat ${home}/permissions.json`, 'full')).toMatchObject({ decision: 'refuse' })
  expect(await tried('talaria config set approvals.default full', 'full')).toMatchObject({
    decision: 'refuse',
  })
})

test('no chat works in the home of Talaria, where its rights and keys are', async () => {
  const { home, window } = await aHost()
  for (const workspace of [home, join(home, 'backups')])
    await expect(window['session.create']({ workspace })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('belongs to Talaria itself') as string,
    })
  const { id } = await window['session.create']({ workspace: join(home, 'workspace') })
  await expect(window['session.update']({ id, workspace: home })).rejects.toMatchObject({ code: 'bad_input' })

  // A version without this rule may have stored one.
  const database = new Database(join(home, 'state.db'))
  database.prepare('UPDATE sessions SET workspace = ? WHERE id = ?').run(home, id)
  database.close()
  await expect(window['chat.send']({ sessionId: id, text: 'Look around' })).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('Choose another folder') as string,
  })
})

test('no host starts with its own home as the folder of new chats', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-permissions-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  await expect(createHost({ hosting: 'headless', home, workspace: home })).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('belongs to Talaria itself') as string,
  })
})

test('bad wishes are refused with a sentence', async () => {
  const { window } = await aHost()
  await expect(window['permissions.add']({ effect: 'allow', command: 'sh x' })).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('cannot be allowed for good') as string,
  })
  await expect(
    window['permissions.add']({ effect: 'never', command: 'ls', folder: '/no/such/folder' }),
  ).rejects.toMatchObject({ code: 'bad_input' })
  await expect(window['permissions.remove']({ id: 'gone', seen: '0'.repeat(64) })).rejects.toMatchObject({
    code: 'not_found',
  })
  const rule = await window['permissions.add']({ effect: 'never', command: 'ls' })
  await expect(
    window['permissions.restore']({ rule: { ...rule, effect: 'allow', command: ['xargs', 'ls'] } }),
  ).rejects.toMatchObject({ code: 'bad_input' })
})
