import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileTemplate } from './compile-template.ts'

const folder = new URL('../../../../../../testing/golden/', import.meta.url)
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

// `make-jinja-goldens.py` wrote what Jinja2 makes of each source, set up as transformers does it.
const rows = read('jinja-goldens.json') as { source: string; right?: string; refused?: string }[]
const variables = read('jinja-variables.json') as Record<string, unknown>
const now = new Date(2026, 10, 8, 9, 5, 7)

const render = (source: string): string =>
  compileTemplate(source).render(variables, { until: performance.now() + 60_000, now })

test('every construct is written as Jinja2 writes it', () => {
  const written = rows
    .filter(row => row.right !== undefined)
    .map(({ source }) => {
      try {
        return { source, right: render(source) }
      } catch (error) {
        return { source, refused: String(error) }
      }
    })
  expect(written).toEqual(rows.filter(row => row.right !== undefined))
  expect(written.length).toBeGreaterThan(150)
})

test.each(rows.filter(row => row.refused !== undefined))('$source is refused, as by Jinja2', ({ source }) => {
  expect(() => render(source)).toThrow()
})

test.each([
  ['{{ messages[9].content.x }}', ''],
  ['{{ missing + "a" }}{{ missing.x.y }}{{ missing[0] }}', 'a'],
])('what is undefined writes nothing in %s, where Jinja2 gives up', (source, right) => {
  expect(render(source)).toBe(right)
})

test.each([
  ['{% for a in range(1000000) %}{% for b in range(1000000) %}{% endfor %}{% endfor %}', /too long/],
  ['{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', /without an end/],
  ['{{ "a" * 99999999999 }}', /32 million/],
  ['{{ [1] * 99999999999 }}', /million items/],
  ['{{ range(99999999999) }}', /million items/],
  ['{{ "%99999999999d" % 1 }}', /32 million/],
  ['{{ "{:99999999999}".format(1) }}', /32 million/],
  ['{{ "a"|center(99999999999) }}', /32 million/],
  [
    '{% set ns = namespace(x="ab") %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}',
    /32 million/,
  ],
  [
    '{% set ns = namespace(x="ab") %}{% for i in range(99) %}{% set ns.x = ns.x.replace("a", ns.x) %}{% endfor %}',
    /32 million/,
  ],
  [
    '{% set ns = namespace(x=[1]) %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}',
    /million items/,
  ],
  [`{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`, /nested too deeply/],
  ['{% if a %}'.repeat(140_000), /nested too deeply|missing/],
  ['{% if a %}'.repeat(200_000), /longer than 1,500,000 characters/],
  ['{{ x | nofilter }}', /nofilter/],
  ['{{ 1 is notest }}', /notest/],
  ['{% include "x" %}', /include/],
  ['{% if true %}', /missing/],
  ['{{ 1 ', /no "}}"/],
  ['{{ messages.append(1) }}', /may not change/],
])('%.60s ends with a reason', (source, reason) => {
  const patience = reason.test('it takes too long') ? 300 : 60_000
  const until = performance.now() + patience
  expect(() => compileTemplate(source).render(variables, { until, now })).toThrow(reason)
})
