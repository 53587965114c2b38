import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { listBoxes } from '../page-nodes.ts'
import { createCascade } from './cascade.ts'
import { black, looksAlike, readColor, white } from './colors.ts'
import { readBlock } from './declarations.ts'
import { readLength } from './lengths.ts'
import { holdsMedia, holdsSupports } from './media-queries.ts'
import { readSheets } from './parse-sheets.ts'

const base = { fontSize: 10, rootSize: 16 }

test.each([
  ['2em', 20],
  ['calc(100% - 5px * 2)', 1_270],
  ['-.5rem', -8],
  ['min(3px, 2em)', 3],
  ['clamp(0px, 1vw, 5px)', 5],
  ['1e3px', 1_000],
  ['auto', undefined],
  ['2px 3px', undefined],
])('a length: %s', (text, pixels) => expect(readLength(text, base)).toBe(pixels))

test.each([
  ['#fff', [255, 255, 255, 1]],
  ['rgb(255 255 255 / 10%)', [255, 255, 255, 0.1]],
  ['hsl(120deg, 100%, 50%)', [0, 255, 0, 1]],
  ['oklch(1 0 0)', [255, 255, 255, 1]],
  ['light-dark(white, black)', [255, 255, 255, 1]],
  ['color-mix(in srgb, white 50%, black)', [128, 128, 128, 1]],
])('a colour: %s', (text, wanted) => {
  const color = readColor(text, black)
  expect(color && [Math.round(color.r), Math.round(color.g), Math.round(color.b), color.a]).toEqual(wanted)
})

test('small print in a pale grey stands out, and what is nearly white does not', () => {
  const on = (text: string) => looksAlike(readColor(text, black) ?? black, white)
  expect(['#ccc', '#bbb', 'yellow', 'red'].filter(on)).toEqual([])
  expect(['#fff', '#f4f4f4', 'transparent', 'ivory'].filter(each => !on(each))).toEqual([])
})

test.each([
  ['screen and (min-width: 900px)', true],
  ['print', false],
  ['(max-width: 700px)', false],
  ['not print', true],
  ['(400px <= width <= 2000px)', true],
  ['(prefers-color-scheme: dark)', false],
  ['print, (hover: hover)', true],
])('media: %s', (query, holds) => expect(holdsMedia(query)).toBe(holds))

test('what browsers support', () => {
  expect(holdsSupports('(display: grid) and (not (display: nonsense))')).toBe(true)
  expect(holdsSupports('not (display: grid)')).toBe(false)
})

const shown = (css: string, html: string) => {
  const { boxes } = listBoxes(parseHTML(`<html><body>${html}</body></html>`).document, 1_000)
  const cascade = createCascade(
    readSheets([css]),
    () => [],
    () => undefined,
  )
  return boxes.flatMap(box => (cascade.styleOf(box).get('display') === 'none' ? [box.id || box.tag] : []))
}

test.each([
  ['.a > b + i', '<p class="a"><b></b><i id="1"></i><i></i></p>', ['1']],
  ['p:nth-child(2n+1):not(.x)', '<p id="1"></p><p></p><p class="x"></p>', ['1']],
  ['div:has(> b)', '<div id="1"><b></b></div><div><i><b></b></i></div>', ['1']],
  ['[data-a^="x" i] ~ u', '<b data-a="XY"></b><i></i><u id="1"></u>', ['1']],
  ['.un\\:real', '<p id="1" class="un:real"></p>', ['1']],
  [':is(h1, .q):first-of-type', '<p></p><h1 id="1"></h1><h1></h1>', ['1']],
  ['p:hover, p::before, p:unknown(2)', '<p></p>', []],
])('a selector: %s', (selector, html, ids) => expect(shown(`${selector}{display:none}`, html)).toEqual(ids))

test.each([
  ['importance before order', '#a{display:none!important} p{display:block} [id]{display:block}'],
  ['the more exact one', 'p#a{display:none} .b{display:block}'],
  ['layers', '@layer one{#a{display:block}} p{display:none}'],
  [
    'what is important in an early layer',
    '@layer one{p{display:none!important}} @layer two{#a{display:block!important}}',
  ],
  ['nested rules', 'body{color:red; .b{display:none} & .b{color:red}}'],
  ['nested media', '.b{color:red; > i{color:red} @media screen{display:none} margin:0}'],
  ['custom properties', ':root{--x:none}p{display:var(--y, var(--x))}'],
  ['the end of an animation', '@keyframes go{to{display:none}} p{animation:go 1s forwards}'],
])('the cascade: %s', (_, css) => expect(shown(css, '<p id="a" class="b"></p>')).toEqual(['a']))

test('a long block is read in parts: nothing between them is lost, and no sign in quotes or brackets divides one', () => {
  const odd = 'content: "a;b}c"; background-image: url(x;y); --kept: { a; b: c }; junk; color red; '
  const found = readBlock(`${odd.repeat(40)}display: none !important; ${'a;'.repeat(2_000)} color: red`)
  expect(found.filter(({ property }) => property === 'content')).toHaveLength(40)
  expect(found.filter(({ property }) => property === '--kept')).toHaveLength(40)
  expect(found.slice(-2)).toEqual([
    { property: 'display', value: 'none', isImportant: true },
    { property: 'color', value: 'red', isImportant: false },
  ])
})
