import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { chromiumArgs, findChromium } from '../scripts/chromium.ts'
import { openStore } from '../src/main/db/store.ts'
import { startHeadless } from './headless.ts'
import { median, round } from './measure.ts'

const ROUNDS = 5
const LONG = 10_000

/** The built host and window in a real Chromium: start, first paint, and a chat of 10,000 messages. Milliseconds and MiB. */
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
  const firstPaintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  await page
    .getByRole('button', { name: /long chat/i })
    .first()
    .waitFor()
  // As text, because this file is compiled for Node and the page is not Node.
  const openMs = await page.evaluate<number>(`(async () => {
    const entry = [...document.querySelectorAll('button, a')].find(each => /long chat/i.test(each.textContent))
    const startedAt = performance.now()
    entry.click()
    while (!document.body.textContent.includes('answer number ${LONG}')) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - startedAt
  })()`)
  await page.close()
  return {
    window_first_paint_ms: firstPaintMs,
    window_composer_ms: composerMs,
    open_10000_messages_ms: openMs,
  }
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
    source: 'window',
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
  store.close()
}
