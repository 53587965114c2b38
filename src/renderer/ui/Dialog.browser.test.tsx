import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Dialog } from './Dialog.tsx'

// A press that starts on a button must end on it, even while more of the dialog loads.
test.for([
  [1_280, 800],
  [480, 820],
  [640, 400],
] as const)('in a window of %i by %i pixels a dialog grows without moving', async ([width, height]) => {
  await page.viewport(width, height)
  const dialog = (lines: number) => (
    <Dialog title="Entry" closeLabel="Close" onClose={() => {}}>
      {Array.from({ length: lines }, (_, line) => (
        <p key={line}>Line {line}</p>
      ))}
    </Dialog>
  )
  const shown = await render(dialog(1))
  const box = () => page.getByRole('dialog').element().getBoundingClientRect()
  const before = box()
  await shown.rerender(dialog(100))
  expect(box().height).toBeGreaterThan(before.height)
  expect(box().top).toBe(before.top)
  expect(box().bottom).toBeLessThanOrEqual(height)
})
