import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

describe.concurrent('connect', () => {
  test('prints what it would do and writes nothing, then does it, and takes it out again', async ({
    talaria,
    expect,
  }) => {
    const user = talaria.folder()
    const home = join(user, '.talaria')
    mkdirSync(home)
    const env = { HOME: user, PATH: user }
    const run = (...args: string[]) => talaria.run(['connect', ...args, '--home', home], { env })
    const folder = join(home, 'connect/claude-code')
    const printed = await run('claude-code', '--print')
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining('talaria/hooks/hooks.json') })
    expect(printed.stdout).toContain(`claude plugin marketplace add ${folder}`)
    expect(existsSync(folder)).toBe(false)
    expect(await talaria.run(['setup', '--agent', 'claude-code', '--home', home], { env })).toMatchObject({
      stdout: printed.stdout,
    })
    expect(await run('claude-code')).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') })
    const done = await run('claude-code', '--yes')
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Run these commands yourself:') })
    const { mcpServers } = JSON.parse(readFileSync(join(folder, 'talaria/.mcp.json'), 'utf8')) as {
      mcpServers: { talaria: { args: string[]; env: Record<string, string> } }
    }
    expect(mcpServers.talaria.args.slice(-4)).toEqual(['mcp', 'serve', '--home', home])
    expect(readFileSync(mcpServers.talaria.env['TALARIA_AGENT_KEY_FILE']!, 'utf8')).toMatch(/^talaria-/)
    const listed = await run()
    expect(listed.stdout).toContain('Claude Code (claude-code): connected')
    const status = await talaria.run(['status', '--home', home], { env })
    expect(status.stdout).toMatch(
      /^Agent {5}Claude Code: needs attention, 0 sessions, 0 events, no events yet/m,
    )
    const agents = await talaria.run(['mcp', 'agents', '--home', home], { env })
    expect(agents.stdout).toContain('Claude Code: off')
    expect(await run('claude-code', '--remove', '--yes')).toMatchObject({ code: 0 })
    expect(existsSync(join(home, 'connect'))).toBe(false)
    const left = await talaria.run(['mcp', 'agents', '--home', home], { env })
    expect(left.stdout).toContain('No program is connected')
  })

  test.for(['codex', 'gemini'])(
    'prints lines for %s, says that nobody tried them, and does no more',
    async (program, { talaria, expect }) => {
      const home = talaria.folder()
      const { code, stdout, stderr } = await talaria.run(['connect', program, '--print', '--home', home])
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({
        hooks: { SessionStart: [{ hooks: [{ type: 'command' }] }] },
      })
      expect(stderr).toContain('were never tried')
      expect(await talaria.run(['connect', program, '--home', home])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--print'),
      })
    },
  )

  test('names what there is for a program that it does not know', async ({ talaria, expect }) => {
    const home = talaria.folder()
    for (const words of [
      ['connect', 'emacs'],
      ['setup', '--agent', 'emacs'],
    ])
      expect(await talaria.run([...words, '--home', home])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('claude-code'),
      })
  })
})
