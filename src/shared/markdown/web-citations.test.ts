import { expect, test } from 'vitest'
import type { ToolMessage } from '../contract/chats/messages.ts'
import type { UsedPage } from '../contract/connections/web.ts'
import { citedPages, learnPages, linkCitations, nameSite, type KnownPages } from './web-citations.ts'

const result = (id: number, pages: UsedPage[]): ToolMessage => ({
  id,
  sessionId: 's',
  at: 0,
  role: 'tool',
  callId: `c${id}`,
  name: 'web_search',
  ok: true,
  text: '',
  durationMs: 1,
  record: { decision: 'ran', web: { pages } },
})
const moon = { n: 1, title: 'The Moon', address: 'https://example.org/moon' }
const tide = { n: 2, title: 'Tides "today"', address: 'https://example.com/tides?a=<1>' }
const both = [moon, tide]
const known: KnownPages = new Map(both.map(page => [page.n, page]))

test('a page that was read stands in for the same page when it was found', () => {
  const read = { ...moon, pageId: 'p1', date: '2026-01-02' }
  const pages: KnownPages = new Map()
  for (const message of [result(3, [moon, tide]), result(5, [read]), result(7, [moon])])
    learnPages(pages, message)
  expect(pages.get(1)).toEqual(read)
  expect([...pages.keys()]).toEqual([1, 2])
})

test('only numbers in brackets of their own are citations', () => {
  const all: KnownPages = new Map(Array.from({ length: 9 }, (_, at) => [at + 1, { ...moon, n: at + 1 }]))
  const numbers = (text: string) => citedPages(text, all).map(({ n }) => n)
  expect(numbers('It is so [2], and so [1, 3]; see [1][2].')).toEqual([2, 1, 3])
  expect(numbers('list[1], [2](https://a.example), \\[3], [^4], ![5], `[6]`\n```\n[7]\n```\n[8]')).toEqual([
    8,
  ])
})

test('numbers of known pages become links, and the rest stays as it is', () => {
  const linked = linkCitations('It pulls the sea [1][2]. Unknown [9]. `a [1]`', both)
  expect(linked).toContain(
    'It pulls the sea [\\[1\\]][1] [\\[2\\]][2]. Unknown [9]. `a [1]`\n\n[1]: <https://example.org/moon> "The Moon"',
  )
  expect(linked).toContain('[2]: <https://example.com/tides?a=%3C1%3E> "Tides  today"')
  expect(linked).not.toContain('[9]:')
  expect(linkCitations('Both [1, 2].', both)).toMatch(/^Both \[\\\[1\\\]\]\[1\] \[\\\[2\\\]\]\[2\]\.\n/)
})

test('a text without known numbers, or with definitions of its own, is not changed', () => {
  for (const text of ['Nothing.', 'Only [7].', 'It is [1].\n\n[1]: https://other.example'])
    expect(linkCitations(text, both)).toBe(text)
})

test('the pages of an answer come in its order, and a site without www', () => {
  expect(citedPages('[2] then [1] then [2]', known).map(({ n }) => n)).toEqual([2, 1])
  expect(nameSite('https://www.example.org/a')).toBe('example.org')
})
