import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { composer, lastAnswer, send } from '../e2e/chat.ts'
import { startWeb } from '../e2e/web.ts'
import { rootFolder } from '../src/main/lib/shipped-files.ts'
import { makeScriptedGguf } from '../testing/gguf/scripted.ts'
import { buildIfStale } from './build.ts'
import { chromiumArgs, findChromium } from './chromium.ts'

// Screenshots for the README: a chat in the current window, light and dark. A GGUF file supplies scripted
// answers, so the pictures are the same on every machine.

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
const earlier = [
  'Rename the photos by date',
  'Why is my build slow?',
  'A reading list for the winter',
  'Notes from the garden club',
]

buildIfStale()
const parent = mkdtempSync(join(tmpdir(), 'ada-'))
const folders = { home: join(parent, 'talaria'), workspace: join(parent, 'garden') }
try {
  prepare()
  await takePictures()
} finally {
  rmSync(parent, { recursive: true, force: true })
}

function prepare(): void {
  mkdirSync(join(folders.home, 'models'), { recursive: true })
  mkdirSync(folders.workspace)
  // The first line is what the scripted model recognises in the result of its call.
  writeFileSync(join(folders.workspace, 'low-seeds.py'), `# For gardening in spring.\n${code}`)
  const path = join(folders.home, 'models', 'Qwen3-8B-Q4_K_M.gguf')
  makeScriptedGguf(path, {
    reply: 'Done.',
    rules: [
      { when: 'seed list', reply: lookUp },
      { when: 'gardening', reply: answer },
    ],
  })
  writeFileSync(
    join(folders.home, 'config.yaml'),
    JSON.stringify({ ui: { setup_done: true }, models: { default: `file:${path}` } }),
  )
}

async function takePictures(): Promise<void> {
  const executablePath = findChromium()
  const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
  // Paths in the home folder appear with `~`.
  process.env['HOME'] = parent
  const talaria = await startWeb(folders, page)
  try {
    for (const message of earlier) await chat(page, message)
    await page.getByRole('button', { name: 'New chat', exact: true }).click()
    await send(page, question)
    await page.getByRole('region', { name: 'A question for you' }).waitFor()
    await composer(page).hover()
    const folder = join(rootFolder(), 'resources', 'screenshots')
    mkdirSync(folder, { recursive: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Wait for the colour transition.
      await page.waitForTimeout(400)
      await page.screenshot({ path: join(folder, `chat-${colorScheme}.png`) })
      console.log(join('resources', 'screenshots', `chat-${colorScheme}.png`))
    }
  } finally {
    await talaria.close()
    await browser.close()
  }
}

async function chat(page: Page, message: string): Promise<void> {
  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  await send(page, message)
  await lastAnswer(page).getByRole('button', { name: 'Copy answer' }).waitFor({ state: 'attached' })
}
