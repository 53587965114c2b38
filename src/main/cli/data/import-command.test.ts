import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

const conversations = (texts: readonly string[]) =>
  JSON.stringify(
    texts.map((text, n) => ({
      uuid: `chat-${n}`,
      name: `About ${n}`,
      created_at: '2025-03-01T10:00:00Z',
      chat_messages: [
        { sender: 'human', text, created_at: '2025-03-01T10:00:00Z', files: [{ file_name: 'a.png' }] },
      ],
    })),
  )

describe.concurrent('import and search', () => {
  test('without a terminal it needs --yes; chats are then imported once and can be searched', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const cwd = talaria.folder({
      'export.json': conversations(['Which port does the gateway use?', 'Hello there.']),
    })
    const run = (...args: string[]) => talaria.run([...args, '--home', home], { cwd })

    const unasked = await run('import', 'export.json')
    expect([unasked.code, unasked.stdout]).toEqual([2, ''])
    expect(unasked.stderr).toContain(
      'export.json, from Claude: 2 chats with 2 messages.\n  About 0\n  About 1\n',
    )
    expect(unasked.stderr).toContain('Add --yes')
    await talaria.open(home)
    expect((await run('search', 'gateway')).code).toBe(1)

    const { code, stdout } = await run('import', 'export.json', '--yes')
    expect([code, stdout]).toEqual([
      0,
      'Imported 2 chats with 2 messages and 0 memories.\nSkipped: 2 attachments (only text is imported).\n',
    ])
    expect((await run('import', 'export.json', '--yes')).stdout).toBe('Nothing new to import.\n')

    const found = await run('search', 'which', 'gateway', 'port')
    expect(found.code).toBe(0)
    expect(found.stdout).toMatch(
      /^About 0 {2}2025-03-01 {2}chat_\w+ {2}imported\n {2}you: Which port does the gateway use\?\n/,
    )
    const within = await run('search', 'gateway', '--from', '2025-03-02', '--json')
    expect([within.code, within.stdout]).toEqual([1, '{"hits":[]}\n'])
  })

  test('what cannot be imported or searched is explained: code 2', async ({ talaria, expect }) => {
    const home = talaria.folder({ 'notes.txt': 'Dear diary' })
    await talaria.open(home)
    for (const [args, sentence] of [
      [['import', join(home, 'notes.txt'), '--yes'], 'cannot be imported. Choose'],
      [['import', join(home, 'nowhere')], 'There is nothing at'],
      [['search', 'x', '--from', 'monday'], '“monday” is not a date.'],
      [['search', ' '], 'Enter words to search for.'],
    ] as const) {
      const { code, stdout, stderr } = await talaria.run([...args, '--home', home])
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(sentence)
    }
  })

  test.skipIf(process.platform !== 'linux')(
    'on a terminal it asks, and n cancels',
    async ({ talaria, expect }) => {
      const home = talaria.folder()
      const path = join(home, 'export.json')
      writeFileSync(path, conversations(['Hello there.']))
      for (const [answer, code, words] of [
        ['n', 1, '1 chat with 1 message'],
        ['y', 0, 'Imported 1 chat with 1 message'],
      ] as const) {
        const cli = talaria.startOnTerminal(['import', path, '--home', home])
        await cli.shows('Import this? [y/n]')
        cli.child.stdin!.write(`${answer}\r`)
        const ended = await cli.ended
        expect([ended.code, ended.stdout.includes(words)]).toEqual([code, true])
        expect(ended.stdout.includes('Imported')).toBe(answer === 'y')
      }
    },
  )
})
