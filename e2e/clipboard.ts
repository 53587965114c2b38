import { expect, type Page } from '@playwright/test'
import { transcript } from './chat.ts'

// Selecting and copying as a person does it, and what the browser says of it.

/** Let the page read the clipboard, as a spec does that looks at what was copied. */
export const allowClipboard = (page: Page): Promise<void> =>
  page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

/** The text that is selected in the page. */
export const selectedText = (page: Page): Promise<string> => page.evaluate(() => String(getSelection()))

/** Select a piece of the newest message that holds it, which must be drawn by now. */
export async function selectText(page: Page, text: string, how: { backward?: true } = {}): Promise<void> {
  const found = await transcript(page).evaluate(
    (list, { text, backward }) => {
      for (const row of [...list.querySelectorAll('[data-item]')].toReversed()) {
        const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const node = walker.currentNode as Text
          const at = node.data.indexOf(text)
          if (at < 0) continue
          const [from, to] = backward ? [at + text.length, at] : [at, at + text.length]
          getSelection()!.setBaseAndExtent(node, from, node, to)
          return true
        }
      }
      return false
    },
    { text, backward: how.backward ?? false },
  )
  expect(found).toBe(true)
}

/** Press the keys that copy, and read what the clipboard got, as text and as formatted text. */
export async function copySelected(page: Page): Promise<{ text: string; html: string }> {
  const nothing = 'Nothing was copied.'
  await page.evaluate(text => navigator.clipboard.writeText(text), nothing)
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe(nothing)
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const read = async (type: string) =>
      item!.types.includes(type) ? (await item!.getType(type)).text() : ''
    return { text: await read('text/plain'), html: await read('text/html') }
  })
}

/** Make the system refuse every copy, by both ways that pages have. */
export const refuseCopies = (page: Page): Promise<void> =>
  page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
    document.execCommand = () => false
  })
