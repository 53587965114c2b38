import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { chromiumArgs, findChromium } from '../../scripts/chromium.ts'

/**
 * How an answer was drawn: the milliseconds until it was complete, the longest time that the window stood
 * still, its processor time, and how many characters were seen.
 */
export type Drawn = { totalMs: number; longestMs: number; cpuMs: number; letters: number }

/** Draws a text: whole, or `step` characters at a time as if it was being written. */
export type Draw = (text: string, step?: number) => Promise<Drawn>

/** The page's code. It is a text, because this folder is compiled for Node. */
const PAGE = (root: string) => `
import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import '${root}/src/renderer/app.css'
import Markdown from '${root}/src/renderer/markdown/Markdown.tsx'

const QUIET_MS = 300
const frame = () => new Promise(requestAnimationFrame)

window.drawAnswer = async (text, step) => {
  const place = document.body.appendChild(document.createElement('div'))
  const drawing = createRoot(place)
  let changedAt = 0
  const watch = new MutationObserver(() => (changedAt = performance.now()))
  watch.observe(place, { childList: true, subtree: true, characterData: true })
  // Whatever holds up the window keeps this clock from ticking.
  let longest = 0, last = performance.now(), isOver = false
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => setTimeout(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) port2.postMessage(0)
  }, 4)
  await frame()
  last = performance.now()
  port2.postMessage(0)
  const startedAt = performance.now()
  changedAt = startedAt
  const draw = (end, live) => {
    flushSync(() => drawing.render(createElement(Markdown, { text: text.slice(0, end), live })))
    place.getBoundingClientRect()
  }
  if (step) for (let end = step; end < text.length; end += step) {
    draw(end, true)
    await frame()
  }
  draw(text.length, false)
  do await new Promise(resolve => setTimeout(resolve, 20))
  while (place.querySelector('.prose-later') || performance.now() - changedAt < QUIET_MS)
  isOver = true
  const letters = place.textContent.length
  drawing.unmount()
  place.remove()
  return { totalMs: changedAt - startedAt, longestMs: longest, letters }
}
`

/**
 * Open a page in Chromium that draws answers as the window does, without a host. `root` is the folder with
 * the sources.
 */
export async function openPage(root: string): Promise<{ draw: Draw; close(): Promise<void> }> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found; `npm test` says how to install one.')
  const folder = mkdtempSync(join(tmpdir(), 'talaria-answers-'))
  const entry = 'virtual:answers'
  await build({
    configFile: false,
    root: join(root, 'src/renderer'),
    logLevel: 'error',
    plugins: [
      react(),
      tailwindcss(),
      {
        name: 'answers',
        resolveId: id => (id === entry ? join(root, 'src/renderer/answers.js') : undefined),
        load: id => (id === join(root, 'src/renderer/answers.js') ? PAGE(root) : undefined),
      },
    ],
    build: {
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: entry,
        output: { format: 'iife', entryFileNames: 'page.js', assetFileNames: '[name][extname]' },
      },
    },
  })
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } })
  const style = ['answers.css', 'page.css', 'style.css']
  await page.setContent('<!doctype html><html><body></body></html>')
  for (const name of style) await page.addStyleTag({ path: join(folder, name) }).catch(() => undefined)
  await page.addScriptTag({ content: readFileSync(join(folder, 'page.js'), 'utf8') })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  /** The milliseconds of work in the page. Time by the clock would include what else the computer does. */
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  return {
    async draw(text, step = 0) {
      const before = await worked()
      const drawn = await page.evaluate<Omit<Drawn, 'cpuMs'>>(`drawAnswer(${JSON.stringify(text)}, ${step})`)
      return { ...drawn, cpuMs: (await worked()) - before }
    },
    close: async () => {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
