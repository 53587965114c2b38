import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Locator, Page } from '@playwright/test'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { expect, test } from './app.ts'
import { openPage } from './chat.ts'
import { openActivity, waiting } from './learning.ts'

// Another program with an agent and a window on the same host. The official client of the protocol plays the
// program.

const NAME = 'The editor of Ada'
const USER = 'The user is called Ada and keeps bees.'

const card = (page: Page): Locator => page.getByRole('listitem', { name: NAME, exact: true })
const requests = (page: Page): Locator => card(page).getByRole('region', { name: 'What it read' })

type Entry = { command: string; args: string[]; env: Record<string, string> }

/** Run the terminal to its end. Resolves to its output. */
async function talaria(home: string, ...words: string[]): Promise<string> {
  const script = join(rootFolder(), 'out/main/cli.js')
  const child = spawn(process.execPath, [script, ...words, '--home', home], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let problem = ''
  child.stdout.on('data', text => (said += String(text)))
  child.stderr.on('data', text => (problem += String(text)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`talaria ${words.join(' ')} ended with ${code}: ${problem}`)
  return said
}

/** Start the server as the other program does, with the configuration that was printed for it. */
async function startProgram({ command, args, env }: Entry) {
  const client = new Client({ name: 'ada-edit', version: '4.2' })
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }))
  return {
    async call(name: string, given: Record<string, unknown> = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given })
      const [first] = content
      return { text: first?.type === 'text' ? first.text : '', isError: isError === true }
    },
    close: () => client.close(),
  }
}

test(
  'a program asks by the protocol what the window allows, each request is listed, and its key ends in the middle of its calls',
  { tag: '@story' },
  async ({ app, folders }) => {
    await talaria(folders.home, 'memory', 'add', USER)
    await talaria(folders.home, 'memory', 'write', 'The hives stand in the old orchard.')
    const printed = await talaria(folders.home, 'mcp', 'serve', '--print', 'other', '--name', NAME)
    const { mcpServers } = JSON.parse(printed) as { mcpServers: { talaria: Entry } }
    const program = await startProgram(mcpServers.talaria)
    try {
      await test.step('before it is allowed it gets nothing, and the window says so', async () => {
        const { text, isError } = await program.call('memory_search', { query: 'Ada' })
        expect(isError).toBe(true)
        expect(text).not.toContain('bees')
        await openPage(app, 'Connections')
        await expect(card(app)).toContainText('Not allowed')
      })

      await test.step('it gets what the switches say', async () => {
        await card(app)
          .getByRole('button', { name: new RegExp(`^${NAME}`) })
          .click()
        await card(app).getByRole('switch', { name: 'Notes', exact: true }).click()
        await card(app).getByRole('button', { name: 'Allow this' }).click()
        await expect(card(app).getByText('Not allowed')).toHaveCount(0)
        expect(await program.call('memory_search', { query: 'Ada' })).toEqual({
          text: `- (about the user) ${USER}`,
          isError: false,
        })
        expect((await program.call('memory_search', { query: 'orchard' })).text).not.toContain('hives')
        expect((await program.call('session_search', { query: 'Ada' })).isError).toBe(true)
        await expect(requests(app)).toContainText('Searched memory · “Ada”')
        await expect(requests(app)).toContainText(`About you: ${USER}`)
        await expect(card(app)).toContainText('calls itself ada-edit 4.2')
        await expect(requests(app)).toContainText(
          'Refused: The user has not allowed this program to search chats.',
        )
        await card(app).getByRole('switch', { name: 'Notes', exact: true }).click()
        await expect
          .poll(async () => (await program.call('memory_search', { query: 'orchard' })).text)
          .toContain('The hives stand in the old orchard.')
      })

      await test.step('what it proposes waits in Activity, with who proposed it', async () => {
        const proposed = await program.call('memory_propose', { text: 'Ada sells honey.', place: 'user' })
        expect(proposed).toMatchObject({ isError: false })
        await openActivity(app)
        const proposal = waiting(app).filter({ hasText: 'Ada sells honey.' })
        await expect(proposal).toContainText(`“${NAME}” proposed it, another program.`)
        expect(await talaria(folders.home, 'memory', 'list')).not.toContain('honey')
        await openPage(app, 'Connections')
      })

      await test.step('removed while it calls, it gets nothing from then on', async () => {
        let isRemoved = false
        const late: string[] = []
        const calling = (async () => {
          for (;;) {
            const began = isRemoved
            const { text } = await program.call('memory_search', { query: 'Ada' })
            if (began) late.push(text)
            if (text.includes('does not know the key')) return
          }
        })()
        await app.getByRole('button', { name: `More for ${NAME}` }).click()
        await app.getByRole('menuitem', { name: /^Remove/ }).click()
        await expect(card(app)).toHaveCount(0)
        isRemoved = true
        await calling
        expect(late.filter(text => text.includes('bees'))).toEqual([])
        expect((await program.call('memory_propose', { text: 'Once more.' })).isError).toBe(true)
      })
    } finally {
      await program.close()
    }
  },
)
