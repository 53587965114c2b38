import { expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, endOf, turn, toldBy } from '../../../testing/host/a-host.ts'
import { gone } from '../../../testing/processes.ts'
import { until } from '../../../testing/until.ts'

/** A command that prints its process ids. It is unconfined, so the ids are the same inside and outside. */
const command = 'echo $$; (setsid sh -c "echo \\$\\$; exec sleep 700") & sleep 700'
const config = { terminal: { sandbox: 'off' } }

test.runIf(process.platform === 'linux')(
  'a background process is told to every window, and ends with its chat or with the host',
  async () => {
    using home = aHome()
    const host = await aHost(home.path, { coreTools: true })
    const { client, connectAgain } = host
    await client['settings.set']({ path: 'terminal.sandbox', value: config.terminal.sandbox })
    await using server = await aServer(client)
    const other = connectAgain()
    let told = 0
    void (async () => {
      for await (const event of other['app.watch']({})) if (toldBy(event).includes('process')) told++
    })().catch(() => undefined)

    async function aBackground() {
      const chat = await aChat(host, server, { approval: 'full' })
      server.reply(
        { toolCalls: [{ name: 'terminal', arguments: { action: 'start', command } }] },
        { text: 'It runs.' },
      )
      expect(endOf(await turn(host, chat.id, 'Start it.'))).toBe('done')
      const { processes } = await other['process.list']({})
      const { id } = processes.find(each => each.sessionId === chat.id)!
      let pids: number[] = []
      await until(async () => {
        const { value } = await other['process.watch']({ id, follow: false }).next()
        pids = (value?.text ?? '').trim().split('\n').map(Number)
        return pids.length === 2
      })
      return { chat, pids }
    }

    const first = await aBackground()
    const second = await aBackground()
    expect(told).toBeGreaterThan(0)
    await client['session.remove']({ id: first.chat.id })
    await gone(...first.pids)
    await until(async () => (await other['process.list']({})).processes.length === 1)
    await host.close()
    await gone(...second.pids)
    expect(host.mistakes()).toEqual([])
  },
)
