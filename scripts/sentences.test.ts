import { expect, test } from 'vitest'
import { findPieces } from './sentences.ts'

const linesOf = (...lines: string[]) => [
  ...new Set(findPieces('a.tsx', lines.join('\n')).map(({ line }) => line)),
]

test('a sentence that is put together from pieces is found with its line', () => {
  expect(
    linesOf(
      "const a = `The web is ${on ? 'on' : 'off'} here.`",
      "const b = `Saved${folder === '' ? '' : ` in ${folder}`}.`",
      "const c = `Nobody changed ${byCount(count, 'it', 'them')} since.`",
      "const d = ', and whatever else is there'",
      'const e = `${why}.`',
      "const f = `because ${reasons.join(' and ')}.`",
      'const g = why.charAt(0).toUpperCase() + why.slice(1)',
      "const h = 'There are ' + count",
    ),
  ).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('a sentence that stands in several elements is found with its line', () => {
  expect(
    linesOf(
      'const a = <p><b>{count}</b> files changed</p>',
      'const b = <p>No tool contains “{query}”.</p>',
      'const c = <p>Run <code>talaria</code> in a terminal.</p>',
    ),
  ).toEqual([1, 2, 3])
})

test('whole sentences, values in one template, labels beside icons and badges are left alone', () => {
  expect(
    linesOf(
      "const a = on ? 'The web is on here.' : 'The web is off here.'",
      "const b = `The file is gone.${isKept ? ' A copy is kept.' : ''}`",
      "const c = `${countOf(count, 'chat', 'chats')} in ${folder}`",
      "const d = [size, `${count} pages`].join(' · ')",
      'const e = <button><Plus /> New skill</button>',
      'const f = <p>Other programs <span className="badge">{state}</span></p>',
      "const g = <p className={`row ${on ? 'row on' : 'row off'}`}>{`Line ${line}`}</p>",
      "const h = <p>{placeElements('Run {command} there.', { command: <code>talaria</code> })}</p>",
    ),
  ).toEqual([])
})
