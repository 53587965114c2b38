import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import type { OpenAiServer, ServedReply, ServedRequest } from '../../../../testing/servers/openai-server.ts'
import { test, type Talaria } from '../../../../testing/terminal/cli.ts'

/** A model that answers “Fine.” in chats and finds these facts in reviews. */
function finds(model: OpenAiServer, ...facts: string[]): void {
  model.reply((request: ServedRequest): ServedReply => {
    const { messages } = request.body as { messages: { role: string; content: unknown }[] }
    const last = messages.at(-1)!
    const text = String(last.content)
    if (text.startsWith('[Review]') && text.includes('one JSON object'))
      return { text: JSON.stringify({ worth: facts.length > 0, facts, procedure: '' }) }
    if (!text.startsWith('[Review]')) return { text: last.role === 'tool' ? 'Kept.' : 'Fine.' }
    const toolCalls = facts.map((fact, at) => ({
      id: `call_${at}`,
      name: 'memory',
      arguments: { action: 'add', target: 'user', content: fact },
    }))
    return { toolCalls }
  })
}

/** A home with one short chat, and a running host unless the test is about which process is the host. */
async function aChatIn(talaria: Talaria, { open = true } = {}) {
  const { home, cwd, model } = await (open ? talaria.openHome() : talaria.servedHome())
  finds(model)
  const talk = async (text: string) => {
    const { code, stdout } = await talaria.run(['chat', '-q', text, '--json', '--home', home, '--cwd', cwd])
    if (code !== 0) throw new Error('The chat failed.')
    const start = JSON.parse(stdout.split('\n')[0]!) as { message: { sessionId: string } }
    return start.message.sessionId
  }
  const run = (...args: string[]) => talaria.run(['learning', ...args, '--home', home])
  const user = () => readFileSync(join(home, 'memories', 'USER.md'), 'utf8')
  const chat = await talk('Please always use pnpm, never npm.')
  return { home, cwd, model, talk, run, user, chat }
}

const idBefore = (text: string, headline: string) => new RegExp(`(\\w{6})  ${headline}`).exec(text)![1]!

describe.concurrent('learning', () => {
  test('a chat can be reviewed now, and its proposals listed, kept, rejected and undone', async ({
    talaria,
    expect,
  }) => {
    const { model, run, user, chat } = await aChatIn(talaria)
    finds(model, 'Prefers pnpm over npm.', 'Writes Rust.')
    const reviewed = await run('run', chat.slice(-6))
    expect(reviewed).toMatchObject({ code: 0, stderr: '' })
    expect(reviewed.stdout).toMatch(
      /^Please always use pnpm, never npm\.: 2 proposed\.\n {2}\w{6} {2}Prefers pnpm/,
    )

    const { stdout: waiting } = await run('list')
    expect(waiting).toMatch(/^Waiting \(2\)\n/)
    expect(waiting).toMatch(/add to About you, because you asked\n.*“Please always use pnpm, never npm\.”/)
    const [pnpm, rust] = [idBefore(waiting, 'Prefers pnpm over npm\\.'), idBefore(waiting, 'Writes Rust\\.')]
    expect((await run('show', pnpm)).stdout).toContain('Prefers pnpm over npm.')

    const kept = await run('approve', pnpm, '--text', 'Always uses pnpm.')
    expect(kept).toEqual({
      code: 0,
      stdout: `Kept: ${pnpm}  Always uses pnpm.\n`,
      stderr: `Undo: talaria learning undo ${pnpm}\n`,
    })
    expect(user()).toBe('Always uses pnpm.\n')
    const rejected = await run('reject', rust, '--not-again')
    expect(rejected.stdout).toMatch(new RegExp(`^Rejected: ${rust}  Writes Rust\\.\nRule: \\w{6} `))

    const { stdout: learned } = await run('list')
    expect(learned).toMatch(/^Learned\n/)
    expect(learned).toMatch(new RegExp(`${pnpm}  kept `))
    expect(learned).toMatch(new RegExp(`${rust}  rejected  Writes Rust`))

    const undone = await run('undo', pnpm)
    expect(undone.stdout).toMatch(new RegExp(`^Undone: ${pnpm}  `))
    expect([undone.code, user()]).toEqual([0, ''])
    expect((await run('list', '--filter', 'undone')).stdout).toMatch(new RegExp(`${pnpm}  undone `))
    const again = await run('undo', pnpm)
    expect([again.code, again.stdout]).toEqual([2, ''])
  })

  test('everything from a review, a chat or a day is undone together, after confirmation', async ({
    talaria,
    expect,
  }) => {
    const { home, model, run, user, chat, talk } = await aChatIn(talaria)
    await run('settings', 'mode', 'save')
    finds(model, 'Prefers pnpm over npm.', 'Writes Rust.')
    expect((await run('run', chat)).stdout).toMatch(/: 2 saved\.\n$/)
    finds(model)
    const other = await talk('I live in Oslo.')
    finds(model, 'Lives in Oslo.')
    await run('run', other)
    expect(user()).toContain('Lives in Oslo.')

    const asked = await run('undo', '--chat', chat.slice(-8))
    expect([asked.code, asked.stdout]).toEqual([2, ''])
    expect(asked.stderr).toContain('There is no terminal to confirm undoing 1 learned change')
    const inTerminal = talaria.startOnTerminal(['learning', 'undo', '--chat', chat, '--home', home])
    await inTerminal.shows('Undo 1 learned change? [y/n]')
    inTerminal.types('n\n')
    expect((await inTerminal.ended).code).toBe(1)
    expect(user()).toContain('Prefers pnpm over npm.')

    const undone = await run('undo', '--chat', chat, '--yes', '--json')
    expect(undone.code).toBe(0)
    expect(JSON.parse(undone.stdout)).toMatchObject({
      left: [],
      memoryRevisions: [expect.any(Number), expect.any(Number)],
    })
    expect(user()).toBe('Lives in Oslo.\n')

    const { items } = JSON.parse((await run('list', '--all', '--json')).stdout) as {
      items: { type: string; change?: { sessionId: string; reviewId: string } }[]
    }
    const { reviewId } = items.find(({ change }) => change?.sessionId === other)!.change!
    expect((await run('undo', '--since', '2999-01-01', '--yes')).code).toBe(2)
    expect((await run('undo', '--review', reviewId.slice(-8), '--yes')).code).toBe(0)
    expect(user()).toBe('')
    expect((await run('undo', '--since', '2020-01-01', '--yes')).stderr).toContain('Nothing to undo.')
  })

  test('a saved change has an id, and its undo can be redone', async ({ talaria, expect }) => {
    const { home, model, run, user, chat, talk } = await aChatIn(talaria)
    await run('settings', 'mode', 'save')
    finds(model, 'Prefers pnpm over npm.')
    await run('run', chat)
    const change = { action: 'add', target: 'user', content: 'Lives in Oslo.' }
    model.reply({ toolCalls: [{ name: 'memory', arguments: change }] }, { text: 'I keep that in mind.' })
    await talk('I live in Oslo.')
    const { stdout } = await run('list')
    const idOf = (headline: string) => new RegExp(`(\\S+)  saved +${headline}`).exec(stdout)![1]!
    expect(idOf('Lives in Oslo')).toMatch(/^\w{6}:\d+$/)
    const { code, stderr } = await run('undo', idOf('Prefers pnpm'), idOf('Lives in Oslo'))
    expect([code, user()]).toEqual([0, ''])
    const [, words = ''] = /Redo: talaria (.*)\n/.exec(stderr)!
    expect((await talaria.run([...words.split(' '), '--home', home])).code).toBe(0)
    expect(user()).toContain('Prefers pnpm over npm.')
    expect(user()).toContain('Lives in Oslo.')
  })

  test('another running Talaria can do the review, and Ctrl-C leaves it queued', async ({
    talaria,
    expect,
  }) => {
    const { home, cwd, model, run, chat } = await aChatIn(talaria, { open: false })
    const open = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await open.shows('/help lists the commands')
    finds(model, 'Prefers pnpm over npm.')
    expect((await run('run', chat)).stdout).toContain(': 1 proposed.')
    open.types('/exit\n')
    await open.ended

    const before = model.chats().length
    model.reply({ text: 'Well', stallMs: 60_000 })
    const stopped = talaria.start(['learning', 'run', chat, '--home', home])
    await expect.poll(() => model.chats().length).toBe(before + 1)
    stopped.child.kill('SIGINT')
    const { code, stderr } = await stopped.ended
    expect([code, stderr]).toEqual([1, 'Stopped waiting. Unfinished reviews stay queued.\n'])
    finds(model)
    expect((await run('list')).stderr).toBe('1 review queued.\n')
    expect((await run('run')).stdout).toMatch(/: .+ found nothing worth saving\.\n$/)
  })

  test('a proposal that cannot be kept does not block the others: code 1', async ({ talaria, expect }) => {
    const { home, model, run, user, chat } = await aChatIn(talaria)
    await talaria.run(['memory', 'add', 'Prefers npm.', '--home', home])
    model.reply(({ body }: ServedRequest): ServedReply => {
      const last = body.messages.at(-1)
      const text = String(last.content)
      if (text.includes('one JSON object'))
        return { text: JSON.stringify({ worth: true, facts: ['Prefers pnpm.'], procedure: '' }) }
      if (last.role === 'tool') return { text: 'Kept.' }
      const change = { action: 'replace', target: 'user', old_text: 'Prefers npm.', content: 'Prefers pnpm.' }
      const added = { action: 'add', target: 'user', content: 'Writes Rust.' }
      return {
        toolCalls: [change, added].map((given, at) => ({
          id: `call_${at}`,
          name: 'memory',
          arguments: given,
        })),
      }
    })
    await run('run', chat)
    const { stdout: waiting } = await run('list')
    expect(waiting).toContain('It would rewrite what you wrote yourself.')
    expect(waiting).toMatch(/- Prefers npm\.\n {4}\+ Prefers pnpm\./)
    const ids = [idBefore(waiting, 'Prefers pnpm\\.'), idBefore(waiting, 'Writes Rust\\.')] as const
    const entry = /\w{6}(?= {2}Prefers)/.exec(
      (await talaria.run(['memory', 'list', '--home', home])).stdout,
    )![0]
    await talaria.run(['memory', 'edit', entry, 'Prefers bun.', '--home', home])

    expect((await run('show', ids[0])).stdout).toContain('Its target has changed since.')
    const { code, stdout, stderr } = await run('approve', ...ids)
    expect([code, stdout]).toEqual([1, `Kept: ${ids[1]}  Writes Rust.\n`])
    expect(stderr).toContain(
      `${ids[0]} was not kept: The text that this proposal changes has been edited since`,
    )
    expect(user()).toContain('Prefers bun.')
    expect((await run('approve', ids[0], '--anyway')).code).toBe(0)
    expect(user()).toContain('Prefers pnpm.')
  })

  test('a failed review says why: code 1; without a chat only waiting reviews run', async ({
    talaria,
    expect,
  }) => {
    const { model, run, chat } = await aChatIn(talaria)
    expect(await run('run')).toEqual({ code: 0, stdout: 'No reviews are queued.\n', stderr: '' })
    expect((await run('run', chat)).stdout).toMatch(/: .+ found nothing worth saving\.\n$/)
    expect((await run('list')).stdout).toMatch(
      /reviewed {2}Please always use pnpm, never npm\.: .+ found nothing worth saving\.\n$/,
    )
    model.reply({ status: 401, body: { error: { message: 'no such key' } } })
    const failed = await run('run', chat, '--json')
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({
      reviews: [{ state: 'queued', outcome: 'Test requires an API key.' }],
    })
  })

  test('rules and settings can be read and changed', async ({ talaria, expect }) => {
    const home = talaria.folder()
    await talaria.open(home)
    const run = (...args: string[]) => talaria.run(['learning', ...args, '--home', home])
    const id = /^Rule: (\w{6}) {2}Nothing about my health\.\n$/.exec(
      (await run('rules', 'add', 'Nothing', 'about my health.')).stdout,
    )![1]!
    expect((await run('rules')).stdout).toBe(`${id}  Nothing about my health.\n`)
    expect(JSON.parse((await run('rules', 'list', '--json')).stdout)).toMatchObject({ rules: [{ hits: 0 }] })
    expect((await run('rules', 'remove', id)).stdout).toBe(`Removed: ${id}  Nothing about my health.\n`)
    expect((await run('rules')).stdout).toBe('There are no rules.\n')

    await run('settings', 'only_on_mains', 'on')
    await run('settings', 'memoryNudge', '0')
    const { stdout } = await run('settings', 'budget-tokens', '9000', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      mode: 'ask',
      onlyOnMains: true,
      memoryNudge: 0,
      budgetTokens: 9_000,
    })
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toMatch(/only_on_mains: true/)
  })

  test('invalid arguments are explained: code 2', async ({ talaria, expect }) => {
    const home = talaria.folder()
    await talaria.open(home)
    for (const [args, sentence] of [
      [['approve', 'nobody'], 'Found no open proposal with the id nobody.'],
      [['approve', 'a', 'b', '--text', 'x'], '--text rewords a single proposal'],
      [['show', 'nobody'], 'Found no proposal nobody.'],
      [['undo'], 'Say what to undo'],
      [['undo', '--since', 'yesterday'], 'yesterday is not a date'],
      [['undo', '--review', 'x'], 'Found no review'],
      [['run', 'nobody'], 'Found no chat nobody.'],
      [['rules', 'add', 'x'], 'A rule has 3 to 500 characters.'],
      [['settings', 'speed', '7'], 'Unknown setting speed.'],
      [['settings', 'mode', 'maybe'], 'mode cannot be maybe: it is ask, save or off.'],
      [['list', '--filter', 'loud'], 'Allowed choices are memory, skills, undone, quiet'],
    ] as const) {
      const { code, stdout, stderr } = await talaria.run(['learning', ...args, '--home', home])
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(sentence)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})
