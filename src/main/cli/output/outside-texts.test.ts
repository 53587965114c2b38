import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test, type Talaria } from '../../../../testing/terminal/cli.ts'
import { find, misbehaving, run, use } from '../../../../testing/mcp/chats-with-servers.ts'
import { linesOfTexts } from './outside-texts.ts'

const echo = (text: string) => use('mcp__echoes__echo', { text })

/**
 * A home with a server of tools, one of which may run unasked, and a context window with room for such tools.
 */
async function withEchoes(talaria: Talaria) {
  const served = await talaria.servedHome()
  const file = join(served.home, 'config.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"context_tokens":8192', '"context_tokens":32768'))
  await talaria.open(served.home)
  const mcp = (...args: string[]) => talaria.run(['--home', served.home, 'mcp', ...args])
  await mcp('add', 'echoes', '--yes', '--', process.execPath, misbehaving, 'good')
  await mcp('test', 'echoes')
  await mcp('allow', 'echoes', 'echo')
  return served
}

// `script` from util-linux provides a terminal; on other systems, `script` is a different program.
describe.skipIf(process.platform !== 'linux')('a text from outside behind a question', () => {
  test('is shown with its beginning and as a whole, and “I have read it” goes on without asking again', async ({
    talaria,
    expect,
  }) => {
    const { home, cwd, model } = await withEchoes(talaria)
    const said = `Hello from the server.\n${'It says more. '.repeat(40)}The end of it.`
    model.reply(find('echo'), echo(said), run('touch one'), run('touch two'), { text: 'Both done.' })
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd, '--approve', 'all'])
    await cli.shows('›')
    cli.types('go\r')
    await cli.shows('This chat has read text from the server echoes, which may have asked for it.')
    await cli.shows('From the server echoes, read by: Use echo of echoes')
    await cli.shows('│ Hello from the server.')
    await cli.shows('[r] I have read it, continue  [t] show the whole text')
    cli.types('t\r')
    await cli.shows('The end of it.')
    await cli.shows('Allow?')
    expect(existsSync(join(cwd, 'one'))).toBe(false)
    cli.types('r\r')
    await cli.shows(
      'You have read the texts of the server echoes and what the server echoes says of its tools.',
    )
    await cli.shows('Both done.')
    await cli.shows('›')
    expect([existsSync(join(cwd, 'one')), existsSync(join(cwd, 'two'))]).toEqual([true, true])
    cli.types('/exit\r')
    expect((await cli.ended).code).toBe(0)
  })

  test('nobody at a terminal, and no mode, says to have read it', async ({ talaria, expect }) => {
    const { home, cwd, model } = await withEchoes(talaria)
    model.reply(find('echo'), echo('Hello.'), run('touch one'), run('touch two'), { text: 'None done.' })
    const chat = ['chat', '-q', 'go', '--home', home, '--cwd', cwd, '--approve', 'all']
    const { stderr } = await talaria.run(chat)
    expect(stderr.match(/it asks in every mode/gi)).toHaveLength(2)
    expect(stderr).not.toContain('You have read')
    expect([existsSync(join(cwd, 'one')), existsSync(join(cwd, 'two'))]).toEqual([false, false])
  })
})

describe('the texts behind a question, as lines', () => {
  const text = (at: number) => ({
    id: `text_${at}`,
    source: `the server s${at}`,
    beginning: `Say\n\u202e${at}`,
  })
  test('hidden characters are visible', ({ expect }) => {
    expect(linesOfTexts([{ ...text(1), call: 'Use echo' }])).toBe(
      '  From the server s1, read by: Use echo\n    │ Say\n    │ ⟨U+202E⟩1\n',
    )
    expect(linesOfTexts([{ ...text(1), beginning: '' }])).toContain('no longer contains the text')
  })
  test('more than five are counted and listed', ({ expect }) => {
    const lines = linesOfTexts([1, 2, 3, 4, 5, 6].map(text))
    expect(lines).toMatch(/^ {2}6 texts may have led to this question:\n(?: {2}From the server s\d\n){6}$/)
  })
})
