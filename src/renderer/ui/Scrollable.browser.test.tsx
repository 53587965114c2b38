import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import '../app.css'
import { CodeBlock } from '../markdown/CodeBlock.tsx'
import { Scrollable } from './Scrollable.tsx'
import { TextDiff } from './text/TextDiff.tsx'

// Acts like a slow machine at the first paint: no observer has reported anything yet.
class Silent {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords = () => []
}

beforeEach(() => {
  for (const name of ['ResizeObserver', 'MutationObserver', 'IntersectionObserver'])
    vi.stubGlobal(name, Silent)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const long = 'many words on one line, '.repeat(40)
const regions = {
  'a table': (
    <Scrollable label="Speed" className="overflow-x-auto">
      <pre>{long}</pre>
    </Scrollable>
  ),
  'a text': (
    <Scrollable as="pre" label="Text" className="max-h-8 overflow-auto">
      {`${long}\n`.repeat(9)}
    </Scrollable>
  ),
  'code in an answer': <CodeBlock code={long} language="text" live={false} />,
  'a diff': <TextDiff label="Changes" before="" after={`${long}\n`.repeat(9)} className="max-h-8" />,
}

test.for(Object.entries(regions))('%s is a named tab stop from the first paint', ([, drawn]) => {
  const place = document.body.appendChild(document.createElement('div'))
  place.style.width = '200px'
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  flushSync(() => root.render(drawn))
  const region = place.querySelector<HTMLElement>('[role="group"]')
  expect(region?.tabIndex).toBe(0)
  expect(region?.ariaLabel).toMatch(/\w/)
  expect(region!.scrollWidth > region!.clientWidth || region!.scrollHeight > region!.clientHeight).toBe(true)
})
