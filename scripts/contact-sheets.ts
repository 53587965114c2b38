import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { composer, send } from '../e2e/chat.ts'
import { startWeb } from '../e2e/start-web.ts'
import { makeScriptedGguf } from '../testing/gguf/scripted.ts'
import { buildIfStale } from './build.ts'
import { chromiumArgs, findChromium } from './chromium.ts'
import { fillHome, modelFile } from './screenshot-home.ts'

// Contact sheets: every page and dialog of the window on one picture for each width and theme, for a person
// to look at. `node scripts/contact-sheets.ts FOLDER [NAME…]`; with names, only the views that contain one of
// them.

const [out = 'contact-sheets', ...wanted] = process.argv.slice(2)
const HEIGHT = 800
const schemes = ['light', 'dark'] as const

/** A view: its place in the window, and what to do there before the picture is taken. */
type View = { name: string; at?: string; act?: (page: Page) => Promise<unknown> }

const press = (key: string) => (page: Page) => page.keyboard.press(key)
const inPalette = (label: string) => async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(label)
  await page.getByRole('option', { name: label }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').last().waitFor()
}
const openContext = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Show what the model sees')
  await page.getByRole('option', { name: 'Show what the model sees' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Settings of this chat').waitFor()
}
const click = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click({ timeout: 5_000 })
const tab = (name: string | RegExp) => (page: Page) =>
  page.getByRole('tab', { name }).first().click({ timeout: 5_000 })

const pages: View[] = [
  { name: 'start' },
  ...['projects', 'schedules', 'memory', 'skills', 'activity', 'connections', 'messengers', 'models'].map(
    name => ({ name, at: `page=${name}` }),
  ),
  { name: 'memory notes', at: 'page=memory', act: tab(/^Notes/) },
  { name: 'memory history', at: 'page=memory', act: tab(/^History/) },
  { name: 'activity timeline', at: 'page=activity', act: tab(/^Timeline/) },
  { name: 'activity batches', at: 'page=activity', act: tab(/^Batches/) },
  { name: 'models discover', at: 'page=models&tab=discover' },
  { name: 'models downloads', at: 'page=models&tab=downloads' },
  ...['general', 'chat', 'models', 'learning', 'permissions', 'tools', 'privacy', 'data'].map(section => ({
    name: `settings ${section}`,
    at: `page=settings&tab=${section}`,
  })),
]
const dialogs: View[] = [
  { name: 'palette', act: press('Control+k') },
  { name: 'slash menu', act: page => composer(page).fill('/') },
  { name: 'shortcuts', act: press('Control+/') },
  { name: 'import', act: inPalette('Import chats and memories…') },
  { name: 'deleted', act: inPalette('Recently deleted…') },
  { name: 'model file', act: inPalette('Add a model file…') },
  { name: 'model server', act: inPalette('Add a model server…') },
  { name: 'schedule form', at: 'page=schedules', act: click(/^(New|Add a) schedule/) },
  { name: 'server form', at: 'page=connections', act: click('Add a server') },
  { name: 'project form', at: 'page=projects', act: click(/^New project/) },
]
const chats: View[] = [
  { name: 'chat card' },
  { name: 'chat allowed', act: click('Allow once') },
  { name: 'chat model menu', act: click(/^Model:/) },
  { name: 'chat permissions', act: click(/^Permissions:/) },
  { name: 'chat context', act: openContext },
]

buildIfStale()
const parent = mkdtempSync(join(tmpdir(), 'sheets-'))
process.env['HOME'] = parent
process.env['SHELL'] = ''
const folders = { home: join(parent, 'talaria'), workspace: join(parent, 'garden') }
const executablePath = findChromium()
const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
try {
  prepare()
  await inWindow(async page => {
    for (const width of [1280, 900, 420]) await takeAll(page, 'pages', pages, width)
    for (const width of [1280, 420]) await takeAll(page, 'dialogs', dialogs, width)
  })
  // The model file on the pages has a real size but no weights. This one can answer.
  scriptModel()
  await inWindow(async page => {
    for (const width of [1280, 420]) await takeAll(page, 'chats', chats, width)
  })
} finally {
  await browser.close()
  rmSync(parent, { recursive: true, force: true })
}

async function inWindow(use: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage()
  const talaria = await startWeb(folders, page)
  try {
    await use(page)
  } finally {
    await talaria.close()
    await page.close()
  }
}

function prepare(): void {
  fillHome(folders)
  writeFileSync(join(folders.workspace, 'low-seeds.py'), '# For gardening in spring.\nprint("tomato")\n')
  const models = { default: `file:${join(folders.home, modelFile)}` }
  writeFileSync(join(folders.home, 'config.yaml'), JSON.stringify({ ui: { setup_done: true }, models }))
}

function scriptModel(): void {
  const call = (name: string, given: object) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`
  makeScriptedGguf(join(folders.home, modelFile), {
    reply: 'It prints the names of **plants with few seeds**. I wrote a README that says so.',
    rules: [
      { when: 'seed list', reply: call('read_file', { path: 'low-seeds.py' }) },
      {
        when: 'gardening',
        reply: `It names plants with few seeds.\n\n${call('write_file', { path: 'README.md', content: 'Lists plants.\n' })}`,
      },
    ],
  })
}

/**
 * Take the views of one kind at one width, in light and in dark, and put them on one sheet for each theme.
 */
async function takeAll(page: Page, kind: string, views: readonly View[], width: number): Promise<void> {
  const chosen = views.filter(({ name }) => wanted.length === 0 || wanted.some(each => name.includes(each)))
  if (chosen.length === 0) return
  await page.setViewportSize({ width, height: HEIGHT })
  if (kind === 'chats') await begin(page)
  const shots = new Map<string, Map<string, Buffer>>(schemes.map(scheme => [scheme, new Map()]))
  for (const view of chosen) {
    // Leaving and coming back closes whatever is open.
    if (kind !== 'chats') {
      await page.evaluate(`location.hash = ${JSON.stringify(view.at ?? 'page=chat')}`)
      await page.reload()
      await ready(page)
    }
    await view
      .act?.(page)
      .catch((error: unknown) => console.log(`${view.name}: ${String(error).split('\n')[0]}`))
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(350)
      shots.get(scheme)!.set(view.name, await page.screenshot())
    }
    if (view.name.startsWith('chat ') && !/card|allowed/.test(view.name)) await page.keyboard.press('Escape')
  }
  for (const [scheme, pictures] of shots)
    await lay(page.context().browser()!, `${kind}-${width}-${scheme}`, pictures, width)
}

/** Wait until the window is connected to the host. */
async function ready(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(New chat|Open the list of chats)$/ })
    .first()
    .waitFor()
  await page.waitForTimeout(500)
}

/** Begin a chat whose answer asks before it writes a file. */
async function begin(page: Page): Promise<void> {
  await page.evaluate(`location.hash = 'page=chat'`)
  await page.reload()
  await ready(page)
  await send(page, 'What does low-seeds.py do? Write a README for my seed list.')
  const question = page.getByRole('region', { name: 'A question for you' })
  await question.waitFor({ timeout: 60_000 }).catch(() => console.log('No call asked within a minute.'))
}

/** Put all pictures on one, each with its name. */
async function lay(on: Browser, name: string, pictures: Map<string, Buffer>, width: number): Promise<void> {
  const columns = width > 1000 ? 3 : width > 600 ? 4 : 6
  const sheet = await on.newPage({ viewport: { width: 1900, height: 900 } })
  const figures = [...pictures].map(
    ([each, png]) =>
      `<figure><img src="data:image/png;base64,${png.toString('base64')}"><figcaption>${each}</figcaption></figure>`,
  )
  await sheet.setContent(
    `<style>body{margin:8px;background:#888;font:14px sans-serif;display:grid;gap:10px;grid-template-columns:repeat(${columns},1fr)}figure{margin:0}img{width:100%;display:block}</style>${figures.join('')}`,
  )
  mkdirSync(resolve(out), { recursive: true })
  await sheet.screenshot({ path: join(resolve(out), `${name}.png`), fullPage: true })
  await sheet.close()
  console.log(join(out, `${name}.png`))
}
