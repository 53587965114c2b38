import { expect, test } from 'vitest'
import { safeImage, safeLink } from './safe-address.ts'

test.for([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  [' javascript:alert(1)', undefined],
  ['data:text/html,<script>', undefined],
  ['file:///etc/passwd', undefined],
  ['app://bundle/index.html', undefined],
  ['//example.org', undefined],
  ['/rpc', undefined],
  ['#token=x', undefined],
  ['', undefined],
] as const)('a link to %o leads to %o', ([address, expected]) => {
  expect(safeLink(address)).toBe(expected)
})

test.for([
  ['data:image/png;base64,AAAA', true],
  ['DATA:image/svg+xml,<svg/>', true],
  ['blob:app://bundle/1', true],
  ['https://example.org/pixel.png', false],
  ['data:text/html,<b>', false],
  ['/icon.svg', false],
  [undefined, false],
] as const)('an image at %o is shown: %o', ([address, shown]) => {
  expect(safeImage(address) !== undefined).toBe(shown)
})
