import { useEffect, useEffectEvent } from 'react'

/** What a key handler looks at; a browser event and a React event both have it. */
export type KeyStroke = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

export const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent)

/** Whether a stroke is the named one, such as `mod+shift+f`; `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export function isKey(stroke: KeyStroke, name: string): boolean {
  const parts = name.split('+')
  const key = parts.pop()
  const mod = isMac ? stroke.metaKey : stroke.ctrlKey
  const other = isMac ? stroke.ctrlKey : stroke.metaKey
  // With Alt, or in a layout that is not Latin, `key` is another sign, and the place on the keyboard counts.
  const foreign = !/^[ -~]$/u.test(stroke.key) && stroke.code.toLowerCase() === `key${key}`
  const pressed = stroke.key.toLowerCase() === key || foreign
  return (
    pressed &&
    !other &&
    mod === parts.includes('mod') &&
    stroke.altKey === parts.includes('alt') &&
    (stroke.shiftKey === parts.includes('shift') || (key === '/' && mod))
  )
}

const signs: Record<string, string> = isMac
  ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '⏎', escape: 'Esc' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', escape: 'Esc' }

/** A shortcut as this platform writes it: `⌘⇧F` or `Ctrl+Shift+F`. */
export function keyText(name: string): string {
  const parts = name.split('+').map(part => signs[part] ?? (part.length === 1 ? part.toUpperCase() : part))
  return parts.join(isMac ? '' : '+')
}

/**
 * Listen for keys anywhere in the window. The first name that fits is acted on, and the browser does not get it; an
 * action that returns false leaves it to the browser.
 */
export function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const name = Object.keys(keys).find(each => isKey(event, each))
    if (name === undefined) return
    if (keys[name]!() !== false) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
