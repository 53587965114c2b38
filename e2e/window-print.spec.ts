import { lastAnswer, send, stopButton, transcript } from './chat.ts'
import { expect, test } from './served.ts'
import type { Page } from '@playwright/test'

const columns = (count: number, rows = 1) =>
  [
    `| ${Array.from({ length: count }, (_, at) => `Column${at}`).join(' | ')} |`,
    `|${'---|'.repeat(count)}`,
    ...Array.from(
      { length: rows },
      (_, row) => `| ${Array.from({ length: count }, (_, at) => `cell${row}_${at}`).join(' | ')} |`,
    ),
  ].join('\n')

/** Lay the page out as on a sheet, with what is printed kept, and start to print. */
async function layOut(page: Page, print: () => Promise<void>) {
  await page.evaluate(() => {
    const window = globalThis as any
    window.printed = 0
    window.print = () => {
      window.printed++
      // What is printed goes when the dialog of the system closes; a copy stays.
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

/** How far anything stands beyond the edge of the sheet, in px. */
const beyond = (page: Page) =>
  // The specs know no types of a page.
  page.locator('.printed-chat').evaluate((sheet: any): number => {
    const { right, left } = sheet.getBoundingClientRect()
    const parts = [...sheet.querySelectorAll('td, th, pre, .katex-base, img')].map((each: any) =>
      each.getBoundingClientRect(),
    )
    return Math.round(Math.max(0, ...parts.map(part => Math.max(part.right - right, left - part.left))))
  })

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
    await app.screenshot({ path: test.info().outputPath('sheet.png'), fullPage: true })
    const pdf = await app.pdf({ preferCSSPageSize: true, path: test.info().outputPath('sheet.pdf') })
    expect(pdf.byteLength).toBeGreaterThan(5_000)
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
  const tables = await app.locator('.printed-chat .table-block:not(.split-table) table').count()
  expect(heads).toHaveLength(69 + tables)
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
