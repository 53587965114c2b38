import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { connectClient } from '../../../shared/connect-client.ts'
import { contract } from '../../../shared/contract/index.ts'
import { connectPipe } from '../../rpc/pipe.ts'
import { test, type Talaria } from '../../../../testing/terminal/cli.ts'
import { howItRuns } from '../output/terminal-text.ts'

/** Let the model call the terminal once and then answer; returns what happened. */
async function ask(talaria: Talaria, command: string, args: string[]) {
  const { home, cwd, model } = await talaria.servedHome()
  model.reply({ toolCalls: [{ name: 'terminal', arguments: { command } }] }, { text: 'Seen.' })
  const { code, stdout, stderr } = await talaria.run([
    'chat',
    '-q',
    'go',
    '--home',
    home,
    '--cwd',
    cwd,
    ...args,
  ])
  const told = String(model.chats()[1]?.body.messages.at(-1).content)
  return { code, stdout, stderr, told, cwd }
}

describe.concurrent('what runs without approval', () => {
  test('nothing, where nobody can answer, and the error says how to allow it', async ({
    talaria,
    expect,
  }) => {
    const { code, stdout, stderr, cwd } = await ask(talaria, 'touch proof', [])
    expect([code, stdout, existsSync(join(cwd, 'proof'))]).toEqual([0, 'Seen.\n', false])
    expect(stderr).toContain('--approve reads or --approve all')
  })

  test.for([
    ['none', 'ls -a', false],
    ['ask', 'ls -a', false],
    ['reads', 'ls -a', true],
    ['reads', 'touch proof', false],
    ['all', 'touch proof', true],
  ] as const)('--approve %s: “%s” runs: %s', async ([mode, command, runs], { talaria, expect }) => {
    const { told, cwd } = await ask(talaria, command, ['--approve', mode])
    expect(told.includes('--approve')).toBe(!runs)
    expect(existsSync(join(cwd, 'proof'))).toBe(runs && command === 'touch proof')
  })

  test('deleting the disk never runs, not with --approve all', async ({ talaria, expect }) => {
    // If the hard limit ever fails, `rm` itself still refuses because of its option.
    const { told, cwd } = await ask(talaria, 'touch proof; rm -rf --preserve-root /', ['--approve', 'all'])
    expect(told).toContain('This never runs, in any mode.')
    expect(existsSync(join(cwd, 'proof'))).toBe(false)
  })

  test('command output goes to standard error, and the model sees it', async ({ talaria, expect }) => {
    const { stdout, stderr, told } = await ask(talaria, 'echo from the tool', ['--approve', 'all'])
    expect(stdout).toBe('Seen.\n')
    expect(stderr).toContain('  $ echo from the tool\nfrom the tool\n')
    expect(told).toContain('from the tool')
  })

  test('--approve does not change the chat’s own mode', async ({ talaria, expect }) => {
    const { home } = await talaria.servedHome()
    const { stdout } = await talaria.run(['chat', '--json', '-q', 'hi', '--home', home, '--approve', 'all'])
    const { sessionId } = JSON.parse(stdout.split('\n')[0]!).message
    const host = talaria.startOnTerminal(['chat', '--home', home])
    await host.shows('›')
    const channel = await connectPipe(home)
    const session = await connectClient(contract, channel!)['session.get']({ id: sessionId })
    channel!.close()
    expect(session.approval).toBe('ask')
  })
})

test('a question that an older version stored, without keys, is put in words', ({ expect }) => {
  const stored = { whyNot: '', offline: false, gitConfig: false }
  expect(howItRuns(stored)).toBe(
    'It runs confined: it can change this chat’s folder only and has no network. It sees no keys.',
  )
  const given = howItRuns({ ...stored, keys: ['DEEPL_KEY'] })
  expect(given).toContain('and no others: DEEPL_KEY.')
  expect(given).not.toContain('no keys')
  expect(howItRuns({ ...stored, gitConfig: true })).toContain('It may change what git obeys in this folder')
})
