import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { forkEngine, openLink } from '../models/engines/local/process/start-engine.ts'
import { entryPath, rootFolder } from '../lib/disk/shipped-files.ts'
import { connectClient } from '../../shared/connect-client.ts'
import { contract } from '../../shared/contract/index.ts'
import { connectPipe } from '../rpc/pipe.ts'
import { test, type Command } from '../../../testing/terminal/cli.ts'

const preload = pathToFileURL(join(rootFolder(), 'testing/host/throw-when-told.ts')).href
/** Makes a process throw an uncaught error on request. */
const throwing = { env: { NODE_OPTIONS: `--import=${preload}` } }

const logOf = (home: string) => readFileSync(join(home, 'logs/talaria.log'), 'utf8')

/** Make a process throw, and return how it ended. */
async function crash({ child, ended }: Command) {
  child.kill('SIGUSR2')
  const { code, stderr } = await ended
  return { code, stderr }
}

test('a headless host that crashes logs the error, keeps what was shown, and says where to look', async ({
  talaria,
  expect,
}) => {
  const { home, cwd, model } = await talaria.servedHome()
  const host = await talaria.startHost(home, throwing)
  const never = Promise.withResolvers<void>()
  model.reply({ text: 'Shown so far.', halts: [{ after: 1, until: never.promise }] })
  const chat = talaria.start(['chat', '-q', 'Go.', '--home', home, '--cwd', cwd])
  await chat.shows('Shown so far.')

  const { code, stderr } = await crash(host)
  never.resolve()
  await chat.ended
  expect([code, stderr.split('\n').length]).toEqual([1, 4])
  expect(stderr).toContain('has to close because of an unexpected error: planted in a test.')
  expect(stderr).toContain(join(home, 'logs', 'talaria.log'))
  expect(logOf(home)).toMatch(/"level":"error".*planted in a test/)

  await talaria.open(home)
  const channel = await connectPipe(home)
  const client = connectClient(contract, channel!)
  const { sessions } = await client['session.list']({})
  const { messages } = await client['session.messages']({ id: sessions[0]!.id })
  channel!.close()
  expect([sessions[0]!.activeRunId, messages.map(({ text }) => text)]).toEqual([
    null,
    ['Go.', 'Shown so far.'],
  ])
})

test.for([
  ['that is its own host', false],
  ['that uses a running host', true],
] as const)(
  'a terminal %s logs an error that nothing caught, without a stack trace',
  async ([, isClient], { talaria, expect }) => {
    const { home, cwd, model } = await talaria.servedHome()
    if (isClient) await talaria.open(home)
    const never = Promise.withResolvers<void>()
    model.reply({ text: 'Shown so far.', halts: [{ after: 1, until: never.promise }] })
    const chat = talaria.start(['chat', '-q', 'Go.', '--home', home, '--cwd', cwd], throwing)
    await chat.shows('Shown so far.')
    const { code, stderr } = await crash(chat)
    never.resolve()
    expect([code, /^ +at /m.test(stderr)]).toEqual([1, false])
    expect(stderr).toContain('has to close because of an unexpected error: planted in a test.')
    expect(logOf(home)).toMatch(/"level":"error".*planted in a test/)
  },
)

test('an engine that crashes leaves its error with the host before it is gone', async ({ expect }) => {
  const reported: unknown[] = []
  const engine = forkEngine(entryPath('engine-process'), throwing.env, [])
  const link = openLink(engine, error => reported.push(error))
  expect(await link.hello).toBe(true)
  engine.post('throw')
  expect([await link.ended, String(reported)]).toEqual(['1', expect.stringContaining('planted in a test')])
})
