import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test, type Desk } from './test-cli.ts'

/** Let a model call the terminal once and answer then; tells what came of it. */
async function ask(desk: Desk, command: string, args: string[]) {
  const { home, cwd, model } = await desk.servedHome()
  model.reply({ toolCalls: [{ name: 'terminal', arguments: { command } }] }, { text: 'Seen.' })
  const { code, stdout, stderr } = await desk.run(['chat', '-q', 'go', '--home', home, '--cwd', cwd, ...args])
  const told = String(model.chats()[1]?.body.messages.at(-1).content)
  return { code, stdout, stderr, told, cwd }
}

describe.concurrent('what runs without a question', () => {
  test('nothing where nobody can answer, and it says how to allow it', async ({ desk, expect }) => {
    const { code, stdout, stderr, cwd } = await ask(desk, 'touch proof', [])
    expect([code, stdout, existsSync(join(cwd, 'proof'))]).toEqual([0, 'Seen.\n', false])
    expect(stderr).toContain('--approve reads or --approve all')
  })

  test.for([
    ['none', 'ls -a', false],
    ['ask', 'ls -a', false],
    ['reads', 'ls -a', true],
    ['reads', 'touch proof', false],
    ['all', 'touch proof', true],
  ] as const)('--approve %s: “%s” runs: %s', async ([mode, command, runs], { desk, expect }) => {
    const { told, cwd } = await ask(desk, command, ['--approve', mode])
    expect(told.includes('--approve')).toBe(!runs)
    expect(existsSync(join(cwd, 'proof'))).toBe(runs && command === 'touch proof')
  })

  // Should the floor ever give way, `rm` itself still refuses because of its option.
  test.for(['none', 'reads', 'all'])(
    'deleting the disk never runs, not with --approve %s',
    async (mode, { desk, expect }) => {
      const { told, cwd } = await ask(desk, 'touch proof; rm -rf --preserve-root /', ['--approve', mode])
      expect(told).toContain('This never runs, in any mode.')
      expect(existsSync(join(cwd, 'proof'))).toBe(false)
    },
  )

  test('what it prints goes to standard error, and the model sees it', async ({ desk, expect }) => {
    const { stdout, stderr, told } = await ask(desk, 'echo from the tool', ['--approve', 'all'])
    expect(stdout).toBe('Seen.\n')
    expect(stderr).toContain('from the tool')
    expect(told).toContain('from the tool')
  })

  test('the mode of an earlier chat comes back when the command ends', async ({ desk, expect }) => {
    const { home, cwd, model } = await desk.servedHome()
    const touch = { toolCalls: [{ name: 'terminal', arguments: { command: 'touch proof' } }] }
    const args = ['chat', '--home', home, '--cwd', cwd, '-q', 'go']
    const first = await desk.run([...args, '--json', '--approve', 'all'])
    const { sessionId } = JSON.parse(first.stdout.split('\n')[0]!).message
    model.reply(touch, { text: 'Seen.' })
    const { stderr } = await desk.run([...args, '--session', sessionId])
    expect(stderr).toContain('nobody is here')
    expect(existsSync(join(cwd, 'proof'))).toBe(false)
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).not.toContain('approvals')
  })
})
