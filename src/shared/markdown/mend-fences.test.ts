import { expect, test } from 'vitest'
import { mendFences } from './mend-fences.ts'

const inner = '# A\n\n```bash\nx\n```\n\n## B'

test('the fence around Markdown with fences in it ends at the last one that fits', () => {
  expect(mendFences(`See:\n\n\`\`\`markdown\n${inner}\n\`\`\`\n\nBehind.`)).toBe(
    `See:\n\n\`\`\`\`markdown\n${inner}\n\`\`\`\`\n\nBehind.`,
  )
})

test('a block within may have no language', () => {
  const bare = '# A\n\n```\nx\n```\n\nB'
  expect(mendFences(`\`\`\`md\n${bare}\n\`\`\`\n`)).toBe(`\`\`\`\`md\n${bare}\n\`\`\`\`\n`)
})

test('a fence in an item is lengthened, too', () => {
  expect(mendFences('1. So:\n   ```markdown\n   ```js\n   x\n   ```\n   ```\n')).toContain(
    '   ````markdown\n',
  )
})

test('without a last fence the one before it ends it, but not while the text grows', () => {
  const text = '```markdown\n# A\n```js\nx\n```\n\nBehind.'
  expect(mendFences(text)).toBe('````markdown\n# A\n```js\nx\n````\n\nBehind.')
  expect(mendFences(text, true)).toBe('````markdown\n# A\n```js\nx\n```\n\nBehind.')
})

test.for(['```js\nx\n```\n\n```\ny\n```', '```markdown\n# A\n```\n\nBehind.\n\n```js\nx\n```', 'plain', ''])(
  '%o stays as it is',
  text => expect(mendFences(text)).toBe(text),
)
