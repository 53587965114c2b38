import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { aReply, aResult, aUserMessage } from '../../test/messages.ts'
import { button, showWindow, transcript } from '../../test/show-window.tsx'
import type { PreparedHost } from '../../test/test-host.ts'

const read = { id: 'call-1', name: 'read_file', arguments: { path: 'notes.md' } }
const answer = 'The area is $\\pi r^2$.\n\n```js\nconst a = 1\n```\n\n[More](https://example.org/a)'

function aChat({ seed }: PreparedHost) {
  const messages = [
    aUserMessage({ id: 1, text: 'How large?' }),
    aReply({ id: 2, text: '', calls: [read] }),
    aResult({ id: 3, name: 'read_file', text: 'secret notes' }),
    aReply({ id: 4, text: answer }),
  ]
  void seed.chat({ id: 'c1', title: 'Circle', messages })
  return 'c1'
}
async function openExport() {
  await button('More for “Circle”').click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
}
/** Record what a copy puts on the clipboard. */
function onClipboard() {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  onTestFinished(() => copied.mockRestore())
  return () => copied.mock.lastCall?.[0] ?? ''
}
/** Record the page content when the print dialog opens. */
function onPaper() {
  const pages: { text: string; html: Element }[] = []
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    const shown = document.querySelector('.printed-chat')!
    pages.push({ text: shown.textContent, html: shown.cloneNode(true) as Element })
  })
  onTestFinished(() => print.mockRestore())
  return pages
}

test('a chat is copied in each format, with or without what tools answered', async () => {
  const copied = onClipboard()
  await showWindow(aChat)
  await openExport()
  await button('Copy').click()
  await expect.poll(copied).toContain("default-src 'none'")
  expect(copied()).not.toContain('<script')
  await page.getByText('Markdown', { exact: true }).click()
  await button('Copy').click()
  await expect.poll(copied).toMatch(/^# Circle[^]*secret notes/)
  await page.getByRole('checkbox', { name: 'Include tool input and results' }).click()
  await button('Copy').click()
  await expect.poll(copied).toContain('Used read_file.')
  expect(copied()).not.toMatch(/secret notes|notes\.md/)
  await expectAccessibleAt(1_280, 420)
})

test('all branches can be chosen in a chat that has some', async () => {
  const copied = onClipboard()
  const host = await showWindow(aChat)
  await openExport()
  await expect.element(button('Copy')).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'All branches' })).not.toBeInTheDocument()
  await button('Close').first().click()
  await host.elsewhere['branch.edit']({
    sessionId: 'c1',
    messageId: 4,
    text: 'Edited answer',
    stopRun: false,
  })
  await expect.element(transcript().getByText('Edited answer')).toBeVisible()
  await openExport()
  await page.getByText('Markdown', { exact: true }).click()
  await button('Copy').click()
  await expect.poll(copied).toContain('Edited answer')
  expect(copied()).not.toContain('The area is')
  await page.getByText('All branches').click()
  await button('Copy').click()
  await expect.poll(copied).toContain('# Branch 2')
  expect(copied()).toContain('The area is')
})

test('a chat is exported to a file without its tool output', async () => {
  const host = await showWindow(aChat)
  await openExport()
  const file = `${host.home}/circle.md`
  await page.getByText('Markdown', { exact: true }).click()
  await page.getByRole('checkbox').click()
  await page.getByRole('textbox', { name: 'File' }).fill(file)
  await button('Export this chat').click()
  await expect.element(page.getByText(file)).toBeVisible()
  const text = await host.readFile('home', 'circle.md')
  expect(text).toContain('Used read_file.')
  expect(text).not.toContain('secret notes')
})

test('a printed chat has all its messages with formulas and whole code, and the page is as before', async () => {
  const pages = onPaper()
  await showWindow(aChat)
  await openExport()
  await button('Print…').click()
  await expect.poll(() => pages.length).toBe(1)
  expect(pages[0]!.text).toMatch(/^Circle.*You.*How large\?.*secret notes.*const a = 1.*More$/s)
  expect(pages[0]!.html.querySelector('.katex')).not.toBeNull()
  await expect.poll(() => document.querySelector('.printed-chat')).toBeNull()
  await expect.element(transcript()).toBeVisible()
})

test('the shortcut prints the open chat without tool output', async () => {
  const pages = onPaper()
  await showWindow(aChat)
  await expect.element(transcript()).toBeVisible()
  await userEvent.keyboard('{Control>}p{/Control}')
  await expect.poll(() => pages.length).toBe(1)
  expect(pages[0]!.text).not.toContain('secret notes')
})

test('a chat that is too long is not printed, and the reason is told', async () => {
  const pages = onPaper()
  const host = await showWindow(aChat)
  await openExport()
  host.failNext('data.exportText', new Fault('bad_input', 'This chat is too long for that.'))
  await button('Print…').click()
  await expect.element(page.getByText('This chat is too long for that.')).toBeVisible()
  expect(pages).toEqual([])
})

const valueOf = (field: Locator) => (field.element() as HTMLInputElement).value

test('the file has its suggested path also where that comes after the field got the focus', async () => {
  const host = await showWindow(aChat)
  const release = host.holdNext('data.places')
  await openExport()
  const file = page.getByRole('textbox', { name: 'File' })
  const go = button('Export this chat')
  await file.click()
  await expect.element(go).toBeDisabled()
  await expect.element(page.getByText('Type the path of the new file first.')).toBeVisible()
  expect(go.element().getAttribute('title')).toBe('Type the path of the new file first.')
  release()
  await expect.poll(() => valueOf(file)).toMatch(/talaria-chat-[\d-]+\.html$/)
  await expect.element(go).toBeEnabled()
})

test('another format changes the ending of the path, of a typed one only where it was that of the format', async () => {
  await showWindow(aChat)
  await openExport()
  const file = page.getByRole('textbox', { name: 'File' })
  const choose = (format: string) => page.getByText(format, { exact: true }).click()
  await expect.poll(() => valueOf(file)).toMatch(/\.html$/)
  await choose('Markdown')
  await expect.poll(() => valueOf(file)).toMatch(/\.md$/)
  await file.fill('/tmp/circle.md')
  await choose('JSON')
  await expect.element(file).toHaveValue('/tmp/circle.json')
  await file.fill('/tmp/circle.txt')
  await choose('Markdown')
  await expect.element(file).toHaveValue('/tmp/circle.txt')
})
