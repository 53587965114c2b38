import { expect, test } from 'vitest'
import { elementsIn, parsePage } from '../dom.ts'
import { chooseElements } from './choose-elements.ts'
import { measureBlocks } from './measure-blocks.ts'

type Marks = { both?: string; defuddle?: string; readability?: string }

/** Return the texts that are chosen if the extractors keep everything that these selectors match. */
function chosenOf(html: string, { both = 'none', defuddle = 'none', readability = 'none' }: Marks): string {
  const { body } = parsePage(`<html><body>${html}</body></html>`)
  const elements = elementsIn(body)
  const keptBy = (selector: string) =>
    new Set(
      elements.flatMap((element, at) =>
        element.closest(both) !== null || element.closest(selector) !== null ? [at] : [],
      ),
    )
  const chosen = chooseElements(elements, measureBlocks(elements), {
    defuddle: keptBy(defuddle),
    readability: keptBy(readability),
  })
  return [...chosen]
    .toSorted((a, b) => a - b)
    .map(at => (elements[at]!.children.length === 0 ? elements[at]!.textContent : ''))
    .filter(Boolean)
    .join(' | ')
}

const LONG =
  'The ferry between the islands sails again from Monday, as the port authority said on Friday. '.repeat(5)
const TEXT = `<p class="k">${LONG}</p><p class="k">${LONG}</p>`

test('short members of a reference stay, though only one extractor keeps them', () => {
  const page = `<main>${TEXT}<div class="member"><h3 class="k">index</h3><div class="d">The index of the hat.</div></div></main>`
  expect(chosenOf(page, { both: '.k', defuddle: '.d' })).toContain('The index of the hat.')
})

test('a heading and a plain paragraph before what is kept stay, though no extractor keeps them', () => {
  const page = `<main><div class="head"><h2>Structure of menus</h2></div>${TEXT}<p>Put this into the file:</p><p>It holds for each. </p>${TEXT}</main>`
  const chosen = chosenOf(page, { both: '.k' })
  expect(chosen).toContain('Structure of menus')
  expect(chosen).toContain('It holds for each.')
})

test('a heading of what is left out goes with it', () => {
  const page = `<main>${TEXT}<h2>More of this</h2><ul><li><a href="/a">Storm breaks landing stage</a></li></ul></main>`
  expect(chosenOf(page, { both: '.k' })).not.toContain('More of this')
})

test('facts in a table stay, though many of them are links; a table of nothing but links goes', () => {
  const table = (cell: string) =>
    `<table class="r"><tr><th>Founder</th><td>${cell}</td></tr><tr><th>Seat</th><td><a href="/s">Selmouth</a></td></tr></table>`
  const facts = `<main>${TEXT}${table('<a href="/i">Ines Varga</a>')}${TEXT}</main>`
  expect(chosenOf(facts, { both: '.k', readability: '.r' })).toContain('Ines Varga')
  const links = facts.replaceAll(/<th>(\w+)<\/th>/g, '<th><a href="/x">$1</a></th>')
  expect(chosenOf(links, { both: '.k', readability: '.r' })).not.toContain('Ines Varga')
})

test('teasers beside one article are left out, whatever the element around both is called', () => {
  const teaser = `<li class="d"><a href="/t">Oak yard takes on six apprentices</a><p class="d">A yard in Selmouth built new piles within twelve days, and wants more hands.</p></li>`
  const page = `<div class="content"><div><div class="story">${TEXT}${TEXT}</div></div><div class="stream"><ul>${teaser.repeat(14)}</ul></div></div>`
  const chosen = chosenOf(page, { both: '.k', defuddle: '.d' })
  expect(chosen).toContain('The ferry')
  expect(chosen).not.toContain('Selmouth')
})
