import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { neverDone, oneThread, test } from '../../../../testing/terminal/cli.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

const callOf = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })

// `script` from util-linux provides a terminal; on other systems, `script` is a different program.
describe.skipIf(process.platform !== 'linux')('on a terminal', { concurrent: true }, () => {
  test('a conversation continues until /new, and ends with /exit', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    for (const [typed, reply] of [
      ['I am Ada', 'Hello Ada.'],
      ['Who am I?', 'You are Ada.'],
      ['/new', ''],
      ['And now?', 'I do not know.'],
    ] as const) {
      model.reply({ text: reply })
      cli.types(`${typed}\r`)
      await cli.shows(reply)
      await cli.shows('›')
    }
    cli.types('/exit\r')
    expect((await cli.ended).code).toBe(0)
    const asked = model.chats().map(({ body }) => body.messages.slice(1).map((each: any) => each.content))
    expect(asked).toEqual([['I am Ada'], ['I am Ada', 'Hello Ada.', 'Who am I?'], ['And now?']])
  })

  test('Ctrl-C stops the answer but not the conversation; Ctrl-D ends it', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    model.reply({ text: ['one two', ' three'], after: 1, stallMs: 60_000 })
    cli.types('count\r')
    await cli.shows('one two')
    cli.types(CTRL_C)
    await cli.shows('Stopped.')
    await cli.shows('›')
    model.reply({ text: 'four' })
    cli.types('go on\r')
    await cli.shows('four')
    await cli.shows('›')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('/compact summarises older messages, with a focus', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    for (const n of [1, 2, 3, 4]) {
      model.reply({ text: `Answer ${n}.` })
      cli.types(`Question ${n}\r`)
      await cli.shows(`Answer ${n}.`)
      await cli.shows('›')
    }
    model.reply({ text: '## Goal\n- Four questions' })
    cli.types('/compact the numbers\r')
    await cli.shows('earlier messages were summarised for the model')
    await cli.shows('›')
    cli.types('/exit\r')
    expect((await cli.ended).code).toBe(0)
    expect(model.chats().at(-1)?.body.messages.at(-1).content).toContain('What must not be lost: the numbers')
  })

  test('Ctrl-C skips the review before a summary, and the summary is made', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    model.reply(({ body }) => {
      const asked: string = body.messages.at(-1).content
      if (asked.includes('[Review]')) return { text: ['{', '}'], after: 1, stallMs: 60_000 }
      return { text: asked.includes('[Summary]') ? '## Goal\n- Four questions' : `Read: ${asked}` }
    })
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    for (const n of [1, 2, 3, 4]) {
      cli.types(`Question ${n}\r`)
      await cli.shows(`Read: Question ${n}`)
      await cli.shows('›')
    }
    cli.types('/compact\r')
    await cli.shows('looking for things to remember before older messages are summarised (Ctrl-C skips)')
    cli.types(CTRL_C)
    await cli.shows('Skipped.')
    await cli.shows('earlier messages were summarised for the model')
    await cli.shows('›')
    cli.types('/exit\r')
    expect((await cli.ended).code).toBe(0)
  })

  test('a plan is printed, and a question is answered by number, in own words or not at all', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.servedHome()
    const asks = (question: string) => ({
      toolCalls: [{ name: 'ask_user', arguments: { question, choices: ['red', 'blue'] } }],
    })
    model.reply(
      { toolCalls: [{ name: 'todo', arguments: { plan: '[x] Look\n[>] Ask' } }] },
      asks('Which colour?'),
      asks('And the next?'),
      asks('And the last?'),
      { text: 'Good.' },
    )
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    cli.types('go\r')
    await cli.shows('[>] Ask')
    await cli.shows('Which colour?')
    await cli.shows('[2] blue')
    await cli.shows('no answer)')
    cli.types('2\r')
    await cli.shows('And the next?')
    await cli.shows('no answer)')
    cli.types('2 shades of green\r')
    await cli.shows('And the last?')
    await cli.shows('no answer)')
    cli.types('\r')
    await cli.shows('Good.')
    await cli.shows('›')
    cli.types('/exit\r')
    expect((await cli.ended).code).toBe(0)
    const results = model
      .chats()
      .at(-1)
      ?.body.messages.flatMap((each: any) => (each.role === 'tool' ? [each.content] : []))
    expect(results).toEqual([
      '[x] Look\n[>] Ask',
      'The user answers: blue',
      'The user answers: 2 shades of green',
      expect.stringContaining('The user does not want to answer.'),
    ])
  })

  test('several pasted lines are sent one after the other', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    model.reply({ text: 'First.' }, { text: 'Second.' })
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    cli.types('one\rtwo\r')
    await cli.shows('Second.')
    cli.types('/exit\r')
    expect((await cli.ended).code).toBe(0)
    expect(model.chats().map(({ body }) => body.messages.at(-1).content)).toEqual(['one', 'two'])
  })

  test('a line typed during a turn is given to the model before its next step', async ({
    talaria,
    expect,
  }) => {
    const { home, model } = await talaria.openHome()
    const gate = Promise.withResolvers<void>()
    const toolCalls = [{ name: 'list_files', arguments: {} }]
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    model.reply(
      { text: 'I look first. ', toolCalls, halts: [{ after: 1, until: gate.promise }] },
      { text: 'Drei Dateien.' },
    )
    cli.types('count\r')
    await expect.poll(() => model.chats().length).toBe(1)
    cli.types('in German\r')
    await cli.shows('The model gets this before its next step')
    gate.resolve()
    await cli.shows('Drei Dateien.')
    await cli.shows('›')
    cli.types('/exit\r')
    expect((await cli.ended).code).toBe(0)
    expect(model.chats()).toHaveLength(2)
    expect(model.chats()[1]?.body.messages.at(-1).content).toBe('in German')
  })

  test('/model lists and switches models, and /approve accepts only its own modes', async ({
    talaria,
    expect,
  }) => {
    const { home } = await talaria.servedHome({ engine: { threads: 1 } })
    const path = scriptedModel({ reply: 'I am a file on your disk.' })
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    cli.types('/model\r')
    await cli.shows('  builtin  Built-in demo model')
    await cli.shows('* server:test  Test')
    cli.types(`/model ${path}\r`)
    await cli.shows('›')
    cli.types('hello\r')
    await cli.shows('I am a file on your disk.')
    cli.types('/approve yolo\r')
    await cli.shows('Unknown approval mode “yolo”')
    cli.types('/decider on\r')
    await cli.shows('The decider is on in this chat.')
    cli.types('/decider auto\r')
    await cli.shows('were not tested yet')
    cli.types('/modl\r')
    await cli.shows('There is no /modl. Did you mean /model?')
    cli.types('/help\r')
    await cli.shows('/exit')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('a failed answer does not end the conversation', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    const cli = talaria.startOnTerminal(['chat', '--home', home])
    await cli.shows('›')
    cli.types(`/model ${join(home, 'missing.gguf')}\r`)
    await cli.shows('“talaria models list” lists the models.')
    writeFileSync(join(home, 'damaged.gguf'), 'this is no model')
    cli.types(`/model ${join(home, 'damaged.gguf')}\r`)
    await cli.shows('›')
    cli.types('hello\r')
    await cli.shows('damaged.gguf is')
    await cli.shows('›')
    cli.types('/model server:test\r')
    await cli.shows('›')
    model.reply({ text: 'Here I am.' })
    cli.types('hello\r')
    await cli.shows('Here I am.')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('a command asks for approval: y, n or c', async ({ talaria, expect }) => {
    const { home, cwd, model } = await talaria.openHome()
    const proof = join(cwd, 'proof')
    const command = callOf('printf x >> proof')
    model.reply(command, { text: 'denied' }, command, { text: 'once' }, command, { text: 'chat' }, command, {
      text: 'unasked',
    })
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await cli.shows('›')
    const ran = () => (existsSync(proof) ? readFileSync(proof, 'utf8').length : 0)
    for (const [key, reply, times] of [
      ['n', 'denied', 0],
      ['y', 'once', 1],
      ['c', 'chat', 2],
    ] as const) {
      cli.types('go\r')
      await cli.shows('  $ printf x >> proof')
      // The command stands once: the question goes on below it.
      await cli.shows(`In ${cwd}.`)
      await cli.shows('Allow?')
      if (times === 0) {
        cli.types('q\r')
        await cli.shows('“q” is not one of the answers. Type y, c, ')
        await cli.shows(' or n, then press Enter.')
        await cli.shows('Allow?')
      }
      cli.types(`${key}\r`)
      await cli.shows(reply)
      await cli.shows('›')
      expect(ran()).toBe(times)
    }
    cli.types('go\r')
    await cli.shows('unasked')
    expect(ran()).toBe(3)
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('a command allowed in the folder needs no approval in another chat', async ({ talaria, expect }) => {
    const { home, cwd, model } = await talaria.openHome()
    model.reply(callOf('touch proof'), { text: 'made' }, callOf('touch proof'), { text: 'unasked' })
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await cli.shows('›')
    cli.types('go\r')
    await cli.shows('touch proof')
    await cli.shows('changes files here')
    await cli.shows('[f] always in this folder')
    cli.types('f\r')
    await cli.shows('allowed by your rule “touch proof” in ')
    await cli.shows('›')
    cli.types('/new\r')
    await cli.shows('›')
    cli.types('go\r')
    await cli.shows('unasked')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('Ctrl-C during an approval denies it, and the next line is a message', async ({ talaria, expect }) => {
    const { home, cwd, model } = await talaria.openHome()
    model.reply(callOf('touch proof'), { text: 'as you like' })
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await cli.shows('›')
    cli.types('go\r')
    await cli.shows('Allow?')
    cli.types(CTRL_C)
    await cli.shows('Stopped.')
    await cli.shows('›')
    cli.types('y\r')
    await cli.shows('as you like')
    expect(model.chats().at(-1)?.body.messages.at(-1)).toEqual({ role: 'user', content: 'y' })
    expect(existsSync(join(cwd, 'proof'))).toBe(false)
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })

  test('hidden characters of a command are written out in the approval', async ({ talaria }) => {
    const { home, cwd, model } = await talaria.openHome()
    model.reply(callOf('echo bad #\r\u001b[2Kecho good \u202etxt.exe'), { text: 'well' })
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await cli.shows('›')
    cli.types('go\r')
    await cli.shows(String.raw`echo bad #⟨U+000D⟩⟨U+001B⟩[2Kecho good ⟨U+202E⟩txt.exe`)
    cli.types('n\r')
    await cli.shows('well')
  })

  test('Ctrl-C stops a local model', async ({ talaria, expect }) => {
    const endless = scriptedModel(neverDone)
    const cli = talaria.startOnTerminal(['chat', '--home', talaria.folder(oneThread), '--model', endless])
    await cli.shows('›')
    cli.types('go\r')
    await cli.shows('w9 ')
    cli.types(CTRL_C)
    await cli.shows('Stopped.')
    await cli.shows('›')
    cli.types(CTRL_D)
    expect((await cli.ended).code).toBe(0)
  })
})
