import type { Locator } from '@playwright/test'

/** The two moments at which browsers report a key that an input method uses. */
export const orders = ['while it is composed', 'after the composition has ended'] as const

/**
 * Type a key that an input method uses, as on a Mac: Chromium reports it during the composition, WebKit right
 * after it.
 */
export const typeComposing = (
  field: Locator,
  key: 'Enter' | 'Escape' | 'ArrowUp',
  order: (typeof orders)[number],
): Promise<void> =>
  field.evaluate(
    // The specs are compiled without the types of a page.
    (element: any, [key, isComposing]) => {
      const { CompositionEvent, KeyboardEvent } = element.ownerDocument.defaultView
      const told = { bubbles: true, cancelable: true }
      element.dispatchEvent(new CompositionEvent('compositionstart', told))
      if (!isComposing) element.dispatchEvent(new CompositionEvent('compositionend', told))
      element.dispatchEvent(
        new KeyboardEvent('keydown', { ...told, key, code: key, isComposing, keyCode: 229 }),
      )
      if (isComposing) element.dispatchEvent(new CompositionEvent('compositionend', told))
    },
    [key, order === 'while it is composed'] as const,
  )
