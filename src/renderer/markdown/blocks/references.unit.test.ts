import { expect, test } from 'vitest'
import { readBlock } from './read-block.ts'
import { createReferences } from './references.ts'
import { createSplitter } from './split-blocks.ts'

/** The characters that are parsed of a text, whole or as it grows. */
function readingOf(text: string, step = text.length) {
  const texts: string[] = []
  const refer = createReferences(part => {
    texts.push(part)
    return readBlock(part)
  })
  const split = createSplitter()
  let result = refer([])
  for (let end = step; end < text.length + step; end += step) result = refer(split(text.slice(0, end)))
  return { texts, letters: texts.join('').length, ...result }
}
const repeat = (count: number, piece: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => piece(at)).join('')

/** Answers that are full of definitions, each of about `size` characters. */
const full: Record<string, (size: number) => string> = {
  'one definition and many uses': size => '[a]: b\n[a]\n'.repeat(size / 11),
  'the same definition in many blocks': size => '[a]: b\n\n[a]\n\n'.repeat(size / 13),
  'the same footnote in many blocks': size => '[^a]: b\n\n'.repeat(size / 9),
  'many footnotes': size => repeat(size / 13, at => `[^a${at}]: b\n\n`),
  'many footnotes that are used': size => repeat(size / 20, at => `x[^${at}]\n\n[^${at}]: b\n\n`),
  'many definitions in one block': size =>
    `${repeat(size / 20, at => `[a${at}]: b\n`)}\n${repeat(size / 20, at => `[a${at}]\n`)}`,
  'blocks that name each definition': size =>
    repeat(size / 60, at => `[${at}]: b\n`) + `\n${repeat(size / 60, at => `[${at}] `)}\n\n`.repeat(10),
  'a list': size => '- a\n'.repeat(size / 4),
}

test.for(Object.entries(full))('%s: twice as much text is at most thrice the work', ([, make]) => {
  const short = readingOf(make(2_000))
  const long = readingOf(make(4_000))
  expect(long.letters).toBeLessThanOrEqual(3 * short.letters)
  expect(long.letters).toBeLessThan(30 * 4_000)
  expect(long.texts).toHaveLength(new Set(long.texts).size)
})

test.for(Object.entries(full))('%s: while the answer grows, only its end is read again', ([, make]) => {
  const step = 97
  const text = make(1_500)
  // The last block is parsed, its uses, and its escaped version.
  const atEnd = 5 * Math.ceil(text.length / step)
  expect(readingOf(text, step).texts.length).toBeLessThanOrEqual(readingOf(text).texts.length + atEnd)
})

test('a long definition that many blocks name does not stand before all of them', () => {
  const text = `[a]: /${'x'.repeat(20_000)}\n\n${'[a]\n\n'.repeat(1_000)}`
  const { before } = readingOf(text)
  expect(before.filter(each => each !== '').length).toBeGreaterThan(1)
  expect(before.join('').length).toBeLessThanOrEqual(400_000)
})

test('a block that defines what it names is read once', () => {
  expect(readingOf('[a]: b\n[a]\n').texts).toEqual(['[a]: b\n[a]\n'])
})

test('two hundred footnotes have numbers; those behind them stay as they were written', () => {
  const { notes, blocks } = readingOf(repeat(300, at => `x[^${at}]\n\n[^${at}]: b\n\n`))
  expect(notes).toHaveLength(200)
  expect(blocks.at(-1)).toBe('&#91;^299]: b\n\n')
})

test('a block is not read again for definitions that it does not name', () => {
  const block = 'Uses [a] and [none].\n\n'
  const { texts } = readingOf(`[a]: b\n\n${block}${repeat(50, at => `[x${at}]: y\n\n`)}`)
  expect(texts.filter(text => text.includes(block))).toEqual([`[a]: b\n\n${block}`])
})

test('footnotes within footnotes without end are shown as text', () => {
  const { texts } = readingOf(`${repeat(3_000, at => `[^${at}]: `)}x[^0]\n`)
  expect(texts).toEqual([])
})
