import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connectClient } from '../../../shared/connect-client.ts'
import { contract } from '../../../shared/contract/index.ts'
import { connectPipe } from '../../rpc/pipe.ts'
import { test } from '../../../../testing/terminal/cli.ts'

test('after a terminal is killed, its turn continues in the chat’s own mode, not in full access', async ({
  talaria,
  expect,
}) => {
  const { home, cwd, model } = await talaria.openHome()
  const goOn = Promise.withResolvers<void>()
  model.reply(
    { toolCalls: [{ name: 'terminal', arguments: { command: 'touch first' } }] },
    {
      text: 'Now the second.',
      toolCalls: [{ name: 'terminal', arguments: { command: 'touch second' } }],
      halts: [{ after: 1, until: goOn.promise }],
    },
    { text: 'Done.' },
  )
  const cli = talaria.start(['chat', '--json', '-q', 'go', '--approve', 'all', '--home', home, '--cwd', cwd])
  await cli.shows('"by":"mode"')
  const { sessionId } = JSON.parse(cli.stdout().split('\n')[0]!).message as { sessionId: string }

  const channel = await connectPipe(home)
  const client = connectClient(contract, channel!)
  const { approval: during, activeRunId } = await client['session.get']({ id: sessionId })
  expect([during, existsSync(join(cwd, 'first'))]).toEqual(['full', true])
  const changes = client['app.watch']({})
  await changes.next()

  cli.child.kill('SIGKILL')
  await once(cli.child, 'close')
  for await (const event of changes)
    if (event.type === 'session' && event.session.id === sessionId && event.session.approval === 'ask') break
  goOn.resolve()

  const events = []
  for await (const event of client['run.watch']({ runId: activeRunId! })) events.push(event)
  channel!.close()
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'done' })
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'message',
      message: expect.objectContaining({
        role: 'tool',
        ok: false,
        record: { decision: 'denied', by: 'nobody', why: 'The terminal that started this is gone.' },
      }) as unknown,
    }),
  )
  expect(existsSync(join(cwd, 'second'))).toBe(false)
})
