import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'
import { readSpoolLine } from '../../other-agents/inbox/spool-line.ts'

const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n')

describe.concurrent('what scripts hand over', () => {
  test('is one line an event in the spool, which only this user reads', async ({ talaria, expect }) => {
    const home = talaria.folder()
    const cwd = talaria.folder()
    const run = (...args: string[]) => talaria.run([...args, '--home', home], { cwd })
    const mine = ['--agent', 'claude-code', '--session', '42']
    const tracked = await run(
      'track-tool',
      ...mine,
      '--tool',
      'Bash',
      '--input',
      '{"command": "npm test"}',
      '--failed',
    )
    expect(tracked).toMatchObject({ code: 0, stdout: '', stderr: '' })
    await run(
      'track-tool',
      ...mine,
      '--tool',
      'Bash',
      '--input',
      'just text',
      '--output',
      'three\nlines\nüöä',
      '--ok',
    )
    expect(await run('on-session-end', ...mine)).toMatchObject({ code: 0, stdout: '' })
    const path = join(home, 'inbox', 'claude-code', '42.jsonl')
    const read = linesOf(path).map(line => readSpoolLine('claude-code:42', line))
    expect(read).toMatchObject([
      {
        folder: cwd,
        event: { type: 'tool_result', name: 'Bash', arguments: { command: 'npm test' }, ok: false, text: '' },
      },
      { event: { arguments: { input: 'just text' }, ok: true, text: 'three\nlines\nüöä' } },
      { event: { type: 'session_end', session: 'claude-code:42' } },
    ])
    expect(new Set(read.map(each => 'id' in each && each.id)).size).toBe(3)
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    }
  })

  test('comes from standard input too, and is cut to what an event may hold', async ({ talaria, expect }) => {
    const home = talaria.folder()
    const args = ['track-tool', '--agent', 'mine', '--tool', 'test', '--output', '-', '--home', home]
    const piped = await talaria.start(args, { input: 'ü'.repeat(500_000) }).ended
    expect(piped.code).toBe(0)
    expect(piped.stderr).toMatch(/^The output was cut: \d{3},\d{3} characters did not fit\.\n$/)
    const now = new Date()
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part =>
      String(part).padStart(2, '0'),
    )
    const [line] = linesOf(join(home, 'inbox', 'mine', `${day.join('-')}.jsonl`))
    expect(Buffer.byteLength(line!)).toBeGreaterThan(399_000)
    const read = readSpoolLine('mine:day', line!)
    expect('event' in read && 'text' in read.event && read.event.text).toMatch(/^ü+$/)
  })

  test('is refused in words when it cannot be', async ({ talaria, expect }) => {
    const home = talaria.folder()
    const track = (...args: string[]) => talaria.run(['track-tool', '--tool', 'x', '--home', home, ...args])
    expect((await talaria.run(['track-tool', '--home', home])).code).toBe(2)
    expect(await track('--agent', '../evil')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('letters'),
    })
    expect(await track('--agent', 'a', '--session', 'a/b')).toMatchObject({ code: 2 })
    expect(await track('--agent', 'a', '--ok', '--failed')).toMatchObject({ code: 2 })
    expect(await track('--agent', 'a', '--input', '-', '--output', '-')).toMatchObject({ code: 2 })
    writeFileSync(join(home, 'inbox'), '')
    expect(await track('--agent', 'a')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    })
    rmSync(join(home, 'inbox'))
    const elsewhere = talaria.folder({ 'victim.txt': 'mine' })
    mkdirSync(join(home, 'inbox', 'a'), { recursive: true })
    symlinkSync(join(elsewhere, 'victim.txt'), join(home, 'inbox', 'a', 's.jsonl'))
    symlinkSync(elsewhere, join(home, 'inbox', 'b'))
    for (const agent of ['a', 'b']) expect((await track('--agent', agent, '--session', 's')).code).toBe(1)
    expect(readFileSync(join(elsewhere, 'victim.txt'), 'utf8')).toBe('mine')
  })
})
