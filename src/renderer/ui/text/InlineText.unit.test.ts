import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Highlight } from './InlineText.tsx'

const drawn = (text: string, query: string) => renderToStaticMarkup(createElement(Highlight, { text, query }))

test('searched words match in any case, and pattern characters match literally', () => {
  expect(drawn('Why (really) WHY?', 'why (r')).toBe(
    '<mark>Why</mark> <mark>(r</mark>eally) <mark>WHY</mark>?',
  )
  expect(drawn('Why', '  ')).toBe('Why')
})
