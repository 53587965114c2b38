import { isMac, type KeyStroke } from './keys.ts'

/**
 * The key that the user pressed as a new shortcut: its name, or the reason why it cannot be used. Undefined
 * while only modifiers are down.
 */
export type Pressed = { keys: string } | { problem: string } | undefined

/** Keys that edit text everywhere. */
const EDITING = new Set(['mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+y', 'mod+z', 'mod+shift+v', 'mod+shift+z'])
/** Keys that browsers keep for themselves, whatever a page says. */
const OF_BROWSERS = new Set(['mod+n', 'mod+shift+n', 'mod+t', 'mod+shift+t', 'mod+w', 'mod+shift+w', 'mod+q'])
const MODIFIERS = new Set([
  'Control',
  'Shift',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
])

/** The name of a key stroke, in the notation of `isKey`. */
export function nameStroke(stroke: KeyStroke, { inBrowser = !window.desktop } = {}): Pressed {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = stroke
  if (MODIFIERS.has(key)) return undefined
  if (isMac ? ctrlKey : metaKey) return { problem: 'This key belongs to your system.' }
  const mod = isMac ? metaKey : ctrlKey
  // With Alt or another script, `key` is another character, so use the physical key.
  const base = /^[!-~]$/u.test(key)
    ? key.toLowerCase()
    : (/^Key([A-Z])$/u.exec(code)?.[1]?.toLowerCase() ?? key)
  const isFunction = /^F(?:[1-9]|1[0-2])$/u.test(base)
  if (!isFunction && !/^[!-*,-~]$/u.test(base))
    return { problem: 'Use a letter, a digit, a symbol or a function key.' }
  if (!isFunction && !mod && !altKey)
    return { problem: 'Hold Ctrl, Alt or ⌘ as well. Without it, the shortcut would block typing.' }
  const names = [mod && 'mod', altKey && 'alt', shiftKey && 'shift', base.toLowerCase()]
  const keys = names.filter(name => name !== false).join('+')
  if (EDITING.has(keys)) return { problem: 'This key edits text in every field.' }
  if (inBrowser && OF_BROWSERS.has(keys)) return { problem: 'Your browser keeps this key for itself.' }
  return { keys }
}
