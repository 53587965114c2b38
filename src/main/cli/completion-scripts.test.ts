import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../testing/terminal/cli.ts'

/** How a shell starts without the settings of the person, and how it is made ready; `$script` is the completion. */
const SHELLS = {
  bash: {
    start: ['bash', '--norc', '--noprofile', '-i'],
    ready: ['talaria() { echo "ran: $*."; }', 'source "$script"', 'echo rea""dy'],
  },
  zsh: {
    start: ['zsh', '-f', '-i'],
    ready: [
      'talaria() { echo "ran: $*." }',
      'autoload -Uz compinit; compinit -u -D',
      'source "$script"',
      'echo rea""dy',
    ],
  },
  fish: {
    start: ['fish', '--no-config', '-i'],
    ready: ['function talaria; echo "ran: $argv."; end', 'source "$script"', 'echo rea""dy'],
  },
} as const

const isThere = (shell: string) => spawnSync(shell, ['-c', 'true'], { stdio: 'ignore' }).status === 0

/** What is typed, with \t for Tab, and the words that the command then gets. */
const LINES = [
  ['talaria vers\t', 'version'],
  ['talaria chats ren\tx', 'chats rename x'],
  ['talaria sessions ren\tx', 'sessions rename x'],
  ['talaria --home list skills sc\t', '--home list skills scan'],
  ['talaria chats export --format ht\t', 'chats export --format html'],
  ['talaria skills list --js\t', 'skills list --json'],
  ['talaria completion fi\t', 'completion fish'],
  ['talaria --verb\t', '--verbose'],
] as const

describe.concurrent('the Tab key completes commands', () => {
  for (const [shell, { start, ready }] of Object.entries(SHELLS))
    test(`in ${shell}`, async ({ talaria, expect, skip }) => {
      if (process.platform !== 'linux') skip('script is another program here')
      if (!isThere(shell)) {
        if (process.env['TALARIA_MUST_COMPLETE'] === '1') throw new Error(`${shell} is not installed`)
        skip(`${shell} is not installed`)
      }
      const home = talaria.folder()
      const script = join(home, 'completion')
      const { code, stdout } = await talaria.run(['completion', shell])
      expect(code).toBe(0)
      writeFileSync(script, stdout)
      const cli = talaria.startProgram([...start], { cwd: home, env: { HOME: home, ZDOTDIR: home, script } })
      cli.types(`${ready.join('\r')}\r`)
      await cli.shows('ready')
      for (const [typed, words] of LINES) {
        cli.types(`${typed}\r`)
        await cli.shows(`ran: ${words}.`)
      }
      cli.types('exit\r')
      expect((await cli.ended).code).toBe(0)
    })

  test('every command can be given a home folder', async ({ talaria, expect }) => {
    const { stdout } = await talaria.run(['completion', 'fish'])
    const lines = stdout.split('\n').filter(line => line.startsWith('complete '))
    const placeOf = (line: string) => /__talaria_at "([^"]*)"/.exec(line)?.[1]
    const places = new Set(lines.map(placeOf))
    const groups = new Set(lines.filter(line => / -f -a /.test(line)).map(placeOf))
    const withHome = new Set(lines.filter(line => line.includes(' -l home ')).map(placeOf))
    expect(places.size).toBeGreaterThan(70)
    expect([...places].filter(place => !withHome.has(place) && !groups.has(place))).toEqual([])
  })
})
