import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const UP = '\u001b[A'
const ALT_ENTER = '\u001b\r'
const paste = (text: string) => `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`
const KEY = 'sk-proj-4fQ9bKx2Lm7Tz1Vw8Rc5Yh3N'

/** The messages of the person that a model was given last. */
const lastOf = (model: { chats(): { body: any }[] }) => model.chats().at(-1)?.body.messages.at(-1).content

/** Types a line and waits for what it shows, and then for the next prompt. */
const saysIn =
  (cli: { types(text: string): void; shows(text: string): Promise<void> }) =>
  async (typed: string, ...shown: string[]) => {
    cli.types(`${typed}\r`)
    for (const each of shown) await cli.shows(each)
    await cli.shows('›')
  }

describe.skipIf(process.platform !== 'linux')('a conversation on a terminal', { concurrent: true }, () => {
  test('begins without a command, with what is used and how to leave, and ends with “exit”', async ({
    talaria,
    expect,
  }) => {
    const { home, cwd } = await talaria.servedHome()
    const cli = talaria.startOnTerminal(['--home', home], { cwd })
    await cli.shows('Ctrl-D leaves.')
    for (const part of ['Talaria 0.', 'Model   Test', `Folder  ${cwd}`, 'Tools   ', 'Skills  ', '/help'])
      expect(cli.stdout()).toContain(part)
    cli.types('exit\r')
    expect((await cli.ended).code).toBe(0)
  })

  test('remembers what was typed over starts, without keys and answers to questions', async ({
    talaria,
    expect,
  }) => {
    const { home, cwd, model } = await talaria.openHome()
    const first = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await first.shows('›')
    model.reply(
      { toolCalls: [{ name: 'terminal', arguments: { command: 'touch proof' } }] },
      { text: 'denied' },
      { text: 'seen' },
    )
    first.types('make a file\r')
    await first.shows('Allow?')
    first.types('n\r')
    await first.shows('denied')
    await first.shows('›')
    first.types(`my key is ${KEY} and more\r`)
    await first.shows('seen')
    await first.shows('›')
    first.types(CTRL_D)
    expect((await first.ended).code).toBe(0)
    const file = join(home, 'terminal-history')
    expect(readFileSync(file, 'utf8')).toBe('make a file\nmy key is [redacted] and more\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)

    model.reply({ text: 'again' })
    const second = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await second.shows('›')
    second.types(`${UP}${UP}\r`)
    await second.shows('again')
    expect(lastOf(model)).toBe('make a file')
    second.types(CTRL_D)
    expect((await second.ended).code).toBe(0)
  })

  test('/undo and /retry move on the branches of the chat, and /branches leads back', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.servedHome()
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    const say = saysIn(cli)
    await say('/branches', 'This chat has no branches.')
    model.reply({ text: 'Herons are grey.' })
    await say('What are herons?', 'Herons are grey.')
    model.reply({ text: 'Herons are birds.' })
    await say('/retry', 'Herons are birds.')
    await say('/undo', 'Went back before: What are herons?')
    await say('/undo', 'There is nothing to undo in this chat.')
    model.reply({ text: 'Storks are white.' })
    await say('What are storks?', 'Storks are white.')
    expect(model.chats().at(-1)?.body.messages).toHaveLength(2)
    await say('/branches', '* 4')
    await say('/branches 2', 'The chat now ends with: Herons are grey.')
    await say('/branches 9', 'There is no branch 9.')
    await say('/retry nobody', 'No model has the id nobody')
    model.reply({ text: 'They fish.' })
    await say('What do they do?', 'They fish.')
    expect(
      model
        .chats()
        .at(-1)
        ?.body.messages.slice(1)
        .map((each: any) => each.content),
    ).toEqual(['What are herons?', 'Herons are grey.', 'What do they do?'])
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('/continue goes on with an answer that was cut off', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    const say = saysIn(cli)
    model.reply({ text: 'Herons are grey', finish: 'length' })
    await say('What are herons?', 'Herons are grey')
    model.reply({ text: 'grey birds.' })
    await say('/continue', 'Herons are grey birds.')
    await say('/continue', 'The last answer of this chat was not cut off.')
    await say('/branches', '* 2')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('/agents lists the sub-agents of the chat, and stops those in the background', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.servedHome()
    // Only a large window has sub-agents.
    const config = join(home, 'config.yaml')
    writeFileSync(config, readFileSync(config, 'utf8').replace('8192', '32768'))
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    const say = saysIn(cli)
    await say('/agents', 'This chat has no sub-agents.')
    await say('/agents stop', 'No sub-agent of this chat is working.')
    const calls = ['Look here', 'Look there'].map(goal => ({
      name: 'delegate',
      arguments: { goal, background: true },
    }))
    model.reply({ toolCalls: calls }, ({ body }) =>
      JSON.stringify(body.messages).includes('## Goal') ? { stallMs: 600_000 } : { text: 'They are at it.' },
    )
    await say('Have two look', 'They are at it.')
    await say('/agents', 'working in the background, 0 steps: begins')
    await say('/agents all', '/agents lists the sub-agents, /agents stop stops them all.')
    await say('/agents stop', 'Stopped: worker 1, worker 2.')
    await say('/agents', 'stopped, 0 steps')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('/undo names what stays behind, and /restore brings files back', async ({ talaria, expect }) => {
    const { home, cwd, model } = await talaria.servedHome()
    writeFileSync(join(cwd, 'notes.md'), 'one\n')
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd, '--approve', 'all'])
    await cli.shows('›')
    const say = saysIn(cli)
    await say('/restore', 'Every file is as this chat left it.')
    const toolCalls = [
      { name: 'write_file', arguments: { path: 'notes.md', content: 'two\n' } },
      { name: 'terminal', arguments: { command: 'touch made' } },
    ]
    model.reply({ toolCalls }, { text: 'Written.' })
    await say('Write.', 'Written.')
    const asked = 'Restore which files? Numbers, “all”, Enter for none, “no” to stay here:'
    cli.types('/retry\r')
    await cli.shows('1 Restore notes.md')
    await cli.shows(asked)
    await say('no', 'Nothing was changed.')
    cli.types('/undo\r')
    await cli.shows(asked)
    await say(
      '',
      'Files changed there: notes.md. /restore restores them.',
      'A command or server call ran in the messages that were left.',
    )
    await say('/restore', '1 Restore notes.md', '    -two', '    +one')
    await say('/restore 2', 'No file has that number.')
    await say('/restore 1', 'Restored notes.md.')
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('one\n')
    model.reply({ toolCalls }, { text: 'Written again.' })
    await say('Write.', 'Written again.')
    cli.types('/retry\r')
    await cli.shows(asked)
    model.reply({ text: 'Nothing to write.' })
    await say('all', 'Restored notes.md.', 'Nothing to write.')
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('one\n')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test.for([
    ['a backslash at the end of a line', 'one\\\rtwo\r'],
    ['Alt+Enter', `one${ALT_ENTER}two\r`],
    ['pasted lines', `${paste('one\ntwo')}\r`],
  ])('%s makes one message of several lines', async ([, typed], { talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    model.reply({ text: 'Both seen.' })
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    cli.types(typed!)
    await cli.shows('Both seen.')
    expect(model.chats().map(({ body }) => body.messages.at(-1).content)).toEqual(['one\ntwo'])
    await cli.shows('›')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('Ctrl-C drops what is typed, says how to leave, and leaves when pressed again', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.openHome()
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    cli.types('half a line')
    await cli.shows('half a line')
    cli.types(CTRL_C)
    await cli.shows('›')
    model.reply({ text: 'A whole one.' })
    cli.types('whole\r')
    await cli.shows('A whole one.')
    expect(lastOf(model)).toBe('whole')
    await cli.shows('›')
    cli.types(CTRL_C)
    await cli.shows('Press Ctrl-C again to leave.')
    cli.types(CTRL_C)
    expect((await cli.ended).code).toBe(0)
  })

  test('skills, memory and models are a slash away, and Tab completes them', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    await talaria.run(['memory', 'add', 'Lives in Bergen.', '--home', home])
    const cli = talaria.startOnTerminal(['--home', home])
    await cli.shows('›')
    cli.types('/skills\r')
    await cli.shows('/commit-message')
    cli.types('/mem')
    await cli.shows('/mem')
    // Several letters at once count as pasted, where a Tab is a Tab.
    cli.types('\t')
    await cli.shows('ory')
    cli.types('\r')
    await cli.shows('Lives in Bergen.')
    cli.types('/comit-message\r')
    await cli.shows('There is no /comit-message. Did you mean /commit-message?')
    model.reply({ text: 'A message.' }, { text: 'A path.' })
    cli.types('/commit-message for this\r')
    await cli.shows('A message.')
    expect(JSON.stringify(model.chats()[0]?.body.messages)).toContain('for this')
    await cli.shows('›')
    cli.types('/etc/hosts is what?\r')
    await cli.shows('A path.')
    expect(lastOf(model)).toBe('/etc/hosts is what?')
    await cli.shows('›')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('a skill whose tools are off in the chat is not listed, and using it says why', async ({
    talaria,
    expect,
  }) => {
    const { home } = await talaria.servedHome()
    mkdirSync(join(home, 'skills', 'needy'), { recursive: true })
    const front = 'name: needy\ndescription: Does it.\nmetadata:\n  requires_toolsets: terminal'
    writeFileSync(join(home, 'skills', 'needy', 'SKILL.md'), `---\n${front}\n---\n\n1. Do it.\n`)
    const cli = talaria.startOnTerminal(['--home', home, '--tools', 'files'])
    await cli.shows('›')
    cli.types('/needy now\r')
    await cli.shows('It needs tools that are off in this chat: terminal.')
    cli.types('/skills\r')
    await cli.shows('/commit-message')
    expect(cli.stdout()).not.toContain('/needy  ')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('/personality lists the styles of answering, chooses one and ends it', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    const cli = talaria.startOnTerminal(['--home', home])
    await cli.shows('›')
    cli.types('/personality\r')
    await cli.shows('  teacher ')
    await cli.shows('›')
    cli.types('/personality breif\r')
    await cli.shows('Did you mean “brief”?')
    await cli.shows('›')
    cli.types('/personality brief\r')
    await cli.shows('Style: brief. This applies from the next answer.')
    await cli.shows('›')
    model.reply({ text: 'Short.' }, { text: 'Long.' })
    cli.types('how?\r')
    await cli.shows('Short.')
    await cli.shows('›')
    cli.types('/personality off\r')
    await cli.shows(
      'The style is off. This applies from the next answer. The model has to read this chat again.',
    )
    await cli.shows('›')
    cli.types('and now?\r')
    await cli.shows('Long.')
    await cli.shows('›')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
    const systems = model.chats().map(({ body }) => body.messages[0].content as string)
    expect(systems.map(text => text.includes('as few words'))).toEqual([true, false])
  })

  test('a style says that the built-in model answers without it', async ({ talaria, expect }) => {
    const cli = talaria.startOnTerminal(['--home', talaria.folder()])
    await cli.shows('›')
    cli.types('/personality brief\r')
    await cli.shows('The built-in model answers without styles')
    await cli.shows('›')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('20 columns are enough: no line of its own texts is longer', async ({ talaria, expect }) => {
    const home = talaria.folder()
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', '/'], { columns: 20 })
    await cli.shows('Ctrl-D')
    await cli.shows('›')
    cli.types('/help\r')
    await cli.shows('review before a')
    cli.types(CTRL_D)
    const { code, stdout } = await cli.ended
    const lines = stripVTControlCharacters(stdout).split(/[\r\n]+/)
    expect(lines.filter(line => line.length > 20)).toEqual([])
    expect(code).toBe(0)
  })

  test('Markdown is styled where there are colours, and only there', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    model.reply({ text: 'It is **bold**.' }, { text: 'It is **bold**.' }, { text: 'It is **bold**.' })
    const args = ['chat', '-q', 'how?', '--home', home]
    const colours = { NO_COLOR: undefined, TERM: 'xterm-256color' }
    const ended = async (env: NodeJS.ProcessEnv) =>
      (await talaria.startOnTerminal(args, { env }).ended).stdout
    expect(await ended(colours)).toContain('It is \u001b[1mbold\u001b[22m.')
    expect(await ended({})).toContain('It is **bold**.')
    expect((await talaria.run(args, { env: colours })).stdout).toBe('It is **bold**.\n')
  })

  test('a line says what is being done, except on a terminal without a cursor', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.openHome()
    const goOn = Promise.withResolvers<void>()
    model.reply({ text: 'Done.', halts: [{ after: 0, until: goOn.promise }] })
    const cli = talaria.startOnTerminal(['chat', '-q', 'go', '--home', home])
    await cli.shows('Thinking')
    goOn.resolve()
    await cli.ended
    model.reply({ text: 'Done.' })
    const dumb = await talaria.startOnTerminal(['chat', '-q', 'go', '--home', home], {
      env: { TERM: 'dumb' },
    }).ended
    expect(dumb.stdout.trim()).toBe('Done.')
  })

  test('--verbose tells what happens inside, with or without the name of the command', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.openHome()
    const ask = async (words: string[]) => {
      model.reply({ text: 'Done.' })
      const { stdout, stderr } = await talaria.run([...words, '--verbose', '-q', 'go', '--home', home])
      expect(stdout).toBe('Done.\n')
      expect(stderr).toMatch(/^\[0\.00 s\] turn started with /)
      expect(stderr).toMatch(/\[\d+\.\d\d s\] turn ended: done\n$/)
    }
    await ask(['chat'])
    await ask([])
    const { stdout } = await talaria.run(['chats', '--json', '--home', home])
    await ask(['chats', 'resume', JSON.parse(stdout).chats[0].id])
  })
})
