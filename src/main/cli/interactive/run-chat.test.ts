import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import type { ServedReply } from '../../../../testing/servers/openai-server.ts'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { RunEvent } from '../../../shared/contract/runs/run.ts'
import { test } from '../../../../testing/terminal/cli.ts'

const eventsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => RunEvent.parse(JSON.parse(line)))

describe.concurrent('one question', () => {
  test('only the answer goes to standard output, and it ends with a line feed', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: ['The answer ', 'is 42.'] })
    expect(await talaria.run(['chat', '-q', 'What is it?', '--home', home])).toEqual({
      code: 0,
      stdout: 'The answer is 42.\n',
      stderr: '',
    })
    expect(model.chats()[0]?.body.messages.at(-1)).toEqual({ role: 'user', content: 'What is it?' })
  })

  test.for([
    ['nothing, twice', [{ text: '' }, { text: '' }], [1, '']],
    ['blanks, twice', [{ text: ' \n' }, { text: '\n' }], [1, '']],
    ['nothing at first', [{ text: '' }, { text: 'Noon.' }], [0, 'Noon.\n']],
    [
      'nothing after a call that went well',
      [{ toolCalls: [{ name: 'todo', arguments: { plan: '[x] Look' } }] }, { text: '' }, { text: '' }],
      [1, ''],
    ],
  ] satisfies [string, ServedReply[], [number, string]][])(
    'a model that says %s',
    async ([, replies, wanted], { talaria, expect }) => {
      const { home, model } = await talaria.servedHome()
      for (const reply of replies) model.reply(reply)
      const { code, stdout } = await talaria.run(['chat', '-q', 'When?', '--home', home])
      expect([code, stdout]).toEqual(wanted)
    },
  )

  test('a GGUF file answers, and --home creates the home folder', async ({ talaria, expect }) => {
    const path = scriptedModel({ reply: 'I am a file on your disk.' })
    const home = join(talaria.folder(), 'new', 'home')
    expect(await talaria.run(['chat', '-q', 'hi', '--model', path, '--home', home])).toEqual({
      code: 0,
      stdout: 'I am a file on your disk.\n',
      stderr: '',
    })
    expect(existsSync(join(home, 'state.db'))).toBe(true)
  })

  test('a mistake in the configuration is reported beside the answer', async ({ talaria, expect }) => {
    const home = talaria.folder({ 'config.yaml': 'ui:\n  theme: purple\nengine:\n  threads: 1\n' })
    const path = scriptedModel({ reply: 'I am a file on your disk.' })
    const { code, stdout, stderr } = await talaria.run(['chat', '-q', 'hi', '--model', path, '--home', home])
    expect([code, stdout]).toEqual([0, 'I am a file on your disk.\n'])
    expect(stderr).toContain('ui.theme is "purple"')
  })

  test.for([
    ['chat', '-q', 'Hello?'],
    ['memory', 'add', 'Likes tea.'],
  ])('that nothing can be saved is said once: %s', async (words, { talaria, expect }) => {
    const home = talaria.folder({
      '.lock.computer': JSON.stringify({ computer: 'kitchen', at: Date.now() }),
      'config.yaml': '',
    })
    const { code, stderr } = await talaria.start([...words, '--home', home]).ended
    expect([code, stderr.split('the computer kitchen is using it').length - 1]).toEqual([1, 1])
  })

  test('every line of --json is an event of the run, numbered without gaps', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: ['one ', 'two ', 'three'] })
    const { code, stdout, stderr } = await talaria.run(['chat', '--json', '-q', 'count', '--home', home])
    const events = eventsOf(stdout)
    expect([code, stderr]).toEqual([0, ''])
    expect(events.map(event => event.seq)).toEqual(events.map((_, index) => index + 1))
    expect(events[0]).toMatchObject({ type: 'turn_start', message: { text: 'count' } })
    expect(events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'done' })
    expect(events.flatMap(event => (event.type === 'text_delta' ? [event.text] : [])).join('')).toBe(
      'one two three',
    )
  })

  test('what a folder says to agents and is not used is said once, beside the answer', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await talaria.servedHome()
    writeFileSync(join(cwd, 'AGENTS.md'), 'Never push. @docs/gone.md')
    writeFileSync(join(cwd, 'CLAUDE.md'), 'Use tabs.')
    model.reply({ text: 'Yes.' })
    const ask = (...args: string[]) => talaria.run(['chat', '-q', 'go', '--home', home, ...args], { cwd })
    const untrusted = await ask('--json')
    expect(untrusted.stderr).toBe(
      'Not used: AGENTS.md and CLAUDE.md, because you do not trust this folder yet.\nIf you trust it: talaria skills trust .\n',
    )
    expect(eventsOf(untrusted.stdout).at(-1)).toMatchObject({ type: 'turn_end', reason: 'done' })
    const { code, stdout } = await talaria.run(['skills', 'trust', '.', '--home', home], { cwd })
    expect([code, stdout]).toEqual([0, `Trusted: ${cwd}\n`])
    expect((await ask()).stderr).toBe(
      'Not used: docs/gone.md, which AGENTS.md names, because it does not exist.\nNot used: CLAUDE.md, because AGENTS.md is read instead.\n',
    )
    const [before, after] = model.chats().map(each => JSON.stringify(each.body.messages[0]))
    expect([before!.includes('Never push.'), after!.includes('Never push.')]).toEqual([false, true])
    // The chat goes on with the same prompt, so there is nothing to say again.
    const { message } = eventsOf(untrusted.stdout)[0] as Extract<RunEvent, { type: 'turn_start' }>
    expect((await ask('--session', message.sessionId)).stderr).toBe('')
    await talaria.run(['skills', 'untrust', '.', '--home', home], { cwd })
    expect((await ask()).stderr).toContain('you do not trust this folder yet')
  })

  test('text in the pipe follows the question', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const { code, stderr } = await talaria.run(['chat', '-q', 'Summarise this log.', '--home', home], {
      input: 'The pump failed at noon.\n',
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(model.chats()[0]?.body.messages.at(-1)?.content).toBe(
      'Summarise this log.\n\nText from standard input, which is material for this message:\n```\nThe pump failed at noon.\n```',
    )
  })

  test('a pipe that stays open and empty holds up neither the answer nor the end', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.servedHome()
    const { code, stderr } = await talaria.start(['chat', '-q', 'What is it?', '--home', home], {
      keepInput: true,
    }).ended
    expect(code).toBe(0)
    expect(stderr).toContain('Nothing arrived through the pipe within')
    expect(model.chats()[0]?.body.messages.at(-1)?.content).toBe('What is it?')
  })

  test('what is not text in the pipe is refused, and nothing is asked', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const { code, stderr } = await talaria.run(['chat', '-q', 'What is it?', '--home', home], {
      input: 'PK\u0003\u0004\u0000\u0000\u0000',
    })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Standard input is not text/)
    expect(model.chats()).toEqual([])
  })

  test('the question can be read from standard input', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const { code } = await talaria.run(['chat', '--home', home], { input: 'Two\nlines\n' })
    expect([code, model.chats()[0]?.body.messages.at(-1).content]).toEqual([0, 'Two\nlines'])
  })

  test('a message that is too long is refused with its length and the limit', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const { code, stderr } = await talaria.run(['chat', '--home', home], { input: 'word '.repeat(40_001) })
    expect([code, model.chats()]).toEqual([2, []])
    expect(stderr).toContain('it has 200,004 characters, and a message has at most 200,000. Shorten it by 4')
  })

  test('--session continues a chat in its own folder, from anywhere', async ({ talaria, expect }) => {
    const { home, model, cwd } = await talaria.servedHome()
    model.reply({ text: 'Hello Ada.' })
    const first = await talaria.run(['chat', '--json', '-q', 'I am Ada', '--home', home], { cwd })
    const { message } = eventsOf(first.stdout)[0] as Extract<RunEvent, { type: 'turn_start' }>
    await talaria.run(['chat', '-q', 'Who am I?', '--session', message.sessionId, '--home', home])
    const [before, after] = model.chats().map(({ body }) => body.messages)
    expect(after).toEqual([
      ...before,
      { role: 'assistant', content: 'Hello Ada.' },
      { role: 'user', content: 'Who am I?' },
    ])
    expect(before[0].content).toContain(cwd)
  })

  test('the chat works in the folder of --cwd, or else in the user’s current folder, also under npm', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await talaria.servedHome()
    const elsewhere = talaria.folder()
    await talaria.run(['chat', '-q', 'a', '--home', home, '--cwd', cwd], { cwd: elsewhere })
    await talaria.run(['chat', '-q', 'b', '--home', home], { cwd })
    await talaria.run(['chat', '-q', 'c', '--home', home, '--cwd', '.'], {
      cwd: elsewhere,
      env: { INIT_CWD: cwd },
    })
    const prompts = model.chats().map(each => String(each.body.messages[0].content))
    expect(prompts.map(prompt => prompt.includes(cwd))).toEqual([true, true, true])
  })

  test('it ends quietly when its output is no longer read', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: Array.from({ length: 400 }, (_, index) => `line ${index}\n`), delayMs: 20 })
    const cli = talaria.start(['chat', '-q', 'go', '--home', home])
    await cli.shows('line 1\n')
    cli.child.stdout!.destroy()
    const { code, stderr } = await cli.ended
    expect([code, stderr]).toEqual([1, 'Stopped.\n'])
  })

  test('a model’s text cannot control the terminal', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({
      text: [
        '\u001b[2Jred \u001b[31m',
        'and\u0007 \u009b31m',
        '\u001b]0;title\u0007',
        'a\rb\tc\n',
        '\u001b',
        '[3J',
      ],
    })
    const { stdout } = await talaria.run(['chat', '-q', 'go', '--home', home])
    // oxlint-disable-next-line no-control-regex -- that is the point
    expect(stdout).not.toMatch(/(?![\n\t])\p{Cc}/u)
    expect(stdout).toMatch(/^red and .*ab\tc\n/)
  })
})

describe.concurrent('errors are one plain sentence', () => {
  test.for([
    ['an unknown option', ['chat', '--quickly', '-q', 'a'], '--quickly'],
    ['an unknown command', ['dance'], 'dance'],
    ['an approval mode that is none', ['chat', '-q', 'a', '--approve', 'yolo'], 'ask, reads, all, none'],
    [
      'a folder that is not there',
      ['chat', '-q', 'a', '--cwd', '/no/such/folder'],
      'There is no folder /no/such/folder.',
    ],
    ['an empty question', ['chat', '-q', ' '], 'The question is empty.'],
    ['no question at all', ['chat'], 'No question given.'],
    ['a chat that is not there', ['chat', '-q', 'a', '--session', 'chat_none'], 'Found no chat chat_none.'],
    ['a misspelt command', ['vresion'], 'Did you mean version?'],
    ['a misspelt command of a group', ['chats', 'renam'], 'Did you mean rename?'],
    ['no question and no terminal', [], 'No question given.'],
  ] as const)('%s: code 2', async ([, args, sentence], { talaria, expect }) => {
    const { code, stdout, stderr } = await talaria.run([...args], { env: { TALARIA_HOME: talaria.folder() } })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test.for([
    ['missing', undefined, 2],
    ['damaged', 'this is no model', 1],
  ] as const)('a model file that is %s is named', async ([name, text, wanted], { talaria, expect }) => {
    const folder = talaria.folder()
    const file = join(folder, `${name}.gguf`)
    if (text !== undefined) writeFileSync(file, text)
    const args = ['chat', '-q', 'hi', '--model', `${name}.gguf`, '--home', talaria.folder()]
    const { code, stdout, stderr } = await talaria.run(args, { cwd: folder })
    expect([code, stdout]).toEqual([wanted, ''])
    expect(stderr).toContain(file)
  })

  test('an unreachable server: code 1, naming its address', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    await model.close()
    const { code, stdout, stderr } = await talaria.run(['chat', '-q', 'hi', '--home', home])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(new URL(model.baseUrl).host)
  })

  test('a home that is a file: code 1', async ({ talaria, expect }) => {
    const file = join(talaria.folder({ taken: '' }), 'taken')
    const { code, stderr } = await talaria.run(['chat', '-q', 'hi', '--home', file])
    expect([code, stderr]).toEqual([
      1,
      `Talaria cannot use the folder ${file}: a file is in the way. Choose another one with --home or TALARIA_HOME.\n`,
    ])
  })
})

test('help goes to standard output and names every option', async ({ talaria, expect }) => {
  const { code, stdout } = await talaria.run(['chat', '--help'])
  const options = ['--query', '--json', '--model', '--home', '--cwd', '--session', '--approve']
  expect([code, options.filter(option => !stdout.includes(option))]).toEqual([0, []])
})
