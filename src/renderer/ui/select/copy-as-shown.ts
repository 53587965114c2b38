import { readCopied, type Copied } from './copied-text.ts'

/** Whether key and copy events belong to a text field. */
export const isWrittenIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Puts a text on the clipboard in an event that copies. */
export function giveCopied(event: ClipboardEvent, { text, html }: Copied): void {
  event.clipboardData?.setData('text/plain', text)
  event.clipboardData?.setData('text/html', html)
  event.preventDefault()
}

/** Copies rendered Markdown as it looks, in the whole window. Virtual lists handle copying themselves. */
export function copyAsShown(event: ClipboardEvent): void {
  const selection = getSelection()
  if (event.defaultPrevented || isWrittenIn(event.target) || !selection || selection.isCollapsed) return
  const range = selection.getRangeAt(0)
  const { commonAncestorContainer: common } = range
  const element = common instanceof Element ? common : common.parentElement
  const isProse =
    element?.closest('.prose') ??
    [...(element?.querySelectorAll('.prose') ?? [])].some(each => range.intersectsNode(each))
  if (isProse) giveCopied(event, readCopied(range))
}
