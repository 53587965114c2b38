import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutFormulas, mathmlOf } from './set-formulas.ts'

const formulasIn = (text: string) =>
  [...cutFormulas(text)].flatMap(piece =>
    'tex' in piece ? [`${piece.isDisplay ? '!' : ''}${piece.tex}`] : [],
  )

test.for([
  ['So $E = mc^2$ holds.', ['E = mc^2']],
  ['$$\n\\frac{a}{b}\n$$', ['!\n\\frac{a}{b}\n']],
  ['\\(x\\) and \\[y^2\\]', ['x', '!y^2']],
  ['It costs $5 or $6, not $PATH:$HOME.', []],
  ['Code `$x$` and ``a ` $y$`` stays, $z$ does not.', ['z']],
  ['a\\$b$ and \\\\(x\\\\)', []],
  ['$x$$y$ and $$$', []],
  ['$$ without an end, then $q$', ['q']],
  ['x$y$ but x$\\alpha$', ['\\alpha']],
] as const)('%s', ([text, formulas]) => {
  expect(formulasIn(text)).toEqual(formulas)
})

test('nothing of a text is lost, and a long one of signs is cut at once', () => {
  const part = fc.constantFrom(
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '`',
    '``',
    'x^2',
    ' ',
    '\n',
    'word',
    '\\',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), parts => {
      const text = parts.join('')
      expect([...cutFormulas(text)].map(piece => ('tex' in piece ? piece.source : piece.text)).join('')).toBe(
        text,
      )
    }),
  )
  for (const sign of ['$', '$$', '\\[', '\\(x', '`', '$a '])
    expect([...cutFormulas(sign.repeat(50_000))].length).toBeGreaterThan(0)
})

test('a formula becomes MathML without styles, links or pictures, or nothing where it cannot be set', () => {
  const set = mathmlOf('\\frac{a<b}{2}', true)!
  expect(set).toMatch(/^<span class="katex"><math [^>]*display="block"/)
  expect(set).toContain('&lt;')
  for (const tex of [
    '\\href{https://a.example}{x}',
    '\\includegraphics{a}',
    '\\fbox{a}',
    '\\text{</math><script>}',
  ])
    expect(mathmlOf(tex, false) ?? '').not.toMatch(/ (?:href|src|style)=|<img|<script/)
  expect(mathmlOf('\\frac{', false)).toBeUndefined()
  expect(mathmlOf('{'.repeat(200), false)).toBeUndefined()
})
