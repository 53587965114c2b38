import { stripVTControlCharacters } from 'node:util'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

describe.concurrent('talaria help', () => {
  test('lists the commands, and the topics of the guide', async ({ talaria, expect }) => {
    const { code, stdout } = await talaria.run(['help'])
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: talaria [options] [command]')
    expect(stdout).toMatch(/^Topics, for “talaria help TOPIC”:$/m)
    expect(stdout).toMatch(/^ {2}command-line +Command line$/m)
  })

  test('prints the help of a command, also of one in a group', async ({ talaria, expect }) => {
    const { code, stdout } = await talaria.run(['help', 'models', 'add'])
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Usage: talaria models add [options] <file|folder>'])
    expect(stdout).toBe((await talaria.run(['models', 'add', '--help'])).stdout)
  })

  test('prints a page by its name or its id, plain where there is no terminal', async ({
    talaria,
    expect,
  }) => {
    const { code, stdout } = await talaria.run(['help', 'settings'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^SETTINGS\n\nEvery setting of config\.yaml/)
    expect(stdout).toContain('\nui.theme\n\nColours. Light, dark, or like the system.\n')
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(160)
    expect(stdout).toBe(stripVTControlCharacters(stdout))
    expect((await talaria.run(['help', 'reference/settings'])).stdout).toBe(stdout)
  })

  test('is wrapped at the width of a terminal', async ({ talaria, expect }) => {
    const open = talaria.startOnTerminal(['help', 'reference/settings'], { columns: 50 })
    const { code, stdout } = await open.ended
    expect(code).toBe(0)
    const lines = stripVTControlCharacters(stdout).split(/\r?\n/)
    expect(lines[0]).toBe('SETTINGS')
    expect(lines).toContain('Every setting of config.yaml, in the groups of the')
  })

  test('names near topics, and all of them, for one that there is not', async ({ talaria, expect }) => {
    const { code, stderr } = await talaria.run(['help', 'settingz'])
    expect(code).toBe(2)
    expect(stderr).toContain('There is no command and no topic “settingz”. Did you mean settings')
    expect(stderr).toMatch(/^ {2}command-line +Command line$/m)
  })

  test.for(['../package', '/etc/passwd', '../../README.md'])(
    'opens nothing but pages: %s',
    async (name, { talaria, expect }) => {
      const { code, stdout, stderr } = await talaria.run(['help', name])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('There is no command and no topic')
    },
  )
})
