import { useEffect, useEffectEvent } from 'react'

/** The fields of a key event that handlers need. Browser and React events both have them. */
export type KeyStroke = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'getModifierState'>>

export const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent)

/** Whether a key event matches a shortcut such as `mod+shift+f`. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export function isKey(stroke: KeyStroke, name: string): boolean {
  const parts = name.split('+')
  const key = parts.pop()
  const mod = isMac ? stroke.metaKey : stroke.ctrlKey
  const other = isMac ? stroke.ctrlKey : stroke.metaKey
  // With Alt or a non-Latin layout, `key` is another character, so compare the physical key. AltGr types its
  // own character.
  const isOther = !/^[ -~]$/u.test(stroke.key) && stroke.getModifierState?.('AltGraph') !== true
  const foreign = isOther && stroke.code.toLowerCase() === `key${key}`
  const pressed = stroke.key.toLowerCase() === key || foreign
  return (
    pressed &&
    !other &&
    mod === parts.includes('mod') &&
    stroke.altKey === parts.includes('alt') &&
    (stroke.shiftKey === parts.includes('shift') || (key === '/' && mod))
  )
}

/** Whether a key types a character: on a Mac, Option works like AltGr elsewhere, and starts accents. */
const isWriting = (event: KeyboardEvent): boolean =>
  isMac &&
  event.altKey &&
  !event.metaKey &&
  !event.ctrlKey &&
  /^(?:Dead|.)$/u.test(event.key) &&
  event.target instanceof HTMLElement &&
  (event.target.isContentEditable || event.target.matches('input, textarea'))

/** Whether something is open that the browser closes on Esc. */
export const isOpenAbove = (): boolean =>
  document.querySelector('dialog[open], [popover]:popover-open') !== null

const signs: Record<string, string> = isMac
  ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '⏎', escape: 'Esc' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', escape: 'Esc' }

/** A shortcut in the notation of this platform: `⌘⇧F` or `Ctrl+Shift+F`. */
export function keyText(name: string): string {
  const parts = name
    .split('+')
    .map(part => signs[part] ?? (/^(?:.|f\d+)$/u.test(part) ? part.toUpperCase() : part))
  return parts.join(isMac ? '' : '+')
}

/**
 * Registers window-wide shortcuts. The first match runs and prevents the browser default, unless its action
 * returns false.
 */
export function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isWriting(event)) return
    const name = Object.keys(keys).find(each => isKey(event, each))
    if (name === undefined) return
    if (keys[name]!() !== false) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
