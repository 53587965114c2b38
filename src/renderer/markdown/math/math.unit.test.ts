import * as fc from 'fast-check'
import { createElement, isValidElement, type ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { expect, test } from 'vitest'
import { isMath, joinFormulas } from '../../../shared/markdown/is-math.ts'
import { MATH_TAG, mathSyntax } from './math-syntax.ts'

/** The formulas of a text in order: `D` those that stand alone. What stays text is left out. */
function formulasIn(text: string): string[] {
  const found: string[] = []
  const read = (node: ReactNode): void => {
    if (Array.isArray(node)) return node.forEach(read)
    if (!isValidElement<{ children?: ReactNode; tex?: string; display?: boolean }>(node)) return
    if (node.type === MATH_TAG) found.push(`${node.props.display ? 'D' : 'I'} ${node.props.tex?.trim()}`)
    else read(node.props.children)
  }
  const page = createElement(ReactMarkdown, { remarkPlugins: [remarkGfm, mathSyntax] })
  read(ReactMarkdown({ ...page.props, children: joinFormulas(text) }))
  return found
}

test.for([
  ['$x^2$', ['I x^2']],
  ['Let $a$ and $b$ be', ['I a', 'I b']],
  ['\\(a_1 * b_2 * c\\)', ['I a_1 * b_2 * c']],
  ['\\[ x = 1 \\]', ['D x = 1']],
  ['$$x$$', ['D x']],
  ['$$\nx\n= y\n- z\n$$', ['D x = y - z']],
  ['text\n\n\\[\na\n+ b\n\n+ c\n\\]\n\nmore', ['D a + b  + c']],
  ['1. One\n\n   \\[\n   a\n   = b\n   \\]\n\n2. Two $c$', ['D a = b', 'I c']],
  ['> $$\n> a\n> - b\n> $$', ['D a - b']],
  ['$\\text{cost of work} = 5$', ['I \\text{cost of work} = 5']],
  ['$\\$5$ and $2 + 2$', ['I \\$5', 'I 2 + 2']],
  ['3$\\times$ 4', ['I \\times']],
  ['$$\\begin{pmatrix} a \\\\[2pt] b \\end{pmatrix}$$', ['D \\begin{pmatrix} a \\\\[2pt] b \\end{pmatrix}']],
  ['$$\\text{if $x$ is}$$', ['D \\text{if $x$ is}']],
  ['$x$, $y$. ($z$)', ['I x', 'I y', 'I z']],
  ['| a | b |\n| - | - |\n| $x$ | \\(y\\) |', ['I x', 'I y']],
  ['$ABC \\sim DEF$', ['I ABC \\sim DEF']],
  ['# The $n$ th', ['I n']],
] as const)('%o holds the formulas %o', ([text, formulas]) => {
  expect(formulasIn(text)).toEqual(formulas)
})

test.for([
  'It costs $5 and then $6.',
  'Between $5,000 and $6,000, or $7-$8, or US$5 and CA$6.',
  'The price was $20/month (was $25/month).',
  'Use $HOME and $PATH, or $HOME:$PATH, or ${A}$(b)${C}.',
  'PATH=$PATH:/usr/bin:$GOBIN',
  '`$x$` and `\\(x\\)`',
  '```\n$x$\n\\[\ny\n\\]\n```',
  'The number $$ is its id, and $$ works in every shell.',
  '$ 5 $',
  'See \\[1\\] and \\[the manual\\].',
  'Group with \\( and \\).',
  '\\\\(a\\\\)',
  '\\$5 and \\$6',
  '$5 or 6$',
  'Half a formula $x^2 + ',
  'Half a formula \\[ x^2',
  '$$\nx = y',
  '$$$x$$$',
  '$',
  '$$',
  '$$$$',
])('%o holds no formula', text => {
  expect(formulasIn(text)).toEqual([])
})

test('code keeps its lines, also with delimiters in it', () => {
  const code = '~~~sh\nif \\[\n a\n\\]\n~~~\n\n    $$\n    b\n    $$\n'
  expect(joinFormulas(code)).toBe(code)
})

test('however a formula is cut off, nothing of its text is lost', () => {
  const text = 'Let\n\n\\[\nx = \\frac{1}{2}\n\\]\n\nand $y_1$ be'
  for (let end = 0; end <= text.length; end++) {
    const part = text.slice(0, end)
    expect(joinFormulas(part).replaceAll(/\s+/g, '')).toBe(part.replaceAll(/\s+/g, ''))
  }
})

test('no text breaks the parser', () => {
  const piece = fc.constantFrom(
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    'x',
    ' ',
    '\n',
    '\\',
    '`',
    '|',
    '- ',
    '> ',
    '{',
    '\t',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
      formulasIn(pieces.join(''))
    }),
  )
})

test('a hundred thousand dollar signs are read once', () => {
  for (const text of ['$'.repeat(100_000), '$a '.repeat(9_000), '\\('.repeat(9_000)])
    expect(formulasIn(text)).toEqual([])
})

test('sentences between delimiters are no formulas', () => {
  expect([
    isMath('is the pid and', true),
    isMath('link', true),
    isMath('', true),
    isMath('x', false),
  ]).toEqual([false, false, false, true])
})
