import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

describe('what is offered under an answer', () => {
  test('without a terminal it is said that nothing was looked at', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: 'It is about the sea.' })
    const { stdout, stderr } = await talaria.run(['chat', '--home', home, '-q', 'read notes.txt'])
    expect(stdout).toBe('It is about the sea.\n')
    expect(stderr).toContain('Nothing was looked at for this answer.\n  1  Read notes.txt\n')
    expect(stderr).not.toContain('Type a number')
  })

  // `script` from util-linux provides a terminal; on other systems, `script` is a different program.
  test.skipIf(process.platform !== 'linux')(
    'a number does it, and where nothing is offered it is a message',
    async ({ talaria, expect }) => {
      const { home, model } = await talaria.servedHome()
      model.reply({ text: 'It is about the sea.' })
      const cli = talaria.startOnTerminal(['chat', '--home', home])
      await cli.shows('›')
      cli.types('read notes.txt\r')
      await cli.shows('Type a number to choose.')
      await cli.shows('›')
      model.reply({ text: 'There is no such file.' })
      cli.types('1\r')
      await cli.shows('There is no such file.')
      await cli.shows('›')
      model.reply({ text: 'One what?' })
      cli.types('1\r')
      await cli.shows('One what?')
      const last = JSON.stringify(model.chats().at(-1)?.body.messages)
      expect(last).toMatch(/"read notes\.txt".*"Read notes\.txt".*"1"/)
      cli.types('/exit\r')
      expect((await cli.ended).code).toBe(0)
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'a chat that is gone on with says again what a number does',
    async ({ talaria, expect }) => {
      const { home, model } = await talaria.servedHome()
      model.reply({ text: 'It is about the sea.' })
      await talaria.run(['chat', '--home', home, '-q', 'read notes.txt'])
      const { stdout } = await talaria.run(['chats', 'list', '--home', home, '--json'])
      const [chat] = JSON.parse(stdout).chats
      const cli = talaria.startOnTerminal(['chat', '--home', home, '--session', chat.id])
      await cli.shows('Nothing was looked at for this answer.')
      await cli.shows('Read notes.txt')
      await cli.shows('Type a number to choose.')
      cli.types('/exit\r')
      expect((await cli.ended).code).toBe(0)
    },
  )
})
