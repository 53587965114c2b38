import { expect, test } from 'vitest'
import { proseOf } from './prose.ts'

const SOURCE = `import { x } from './a long path of a module.ts'
/**
 * Return the first name;
 * undefined if there is none.
 */
export function firstOf(): string {
  // Rows that follow each other
  // are one comment.
  const one = cx('a class of three words')

  // oxlint-disable-next-line no-console -- not a comment for readers
  // @ts-expect-error also not one for readers
  // Two words
  return <p title="The title of a page" className="Not a text here">{\`Read \${count} files again\`}</p>
}
`

test('comments are found with the code below them, and texts with their slots', () => {
  const found = proseOf('src/renderer/features/a.tsx', SOURCE)
  expect(found.map(({ kind, line, text }) => [kind, line, text])).toEqual([
    ['comment', 2, 'Return the first name; undefined if there is none.'],
    ['comment', 7, 'Rows that follow each other are one comment.'],
    ['text', 14, 'The title of a page'],
    ['text', 14, 'Read {…} files again'],
  ])
  expect(found[1]?.code).toMatch(/^const one = .*\n\/\/ oxlint/)
})

test('only the window has texts', () => {
  expect(proseOf('src/main/a.tsx', SOURCE).map(({ kind }) => kind)).toEqual(['comment', 'comment'])
})
