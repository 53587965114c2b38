import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { placeElements } from './place-elements.tsx'

const drawn = (...given: Parameters<typeof placeElements>) =>
  renderToStaticMarkup(createElement('p', null, placeElements(...given)))

test('elements stand in the places that the sentence gives them, in any order', () => {
  const values = {
    name: 'Ada',
    command: createElement('code', null, '/new'),
    who: (words: string) => createElement('b', null, words),
  }
  expect(drawn('Write {command} to <who>the bot</who>, {name}.', values)).toBe(
    '<p>Write <code>/new</code> to <b>the bot</b>, Ada.</p>',
  )
})

test('what a value says is no place, and a place without a value stays', () => {
  expect(drawn('{a} and {b}', { a: '{b}' })).toBe('<p>{b} and {b}</p>')
})
