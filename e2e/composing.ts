import type { Locator } from '@playwright/test'

type Key = 'Enter' | 'Escape' | 'ArrowDown' | 'ArrowUp' | 'Tab'

/** The two orders in which browsers tell of a key that an input method uses. */
export const orders = ['while it is composed', 'after the composition has ended'] as const

/** Type a key that an input method uses, as a Mac sends it: in Chromium while something is composed, in WebKit right after that. */
export const typeComposing = (field: Locator, key: Key, order: (typeof orders)[number]): Promise<void> =>
  field.evaluate(
    (element, { key, isComposing }) => {
      const told = { bubbles: true, cancelable: true }
      element.dispatchEvent(new CompositionEvent('compositionstart', told))
      if (!isComposing) element.dispatchEvent(new CompositionEvent('compositionend', told))
      element.dispatchEvent(
        new KeyboardEvent('keydown', { ...told, key, code: key, isComposing, keyCode: 229 }),
      )
      if (isComposing) element.dispatchEvent(new CompositionEvent('compositionend', told))
    },
    { key, isComposing: order === 'while it is composed' },
  )
