import { describe } from 'vitest'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { RunEvent } from '../../../shared/contract/runs/run.ts'
import { neverDone, oneThread, test, type Command } from '../../../../testing/terminal/cli.ts'

const eventsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => RunEvent.parse(JSON.parse(line)))

/** Press Ctrl-C like a terminal: the signal goes to the command and all its child processes. */
const pressCtrlC = ({ child }: Command) => process.kill(-child.pid!, 'SIGINT')

// Windows has no signals, and a console's Ctrl-C cannot be sent to one command.
describe.skipIf(process.platform === 'win32').concurrent('Ctrl-C', () => {
  test('stops the answer, keeps what was written, and ends with code 1', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: ['one two', ' three'], after: 1, stallMs: 60_000 })
    const cli = talaria.start(['chat', '--json', '-q', 'count', '--home', home])
    await cli.shows('one two')
    pressCtrlC(cli)
    const { code, stdout } = await cli.ended
    expect([code, eventsOf(stdout).slice(-2)]).toMatchObject([
      1,
      [
        { type: 'message', message: { text: 'one two', interrupted: true } },
        { type: 'turn_end', reason: 'stopped' },
      ],
    ])
    expect(await model.chats()[0]?.cut).toBe(true)
  })

  test('says so where the answer is plain text', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: ['one two', ' three'], after: 1, stallMs: 60_000 })
    const cli = talaria.start(['chat', '-q', 'count', '--home', home])
    await cli.shows('one two')
    pressCtrlC(cli)
    expect(await cli.ended).toEqual({ code: 1, stdout: 'one two\n', stderr: 'Stopped.\n' })
  })

  test('stops a local model, whose engine receives the same signal', async ({ talaria, expect }) => {
    const endless = scriptedModel(neverDone)
    const args = ['chat', '--json', '-q', 'go', '--model', endless, '--home', talaria.folder(oneThread)]
    const cli = talaria.start(args)
    await cli.shows('text_delta')
    pressCtrlC(cli)
    const { code, stdout, stderr } = await cli.ended
    expect([code, stderr, eventsOf(stdout).slice(-2)]).toMatchObject([
      1,
      '',
      [
        { type: 'message', message: { interrupted: true } },
        { type: 'turn_end', reason: 'stopped' },
      ],
    ])
  })

  test('pressed twice, it ends without waiting', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: ['one two', ' three'], after: 1, stallMs: 60_000 })
    const cli = talaria.start(['chat', '-q', 'count', '--home', home])
    await cli.shows('one two')
    pressCtrlC(cli)
    pressCtrlC(cli)
    const { code, stderr } = await cli.ended
    expect(code).not.toBe(0)
    expect(stderr).not.toContain('Fault')
  })
})

describe.concurrent('two commands with one home folder', () => {
  test('the second uses the host of the first, which keeps running', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const first = talaria.startOnTerminal(['chat', '--home', home])
    await first.shows('›')
    model.reply({ text: 'Answered.' })
    expect(await talaria.run(['chat', '-q', 'hi', '--home', home])).toEqual({
      code: 0,
      stdout: 'Answered.\n',
      stderr: '',
    })
    first.types('/exit\r')
    expect((await first.ended).code).toBe(0)
  })

  test('the first waits until the answer of the second is complete', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const first = talaria.startOnTerminal(['chat', '--home', home])
    await first.shows('›')
    model.reply({ text: ['begun', ' and ended'], after: 1, stallMs: 60_000 })
    const second = talaria.start(['chat', '-q', 'hi', '--home', home])
    await second.shows('begun')
    first.types('/exit\r')
    await first.shows('Another command is still using this Talaria')
    pressCtrlC(second)
    expect([(await second.ended).code, (await first.ended).code]).toEqual([1, 0])
  })

  test('a host that goes away during an answer is reported', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: ['begun', ' and ended'], after: 1, stallMs: 60_000 })
    const first = talaria.start(['chat', '-q', 'one', '--home', home])
    await first.shows('begun')
    const second = talaria.start(['chat', '-q', 'two', '--home', home])
    await second.shows('begun')
    first.child.kill('SIGKILL')
    expect(await second.ended).toEqual({
      code: 1,
      stdout: 'begun\n',
      stderr: 'The host went away.\n',
    })
  })
})
