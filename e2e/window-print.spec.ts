import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { chatRow, lastAnswer, send, stopButton, transcript } from './chat.ts'
import { seedChat } from './seed-chat.ts'
import { expect, senseless, test } from './scripted-server.ts'
import type { Cite } from '../src/shared/contract/connections/web.ts'
import type { Page } from '@playwright/test'

/** Specs with a chat of two answers that exists when Talaria starts. */
const seeded = test.extend<{ said: { answer: string; cites?: Cite[] } }>({
  said: [{ answer: '' }, { option: true }],
  folders: async ({ folders, said }, use) => {
    seedChat(folders, 'A seeded chat', 2, () => said.answer, said.cites)
    await use(folders)
  },
})

const columns = (count: number, rows = 1) =>
  [
    `| ${Array.from({ length: count }, (_, at) => `Column${at}`).join(' | ')} |`,
    `|${'---|'.repeat(count)}`,
    ...Array.from(
      { length: rows },
      (_, row) => `| ${Array.from({ length: count }, (_, at) => `cell${row}_${at}`).join(' | ')} |`,
    ),
  ].join('\n')

/** Start to print, and lay the page out as on a sheet. A copy of the printed elements is kept. */
async function layOut(page: Page, print: () => Promise<void>) {
  await page.evaluate(() => {
    const window = globalThis as any
    window.printed = 0
    window.print = () => {
      window.printed++
      // The printed elements go when the system's dialog closes, so a copy is made.
      const { document } = window
      document.body.append(document.querySelector('.printed-chat').cloneNode(true))
    }
  })
  await print()
  await expect.poll(() => page.evaluate(() => (globalThis as any).printed as number)).toBe(1)
  await expect(page.locator('.printed-chat')).toHaveCount(1)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 673, height: 950 })
}

/** How far anything reaches beyond the edge of the sheet, in px. */
const beyond = (page: Page) =>
  // The specs are compiled without the types of a page.
  page.locator('.printed-chat').evaluate((sheet: any): number => {
    const { right, left } = sheet.getBoundingClientRect()
    const parts = [...sheet.querySelectorAll('td, th, pre, .katex-base, img')].map((each: any) =>
      each.getBoundingClientRect(),
    )
    return Math.round(Math.max(0, ...parts.map(part => Math.max(part.right - right, left - part.left))))
  })

/** The least size of letters that can be read on paper, in pt. */
const READABLE = 6.5

/** The words of tables that are broken in two lines, on the page as it is laid out. */
const brokenWords = (page: Page) =>
  page.locator('.printed-chat').evaluate((sheet: any): string[] => {
    const { document, NodeFilter } = globalThis as any
    const broken: string[] = []
    for (const cell of sheet.querySelectorAll('td, th')) {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      while (walker.nextNode())
        for (const word of walker.currentNode.data.matchAll(/\S+/g)) {
          const range = document.createRange()
          range.setStart(walker.currentNode, word.index)
          range.setEnd(walker.currentNode, word.index + word[0].length)
          if (range.getClientRects().length > 1) broken.push(word[0])
        }
    }
    return broken
  })

type Sheet = { width: number; height: number; items: { text: string; x: number; y: number; size: number }[] }

/** The texts on the pages of a PDF, each with its place and the size of its letters, in pt. */
async function sheetsOf(pdf: Uint8Array): Promise<Sheet[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  const file = await task.promise
  const sheets: Sheet[] = []
  for (let number = 1; number <= file.numPages; number++) {
    const sheet = await file.getPage(number)
    const { width, height } = sheet.getViewport({ scale: 1 })
    const { items } = await sheet.getTextContent()
    sheets.push({
      width,
      height,
      items: items.flatMap(item =>
        'str' in item && item.str.trim() !== ''
          ? { text: item.str, x: item.transform[4], y: item.transform[5], size: item.height }
          : [],
      ),
    })
  }
  await task.destroy()
  return sheets
}
const textOf = (sheets: readonly Sheet[]) =>
  sheets.map(({ items }) => items.map(({ text }) => text).join(' ')).join('\n')

/** Print the laid-out page into a file, and read the file. */
async function printFile(page: Page): Promise<Sheet[]> {
  const path = test.info().outputPath('sheet.pdf')
  await page.emulateMedia({ media: null })
  return sheetsOf(await page.pdf({ preferCSSPageSize: true, format: 'A4', path }))
}

const wide = {
  'a table of 25 columns': columns(25),
  'a table of 70 columns in several parts': columns(70),
  'a table in a list with long names': `- so:\n\n  ${columns(4).replaceAll('cell', 'a_name_without_end_'.repeat(9)).replaceAll('\n', '\n  ')}`,
  'a sum of 60 terms': `$$${Array.from({ length: 60 }, (_, at) => `x_{${at}}`).join('+')}$$`,
  'a fraction that cannot break': `$$\\frac{${Array.from({ length: 40 }, (_, at) => `x_{${at}}`).join('+')}}{2}$$`,
  'a formula within a line': `So $\\sqrt{${Array.from({ length: 40 }, (_, at) => `y_{${at}}`).join('+')}}$ it is.`,
  'a line of code': `\`\`\`c\n${'long_name(1) + '.repeat(60)}\n\`\`\``,
}

for (const [name, text] of Object.entries(wide))
  test(`on paper ${name} is whole`, async ({ app, model }) => {
    model.reply({ text: `Here:\n\n${text}\n\nEnd.` })
    await send(app, 'Print')
    await expect(lastAnswer(app)).toContainText('End.')
    await expect(stopButton(app)).toBeHidden()
    await layOut(app, () => app.keyboard.press('Control+p'))
    await expect.poll(() => beyond(app)).toBeLessThanOrEqual(2)
    const sheets = await printFile(app)
    for (const [at, { items, width }] of sheets.entries()) {
      expect(items.filter(({ x }) => x < 0 || x > width)).toEqual([])
      // The number of the page, which is below everything else.
      const last = items.toSorted((a, b) => a.y - b.y).slice(0, 3)
      expect(last.map(({ text }) => text).join('')).toContain(`${at + 1} / ${sheets.length}`)
    }
    expect(textOf(sheets)).toContain('End.')
  })

const tables = {
  'a table of 12 columns': columns(12, 3),
  'a table of 15 columns': columns(15, 3),
  'a table of 25 columns': columns(25, 40),
  'a table of 70 columns': columns(70, 3),
  'sentences beside names': `| Name | What it is | Where | More |\n|---|---|---|---|\n| part_1 | ${senseless(30).join('')} | src/main/some/folder/name.ts | ${senseless(40, 2).join('')} |`,
  'sentences in 14 columns': `|${' Head |'.repeat(14)}\n|${'---|'.repeat(14)}\n|${Array.from({ length: 14 }, (_, at) => ` ${senseless(12, at).join('')} |`).join('')}`,
}

for (const [name, text] of Object.entries(tables))
  seeded.describe(() => {
    seeded.use({ said: { answer: `## Above\n\n${text}\n\nEnd.` } })
    seeded(`on paper ${name} can be read: all cells, large enough, with whole words`, async ({ app }) => {
      await chatRow(app, 'A seeded chat').click()
      await expect(lastAnswer(app)).toContainText('End.')
      await layOut(app, () => app.keyboard.press('Control+p'))
      const isTurned = (await app.locator('.printed-chat .printed-wide').count()) > 0
      if (isTurned) await app.setViewportSize({ width: 1_000, height: 620 })
      expect(await brokenWords(app)).toEqual([])
      const sheets = await printFile(app)
      const printed = textOf(sheets).replaceAll(/\s+/g, ' ')
      for (const [word] of text.matchAll(/[\w./]+/g)) expect(printed).toContain(word)
      expect(sheets.flatMap(({ items }) => items).filter(({ size }) => size < READABLE)).toEqual([])
      // A heading is on the same sheet as its table.
      const turned = sheets.filter(({ width, height }) => width > height)
      expect(turned.length > 0).toBe(isTurned)
      if (isTurned) expect(textOf(turned)).toContain('Above')
    })
  })

seeded.describe(() => {
  seeded.use({
    said: {
      answer: 'It is the moon [1][4]. See [the guide](https://example.org/guide).\n\n```js\nconst a = 1\n```',
      cites: [
        {
          n: 1,
          title: 'Tides\u200b of the sea',
          address: 'https://example.org/tides/long',
          date: '2026-10-02',
        },
        { n: 4, title: 'The moon', address: 'https://example.org/moon' },
      ],
    },
    colorScheme: 'dark',
  })
  seeded('sources stand below their answer, once each, on light paper in a dark window', async ({ app }) => {
    await chatRow(app, 'A seeded chat').click()
    await expect(lastAnswer(app)).toContainText('It is the moon')
    await layOut(app, async () => {
      await transcript(app).getByRole('button', { name: 'Print this answer' }).last().focus()
      await app.keyboard.press('Enter')
    })
    const shade = await app
      .locator('.printed-chat .code-block')
      .evaluate((block: any) => (globalThis as any).getComputedStyle(block).colorScheme)
    expect(shade).toContain('light')
    const text = textOf(await printFile(app)).replaceAll(/\s+/g, ' ')
    expect(text).toContain('Question 2.')
    expect(text).not.toContain('Question 1.')
    expect(text).toMatch(/Sources.*1\. Tides ?⟨ ?U\+200B ?⟩ of the sea https:\/\/example\.org\/tides\/long/)
    expect(text).toMatch(/4\. The moon https:\/\/example\.org\/moon/)
    expect(text.split('example.org/moon')).toHaveLength(2)
    expect(text).toContain('the guide (https://example.org/guide)')
  })
})

test('all columns of a table that is cut into parts are there, each with the first one', async ({
  app,
  model,
}) => {
  model.reply({ text: columns(70) })
  await send(app, 'Print')
  await expect(lastAnswer(app).getByText('Column69')).toBeAttached()
  await expect(stopButton(app)).toBeHidden()
  await layOut(app, () => app.keyboard.press('Control+p'))
  const heads = await app.locator('.printed-chat .table-block:not(.split-table) th').allTextContents()
  expect(new Set(heads).size).toBe(70)
  const parts = await app.locator('.printed-chat .table-block:not(.split-table) table').count()
  expect(heads).toHaveLength(69 + parts)
})

test('one answer is printed with its question, and no other', async ({ app, model }) => {
  model.reply({ text: `First.\n\n${columns(12)}` }, { text: 'Second.' })
  for (const text of ['One?', 'Two?']) {
    await send(app, text)
    await expect(lastAnswer(app)).toContainText(text === 'One?' ? 'First.' : 'Second.')
    await expect(stopButton(app)).toBeHidden()
  }
  await layOut(app, async () => {
    await transcript(app).getByRole('button', { name: 'Print this answer' }).first().focus()
    await app.keyboard.press('Enter')
  })
  const sheet = app.locator('.printed-chat')
  await expect(sheet).toContainText('One?')
  await expect(sheet).toContainText('First.')
  await expect(sheet).not.toContainText(/Two\?|Second\./)
  expect(await beyond(app)).toBeLessThanOrEqual(2)
  expect(await sheet.evaluate(each => (globalThis as any).getComputedStyle(each).colorScheme)).toContain(
    'light',
  )
})
