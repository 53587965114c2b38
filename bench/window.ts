import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { openModels } from '../e2e/models.ts'
import { chromiumArgs, findChromium } from '../scripts/chromium.ts'
import type { NewMessage } from '../src/shared/contract/chats/messages.ts'
import { openStore, type Store } from '../src/main/db/store.ts'
import { seedModelFile } from '../testing/window/seed-models.ts'
import { startHeadless } from './headless.ts'
import { median, round } from './measure.ts'

const ROUNDS = 5
const LONG = 10_000
/** The number of turns of a chat with branches, and how many of them have a second answer. */
const TURNS = 500
const BRANCHED = 50
const MODEL = 'Qwen3-8B-Q4_K_M'
/**
 * How long to wait for the entry of the first paint, in ms. Chromium writes it after it has shown the frame.
 */
const PAINT_PATIENCE_MS = 5_000
const CARD_PATIENCE_MS = 20_000
/** How long a chat has to load everything before the next one is opened, in ms. */
const SETTLE_MS = 500

/**
 * The built host and window in a real Chromium: the start, the first paint, a chat of 10,000 messages, a chat
 * of 500 turns with branches, and the card of a model of 5 GB. Figures are in milliseconds and MiB.
 */
export async function benchWindow(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const home = join(folder, 'home')
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found; `npm test` says how to install one.')
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  const rounds: Record<string, number>[] = []
  try {
    await (await startHeadless(home)).stop()
    seedLongChat(home)
    seedModelFile({ home, workspace: home }, { home: `models/${MODEL}.gguf`, layers: 36 })
    for (let n = 0; n < ROUNDS; n++) {
      const host = await startHeadless(home)
      rounds.push({
        host_ready_ms: host.readyMs,
        ...(await openWindow(browser, host.url)),
        host_rss_mib: host.rssMiB(),
      })
      await host.stop()
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return Object.fromEntries(
    Object.keys(rounds[0]!).map(name => [name, round(median(rounds.map(each => each[name]!)))]),
  )
}

async function openWindow(browser: Browser, url: string): Promise<Record<string, number>> {
  const page = await browser.newPage()
  await page.goto(url)
  const composer = page.getByRole('textbox', { name: /message/i })
  await composer.waitFor()
  const composerMs = await page.evaluate(() => performance.now())
  const firstPaintMs = await firstPaint(page)
  await page
    .getByRole('button', { name: /long chat/i })
    .first()
    .waitFor()
  const openMs = await openChat(page, 'long chat', `answer number ${LONG}`)
  // Nobody opens the next chat within the first frames of one.
  await page.waitForTimeout(SETTLE_MS)
  const openBranchedMs = await openChat(page, 'branched chat', `answer of turn ${TURNS}`)
  await page.getByRole('button', { name: 'Branches of this chat' }).waitFor()
  const openCardMs = await openModelCard(page)
  await page.close()
  return {
    window_first_paint_ms: firstPaintMs,
    window_composer_ms: composerMs,
    open_10000_messages_ms: openMs,
    open_500_turns_with_branches_ms: openBranchedMs,
    open_model_card_ms: openCardMs,
  }
}

/**
 * The time from the click on a chat to the frame that shows its end. The code is a text, because this file is
 * compiled for Node.
 */
const openChat = (page: Page, title: string, end: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const entry = [...document.querySelectorAll('button, a')].find(each => /${title}/i.test(each.textContent))
    const startedAt = performance.now()
    entry.click()
    while (!document.body.textContent.includes('${end}')) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - startedAt
  })()`)

/** When the window first showed text. The entry may come later than the paint itself. */
const firstPaint = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Chromium reported no first paint.')), ${PAINT_PATIENCE_MS})
    new PerformanceObserver(list => {
      const [entry] = list.getEntriesByName('first-contentful-paint')
      if (!entry) return
      clearTimeout(late)
      resolve(entry.startTime)
    }).observe({ type: 'paint', buffered: true })
  })`)

/**
 * The time from the click on a model's card until its memory, facts and settings show, for the first time in
 * this window.
 */
async function openModelCard(page: Page): Promise<number> {
  await openModels(page)
  await page.getByRole('button', { name: new RegExp(`^${MODEL}`) }).waitFor()
  return page.evaluate<number>(`(async () => {
    const card = [...document.querySelectorAll('li button')].find(each => each.textContent.startsWith('${MODEL}'))
    const content = ['Working memory', 'What the file says', 'Settings of this model']
    const startedAt = performance.now()
    card.click()
    const isShown = () => content.every(text => card.closest('li').textContent.includes(text))
    while (!isShown()) {
      if (performance.now() - startedAt > ${CARD_PATIENCE_MS}) throw new Error('The card of the model stayed empty.')
      await new Promise(requestAnimationFrame)
    }
    await new Promise(requestAnimationFrame)
    return performance.now() - startedAt
  })()`)
}

function seedLongChat(home: string) {
  const { store } = openStore(home, {
    clock: Date.now,
    report: error => {
      throw error
    },
  })
  const session = store.sessions.create({
    modelId: 'builtin',
    workspace: home,
    approval: 'ask',
    origin: 'window',
  })
  store.sessions.update(session.id, { title: 'A long chat' })
  for (let n = 1; n <= LONG; n++) {
    const base = { sessionId: session.id, at: Date.now() }
    if (n % 2 === 1)
      store.messages.append({ ...base, role: 'user', text: `This is question number ${n}, in a few words.` })
    else
      store.messages.append({
        ...base,
        role: 'assistant',
        text: `This is answer number ${n}.\n\nIt has **two** paragraphs, \`code\` and a list:\n\n- one\n- two\n`,
        reasoning: '',
        calls: [],
        interrupted: false,
        model: 'bench',
      })
  }
  seedBranches(store, home)
  store.close()
}

/**
 * Write a chat with some answers that were written twice and some edited questions. Its path goes through the
 * newest of each.
 */
function seedBranches({ sessions, messages, branches }: Store, home: string) {
  const { id: sessionId } = sessions.create({
    modelId: 'builtin',
    workspace: home,
    approval: 'ask',
    origin: 'window',
  })
  sessions.update(sessionId, { title: 'A branched chat' })
  const of = { sessionId, at: Date.now() }
  const question = (text: string) => ({ ...of, role: 'user', text }) as const
  const answer = (text: string): NewMessage => ({
    ...of,
    role: 'assistant',
    text,
    reasoning: '',
    calls: [],
    interrupted: false,
    model: 'bench',
  })
  for (let n = 1; n <= TURNS; n++) {
    const asked = messages.append(question(`This is question ${n}, in a few words.`))
    const answered = messages.append(answer(`The first answer to question ${n}.\n\n- one\n- two\n`))
    if (n % (TURNS / BRANCHED) !== 0) continue
    if (n % 20 === 0) branches.putBeside(asked.id, question(`This is question ${n}, said better.`))
    else branches.endAt(sessionId, asked.id)
    messages.append(answer(`The second answer, answer of turn ${n}.`))
    if (n % 30 === 0 && n < TURNS) branches.goTo(sessionId, answered.id)
  }
}
