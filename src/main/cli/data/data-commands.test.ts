import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

const conversations = JSON.stringify([
  {
    uuid: 'chat-1',
    name: 'About tea',
    created_at: '2025-03-01T10:00:00Z',
    chat_messages: [{ sender: 'human', text: 'Which <b>tea</b>?', created_at: '2025-03-01T10:00:00Z' }],
  },
])

describe.concurrent('the data of a home', () => {
  test('chats are exported, backed up and restored into a new home', async ({ talaria, expect }) => {
    const home = talaria.folder({ '.env': 'ACME_API_KEY=planted\n' })
    const cwd = talaria.folder({ 'export.json': conversations })
    await talaria.open(home)
    const run = (...args: string[]) => talaria.run([...args, '--home', home], { cwd })
    await run('import', 'export.json', '--yes')

    const sizes = await run('data', 'size', '--json')
    expect(JSON.parse(sizes.stdout)).toMatchObject({
      home,
      parts: expect.arrayContaining([
        expect.objectContaining({ id: 'chats' }),
        expect.objectContaining({ id: 'keys' }),
      ]) as unknown,
    })
    expect((await run('data', 'size')).stdout).toMatch(/Chats, search and history +\d/)

    const exported = await run('data', 'export', '--format', 'html', '-o', 'chats.html')
    expect([exported.code, exported.stdout]).toEqual([
      0,
      expect.stringMatching(/^Exported 1 chat with 1 message to .*chats\.html, [\d.]+ kB\.\n$/),
    ])
    expect(readFileSync(join(cwd, 'chats.html'), 'utf8')).toContain('Which &lt;b&gt;tea&lt;/b&gt;?')
    const again = await run('data', 'export', '--format', 'html', '-o', 'chats.html')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')])
    expect((await run('data', 'export', '-o', 'chats.html', '--force')).code).toBe(0)

    const backup = await run('data', 'backup', '-o', 'all.zip')
    expect([backup.code, backup.stdout]).toEqual([
      0,
      expect.stringContaining('Left out: .env (keys are left out unless you ask for them).'),
    ])
    const restored = await talaria.run(['data', 'restore', 'all.zip', 'new'], { cwd })
    expect([restored.code, restored.stdout]).toEqual([
      0,
      expect.stringContaining('Start Talaria with it: talaria chat --home'),
    ])
    const found = await talaria.run(['search', 'tea', '--home', join(cwd, 'new')], { cwd })
    expect(found.stdout).toContain('About tea')
    expect(existsSync(join(cwd, 'new', '.env'))).toBe(false)
    expect((await run('data', 'backups')).stdout).toBe(
      'There are no backups yet. The first is made within a day.\n',
    )
  })

  test('what is no backup is refused: code 2, and nothing is made', async ({ talaria, expect }) => {
    const cwd = talaria.folder({ 'notes.zip': 'Dear diary' })
    for (const [args, sentence] of [
      [['notes.zip', 'new'], 'notes.zip cannot be used: it is no zip, or only a part of one.'],
      [['nowhere.zip', 'new'], 'There is nothing at'],
    ] as const) {
      const { code, stderr } = await talaria.run(['data', 'restore', ...args], { cwd })
      expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
    }
    expect(readdirSync(cwd)).toEqual(['notes.zip'])
  })
})
