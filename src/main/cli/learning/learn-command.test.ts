import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import type { ServedReply, ServedRequest } from '../../../../testing/servers/openai-server.ts'
import { test, type Talaria } from '../../../../testing/terminal/cli.ts'

const lines = (...events: object[]) => events.map(event => `${JSON.stringify(event)}\n`).join('')

/** Another agent's events: a user message and a tool call. */
const session = (id: string, text: string) =>
  lines(
    { type: 'user_message', session: id, text },
    { type: 'reply', session: id, calls: 1 },
    {
      type: 'tool_result',
      session: id,
      name: 'terminal',
      arguments: { command: 'pnpm i' },
      ok: true,
      text: 'Done.',
    },
    { type: 'reply', session: id, text: 'Installed.' },
    { type: 'turn_end', session: id, reason: 'done' },
    { type: 'session_end', session: id },
  )

/** A home whose model finds one fact in every review: the first user message. */
async function aHome(talaria: Talaria) {
  const served = await talaria.servedHome()
  served.model.reply(({ body }: ServedRequest): ServedReply => {
    const messages = body.messages as { role: string; content: string }[]
    const last = messages.at(-1)!
    const fact = messages.find(({ role }) => role === 'user')!.content
    if (last.role === 'tool') return { text: 'Kept.' }
    if (last.content.includes('one JSON object'))
      return { text: JSON.stringify({ worth: true, facts: [fact], procedure: '' }) }
    return { toolCalls: [{ name: 'memory', arguments: { action: 'add', target: 'user', content: fact } }] }
  })
  const run = (...args: string[]) => talaria.run([...args, '--home', served.home])
  return { ...served, run }
}

describe.concurrent('learn', () => {
  test('another agent’s events lead to proposals as they are read; bad lines are reported and skipped: code 1', async ({
    talaria,
    expect,
  }) => {
    const { run, model } = await aHome(talaria)
    const file = join(
      talaria.folder({
        'events.jsonl': `${session('one', 'Uses pnpm.')}{"type":\n\n${session('two', 'Lives in Oslo.')}`,
      }),
      'events.jsonl',
    )
    const learned = await run('learn', '--from', file)
    expect(learned.stderr).toContain('Line 7 is skipped: it is not JSON.\n')
    expect(learned.stderr).toContain('Reviewing one (1 of 2)\nReviewing two (2 of 2)\n')
    expect(learned.stderr).toContain('2 reviews, 2 proposals: talaria learning list\n')
    expect(learned.stdout).toMatch(/^ {2}\w{6} {2}Uses pnpm\.\n.*from the work of another agent\n/)
    expect(learned.stdout).toContain('Lives in Oslo.')
    expect(learned.code).toBe(1)
    expect(JSON.stringify(model.chats()[0]!.body.messages)).toContain('pnpm i')

    const { stdout } = await run('learning', 'list')
    expect(stdout).toMatch(/^Waiting \(2\)\n/)
    const again = await talaria.run(
      ['learn', '--from', '-', '--json', '--home', (await aHome(talaria)).home],
      {
        input: session('one', 'Uses pnpm.'),
      },
    )
    expect([again.code, again.stderr]).toEqual([0, ''])
    expect(
      again.stdout
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['review', 'proposal', 'reviewed', 'done'])
  })

  test('a text file leads to proposals, also for /learn in a chat', async ({ talaria, expect }) => {
    const { run, home, cwd } = await aHome(talaria)
    const folder = talaria.folder({ 'release.md': 'Releases are made with make ship.' })
    const learned = await run('learn', join(folder, 'release.md'))
    expect(learned.stderr).toBe(
      'Reviewing release.md (1 of 1)\n1 review, 1 proposal: talaria learning list\n',
    )
    expect(learned.stdout).toContain('from a text that you named')
    expect(learned.code).toBe(0)

    const chat = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await chat.shows('/help lists the commands')
    chat.types('/learn\r')
    await chat.shows('Name a folder or a text file: /learn docs/release.md')
    chat.types(`/learn ${join(folder, 'release.md')}\r`)
    await chat.shows('Reviewing release.md (1 of 1)')
    await chat.shows('1 review, nothing new proposed')
    chat.types('/exit\r')
    expect((await chat.ended).code).toBe(0)
  })

  test('--verbose also prints how each review ended, on standard error', async ({ talaria, expect }) => {
    const { run } = await aHome(talaria)
    const folder = talaria.folder({ 'release.md': 'Releases are made with make ship.' })
    const learned = await run('learn', join(folder, 'release.md'), '--verbose')
    expect(learned.stderr).toMatch(
      /^Reviewing release\.md \(1 of 1\)\n {2}ended: done.*\n {2}.+: \d+\.\d s, \d+ tokens read, \d+ of them reused, \d+ written\n1 review, 1 proposal/,
    )
    expect(learned.stdout).not.toContain('ended')
    expect(learned.code).toBe(0)
  })

  test('a model that is missing is named, and nothing is read: code 2; /learn in a chat says it and goes on', async ({
    talaria,
    expect,
  }) => {
    const { run, home, cwd, model } = await aHome(talaria)
    await model.close()
    const file = join(talaria.folder({ 'release.md': 'Releases are made with make ship.' }), 'release.md')
    const missing = await run('learn', file, '--model', join(cwd, 'missing.gguf'))
    expect([missing.code, missing.stdout]).toEqual([2, ''])
    expect(missing.stderr).toContain(join(cwd, 'missing.gguf'))

    const chat = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await chat.shows('/help lists the commands')
    chat.types(`/learn ${file}\r`)
    await chat.shows(`The model could not read it: `)
    await chat.shows(new URL(model.baseUrl).host)
    chat.types('/exit\r')
    expect((await chat.ended).code).toBe(0)
    expect((await run('learning', 'list')).stdout).not.toContain('make ship')
  })

  test('no events, no file, an unknown model, or learning switched off: code 2', async ({
    talaria,
    expect,
  }) => {
    const { run, home } = await aHome(talaria)
    await talaria.open(home)
    const folder = talaria.folder({
      'empty.jsonl': '\n',
      'bad.jsonl': 'x\n'.repeat(25),
      'good.jsonl': session('a', 'Hi.'),
    })
    for (const [args, sentence] of [
      [['--from', join(folder, 'empty.jsonl')], 'contains no events.'],
      [['--from', join(folder, 'bad.jsonl')], '5 more lines are invalid.'],
      [['--from', join(folder, 'none.jsonl')], 'cannot be read'],
      [['--from', folder], 'cannot be read: it is a folder.'],
      [[], 'Name a folder or a text file, or a file of events with --from.'],
      [[folder, '--from', join(folder, 'good.jsonl')], 'Name a folder or a text file'],
      [[join(folder, 'none.md')], 'none.md does not exist.'],
    ] as const) {
      const { code, stdout, stderr } = await run('learn', ...args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(sentence)
    }
    await run('learning', 'settings', 'mode', 'off')
    const off = await run('learn', '--from', join(folder, 'good.jsonl'))
    expect([off.code, off.stderr]).toEqual([
      2,
      'Learning is off. Turn it on with: talaria learning settings mode ask\n',
    ])
  })

  test('with another Talaria running, what is too large for one message is left out, and the rest is read', async ({
    talaria,
    expect,
  }) => {
    const { run, home, cwd } = await aHome(talaria)
    const window = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd])
    await window.shows('/help lists the commands')
    const giant = lines(
      ...Array.from({ length: 45 }, () => ({
        type: 'user_message',
        session: 'giant',
        text: 'x'.repeat(390_000),
      })),
    )
    const file = join(
      talaria.folder({ 'events.jsonl': `${giant}${session('one', 'Uses pnpm.')}` }),
      'events.jsonl',
    )
    const learned = await run('learn', '--from', file)
    expect(learned.stderr).toContain('giant is skipped: This is too large to send at once.')
    expect(learned.stdout).toContain('Uses pnpm.')
    expect(learned.code).toBe(1)
    window.types('/exit\n')
    expect((await window.ended).code).toBe(0)
  })

  test('Ctrl-C ends it, and proposals made so far stay: code 1', async ({ talaria, expect }) => {
    const { home, model } = await aHome(talaria)
    model.reply({ text: 'Well', stallMs: 60_000 })
    const file = join(talaria.folder({ 'events.jsonl': session('one', 'Uses pnpm.') }), 'events.jsonl')
    const command = talaria.start(['learn', '--from', file, '--home', home])
    await expect.poll(() => model.chats().length).toBe(1)
    command.child.kill('SIGINT')
    const { code, stderr } = await command.ended
    expect([code, stderr]).toEqual([1, 'Reviewing one (1 of 1)\nStopped. 1 review, nothing new proposed\n'])
  })

  test('earlier sessions of a program: a preview, then with --yes proposals that say from where; again there is nothing new', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await aHome(talaria)
    const transcript = (...lines: object[]) =>
      lines
        .map(line => `${JSON.stringify({ isSidechain: false, cwd: '/home/ada/shop', ...line })}\n`)
        .join('')
    const claude = talaria.folder()
    mkdirSync(join(claude, 'projects', 'shop'), { recursive: true })
    writeFileSync(
      join(claude, 'projects', 'shop', 'aaaa-1.jsonl'),
      transcript(
        {
          type: 'user',
          uuid: 'u',
          parentUuid: null,
          timestamp: '2026-01-02T12:00:00Z',
          message: { content: 'Uses pnpm.' },
        },
        {
          type: 'assistant',
          uuid: 'a',
          parentUuid: 'u',
          message: { content: [{ type: 'text', text: 'Good.' }] },
        },
      ),
    )
    const env = { CLAUDE_CONFIG_DIR: claude }
    const learn = (...args: string[]) =>
      talaria.run(['learn', '--from', 'claude-code', '--home', home, ...args], { env, cwd })
    const asked = await learn()
    expect(asked.code).toBe(2)
    expect(asked.stdout).toContain(`1 session of Claude Code in ${join(claude, 'projects')}.\n`)
    expect(asked.stdout).toContain('  2026-01-02  /home/ada/shop, 1 question: “Uses pnpm.”\n')
    expect(asked.stdout).toContain('At most 20 reviews a day read such sessions, and 20 are left for today')
    expect(asked.stderr).toContain('Add --yes')
    expect(model.chats()).toEqual([])

    const learned = await learn('--yes')
    expect(learned.stderr).toBe(
      'Reviewing Claude Code, folder /home/ada/shop, 2026-01-02 (1 of 1)\n1 review, 1 proposal: talaria learning list\n',
    )
    expect(learned.stdout).toContain(
      'add to About you, from Claude Code, folder /home/ada/shop, 2026-01-02\n',
    )
    expect(learned.code).toBe(0)
    const again = await learn('--yes', '--sessions', '5', '--days', '3650')
    expect([again.code, again.stdout]).toEqual([
      0,
      `Nothing new to learn from Claude Code in ${join(claude, 'projects')}. Already known: 1 session.\n`,
    ])
    const wrong = await learn('--sessions', '0')
    expect([wrong.code, wrong.stderr]).toEqual([2, '--sessions is a whole number from 1 to 500.\n'])

    const here = talaria.folder({ 'claude-code': session('one', 'Lives in Oslo.') })
    const file = await talaria.run(['learn', '--from', 'claude-code', '--home', home], { env, cwd: here })
    expect(file.stderr).toContain('This folder has a file claude-code, so Talaria reads that file.')
    expect(file.stdout).toContain('Lives in Oslo.')
  })
})
