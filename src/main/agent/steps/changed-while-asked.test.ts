import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, aHost, aServer, turn } from '../../../../testing/host/a-host.ts'
import { unconfined } from '../../../../testing/mcp/chats-with-servers.ts'

/** The result of a call whose card was approved after something else changed. */
async function agreedAfter(
  home: string,
  toolCall: { name: string; arguments: Record<string, unknown> },
  change: (folder: string) => void,
) {
  await using host = await aHost(home, { coreTools: true, ...unconfined })
  await using server = await aServer(host.client)
  const folder = join(realpathSync(home), 'yard')
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, '.git', name))
  writeFileSync(join(folder, '.git', 'config'), '[core]\n')
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  const { id } = await host.client['session.create']({ modelId: server.modelId, workspace: folder })
  server.reply({ toolCalls: [toolCall] }, { text: 'Done.' })
  let asked = 0
  await turn(host, id, 'Go.', async (event, runId) => {
    if (event.type !== 'approval_request') return
    asked++
    change(folder)
    await host.client['run.approve']({
      runId,
      approvalId: event.approval.id,
      decision: 'once',
      note: '',
    })
  })
  const { messages } = await host.client['session.messages']({ id })
  return { folder, asked, said: messages.findLast(({ role }) => role === 'tool')!.text }
}
const byHand = (folder: string) => writeFileSync(join(folder, 'a.txt'), 'one, changed by hand\n')

test.each([
  ['write_file', { path: 'a.txt', content: 'two\n' }],
  ['patch_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }],
])('%s changes nothing when its file changed while its card was open', async (name, given) => {
  using home = aHome()
  const call = { name, arguments: given }
  const { folder, asked, said } = await agreedAfter(home.path, call, byHand)
  expect([asked, said]).toEqual([1, expect.stringContaining('Nothing was done: while the user was asked')])
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one, changed by hand\n')

  using other = aHome()
  const agreed = await agreedAfter(other.path, call, () => {})
  expect(readFileSync(join(agreed.folder, 'a.txt'), 'utf8')).toBe('two\n')
})

test('a file that a program began to obey while its card was open is not written', async () => {
  using home = aHome()
  const { folder, said } = await agreedAfter(
    home.path,
    { name: 'write_file', arguments: { path: 'hooks/pre-commit', content: 'echo\n' } },
    inside => writeFileSync(join(inside, '.git', 'config'), '[core]\n\thooksPath = hooks\n'),
  )
  expect(said).toContain('or what obeys it')
  expect(existsSync(join(folder, 'hooks'))).toBe(false)
})
