import { expect, type Locator, type Page } from '@playwright/test'
import { transcript } from './chat.ts'

// Selecting and copying as a person does it, and what the browser then has.

/** Let the page read the clipboard, so that a spec can look at what was copied. */
export const allowClipboard = (page: Page): Promise<void> =>
  page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

/** The selected text of the page. */
export const selectedText = (page: Page): Promise<string> => page.evaluate('String(getSelection())')

/**
 * A function for the page that finds a piece of text in the newest message that contains it: `[node,
 * offset]`.
 */
const find = `text => {
  for (const row of [...document.querySelectorAll('.transcript [data-item]')].reverse()) {
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const at = walker.currentNode.data.indexOf(text)
      if (at >= 0) return [walker.currentNode, at]
    }
  }
}`

/** Select from the beginning of one piece of text to the end of another or the same one, or backwards. */
export async function selectText(
  page: Page,
  from: string,
  { to = from, backward = false }: { to?: string; backward?: boolean } = {},
): Promise<void> {
  const found = await page.evaluate(`(() => {
    const find = ${find}
    const [start, end] = [find(${JSON.stringify(from)}), find(${JSON.stringify(to)})]
    if (!start || !end) return false
    end[1] += ${to.length}
    getSelection().setBaseAndExtent(...(${backward} ? [...end, ...start] : [...start, ...end]))
    return true
  })()`)
  expect(found).toBe(true)
}

/** Select everything in an element. */
export const selectAllOf = (element: Locator): Promise<void> =>
  // The specs are compiled without the types of a page.
  element.evaluate((node: any) => node.ownerDocument.getSelection().selectAllChildren(node))

/**
 * Scroll to the start of the conversation, and select from a text there to the present end of the selection.
 */
export async function selectBackTo(page: Page, first: string): Promise<void> {
  await page.evaluate('window.kept = [getSelection().focusNode, getSelection().focusOffset]')
  await scrollUpTo(page, first)
  await page.evaluate(`(() => {
    const find = ${find}
    getSelection().setBaseAndExtent(...find(${JSON.stringify(first)}), ...window.kept)
  })()`)
}

/** Scroll to an end of the conversation. */
export const scrollTo = (page: Page, end: 'start' | 'end'): Promise<void> =>
  transcript(page).evaluate((list: any, to) => {
    list.scrollTop = to === 'start' ? 0 : list.scrollHeight
  }, end)

/** Scroll up until a text is drawn. Rows on the way only get their height when they are drawn. */
export const scrollUpTo = (page: Page, text: string): Promise<void> =>
  expect(async () => {
    await scrollTo(page, 'start')
    await expect(transcript(page).getByText(text)).toBeAttached({ timeout: 2_000 })
  }).toPass()

/** Press the keys for copying, and read the clipboard as text and as formatted text. */
export async function copySelected(page: Page): Promise<{ text: string; html: string }> {
  await page.evaluate(`navigator.clipboard.writeText('Nothing was copied.')`)
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).not.toBe('Nothing was copied.')
  return page.evaluate(`(async () => {
    const [item] = await navigator.clipboard.read()
    const read = async type => (item.types.includes(type) ? (await item.getType(type)).text() : '')
    return { text: await read('text/plain'), html: await read('text/html') }
  })()`)
}

/** Make the system refuse every copy, in both ways that pages can copy. */
export const refuseCopies = (page: Page): Promise<void> =>
  page.evaluate(`{
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
    document.execCommand = () => false
  }`)
