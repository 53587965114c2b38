import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page, type ViewportSize } from '@playwright/test'
import { composer, openPage, send } from '../e2e/chat.ts'
import { cardOf, openActivity, waiting } from '../e2e/learning.ts'
import { known, openMemory } from '../e2e/memory.ts'
import { modelCard, openDetails, openModels } from '../e2e/models.ts'
import { openSkill, openSkills } from '../e2e/skills.ts'
import { startWeb } from '../e2e/start-web.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { makeScriptedGguf } from '../testing/gguf/scripted.ts'
import { buildIfStale } from './build.ts'
import { chromiumArgs, findChromium } from './chromium.ts'
import { fillHome, modelFile } from './screenshot-home.ts'

// Screenshots for the README and the guide: the pages of the window after some weeks of use, and a chat, in
// light and in dark. A GGUF file supplies scripted answers, so the chat is the same on every machine.

const question = 'What does low-seeds.py do? Write a README for my seed list.'
const code = `import csv
with open("seeds.csv") as file:
    for plant in csv.DictReader(file):
        if int(plant["seeds"]) < 20:
            print(plant["plant"], "– sow in", plant["sow"])`
const answer = `It names every plant with **fewer than 20 seeds** left, and the month to sow it:

\`\`\`python
${code}
\`\`\`

<tool_call>
{"name": "write_file", "arguments": {"path": "README.md", "content": "python3 low-seeds.py\\n\\nLists plants with fewer than 20 seeds, and when to sow them.\\n"}}
</tool_call>`
const lookUp = '<tool_call>\n{"name": "read_file", "arguments": {"path": "low-seeds.py"}}\n</tool_call>'
const folder = join(rootFolder(), 'docs', 'images')

buildIfStale()
// The window shows these paths, so they are short and always the same. `mkdirSync` refuses a folder that
// exists.
const parent = join(tmpdir(), 'ada')
mkdirSync(parent)
const folders = { home: join(parent, 'talaria'), workspace: join(parent, 'garden') }
// Paths in the home folder appear with `~`.
process.env['HOME'] = parent
try {
  prepare()
  await inWindow(takePages, { width: 1120, height: 680 })
  // The model file on the pages has a real size but no weights. This one can answer.
  scriptModel()
  await inWindow(takeChat, { width: 1280, height: 820 })
} finally {
  rmSync(parent, { recursive: true, force: true })
}

function prepare(): void {
  fillHome(folders)
  // The scripted model recognises the result of its call by this first line.
  writeFileSync(join(folders.workspace, 'low-seeds.py'), `# For gardening in spring.\n${code}`)
  // Without a shell's start-up files, `node` of the servers is the Node that runs this.
  process.env['SHELL'] = ''
  const models = { default: `file:${join(folders.home, modelFile)}` }
  writeFileSync(join(folders.home, 'config.yaml'), JSON.stringify({ ui: { setup_done: true }, models }))
}

function scriptModel(): void {
  makeScriptedGguf(join(folders.home, modelFile), {
    reply: 'Done.',
    rules: [
      { when: 'seed list', reply: lookUp },
      { when: 'gardening', reply: answer },
    ],
  })
}

async function inWindow(use: (page: Page) => Promise<void>, viewport: ViewportSize): Promise<void> {
  const executablePath = findChromium()
  const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
  const page = await browser.newPage({ viewport })
  const talaria = await startWeb(folders, page)
  try {
    await use(page)
  } finally {
    await talaria.close()
    await browser.close()
  }
}

async function takePages(page: Page): Promise<void> {
  await openMemory(page)
  await known(page).filter({ hasText: 'Jonas' }).getByRole('button').first().click()
  await take(page, 'memory')
  await openSkills(page)
  await openSkill(page, 'name-photos')
  await take(page, 'skills')
  await openActivity(page)
  await cardOf(waiting(page), 'The garden club meets on Thursdays.').waitFor()
  await take(page, 'activity')
  await openModels(page)
  await openDetails(page, 'Qwen3-8B-Q4_K_M')
  await modelCard(page, 'Qwen3-8B-Q4_K_M').getByRole('slider').waitFor()
  await take(page, 'models')
  await takeConnections(page)
}

/** Add two servers of the protocol's authors as a person would; `node` runs each by a short path. */
async function takeConnections(page: Page): Promise<void> {
  const servers = join(parent, 'servers')
  mkdirSync(servers)
  const program = (name: string, server: string) => {
    const path = join(rootFolder(), 'node_modules', '@modelcontextprotocol', server, 'dist', 'index.js')
    writeFileSync(join(servers, `${name}.mjs`), `await import(${JSON.stringify(path)})`)
    return join(servers, `${name}.mjs`)
  }
  const mcpServers = {
    diary: { command: 'node', args: [program('diary', 'server-memory')] },
    garden: { command: 'node', args: [program('garden', 'server-filesystem'), folders.workspace] },
  }
  await openPage(page, 'Connections')
  await page.getByRole('button', { name: 'Add a server' }).click()
  await page.getByLabel('Server JSON').fill(JSON.stringify({ mcpServers }))
  await page.getByRole('button', { name: 'Show what it runs' }).click()
  for (const name of Object.keys(mcpServers)) {
    const add = page.getByRole('button', { name: `Add ${name}`, exact: true })
    await add.click()
    await add.waitFor({ state: 'detached' })
  }
  for (const name of Object.keys(mcpServers))
    await page.getByRole('button', { name: new RegExp(`^${name} Running`) }).waitFor()
  await take(page, 'connections')
}

async function takeChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  await send(page, question)
  await page.getByRole('region', { name: 'A question for you' }).waitFor()
  await composer(page).hover()
  for (const colorScheme of ['light', 'dark'] as const) await take(page, `chat-${colorScheme}`, colorScheme)
}

async function take(page: Page, name: string, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // Wait for the colour transition.
  await page.waitForTimeout(400)
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
  console.log(join('docs', 'images', `${name}.png`))
}
