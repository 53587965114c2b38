import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { pageForTerminal } from './document-text.ts'

const PAGE = `# Chat

You talk with the **agent** here, see [Files](files.md) and [the web](https://example.org/).
Lines are wrapped anew.

![The page](../images/chat.png)

## Steps

1. Write a message that is longer than the line of this narrow terminal.
2. Read.
   - a point

| Key | What it does |
|---|---|
| \`Enter\` | sends |

\`\`\`
talaria   chat
\`\`\`
`
const how = {
  columns: 40,
  isStyled: false,
  topicOf: (address: string) => (address === 'files.md' ? 'talaria help files' : undefined),
}

test('a page is wrapped plain text, with what to type for links to other pages', () => {
  expect(pageForTerminal(PAGE, how)).toBe(`CHAT

You talk with the agent here, see Files
(talaria help files) and the web
(https://example.org/). Lines are
wrapped anew.

[picture: The page]

Steps

1. Write a message that is longer than
   the line of this narrow terminal.
2. Read.
   • a point

Enter
  What it does: sends

    talaria   chat`)
})

test('where the terminal can, headings are bold, and nothing else changes', () => {
  const styled = pageForTerminal(PAGE, { ...how, isStyled: true })
  const lines = styled.split('\n').filter(line => line !== stripVTControlCharacters(line))
  expect(lines).toEqual(['\u001b[1mCHAT\u001b[22m', '\u001b[1mSteps\u001b[22m'])
  expect(stripVTControlCharacters(styled)).toBe(pageForTerminal(PAGE, how))
})

test('nothing that a page holds controls the terminal', () => {
  const text = pageForTerminal('# A\u001b[31mred\u001b]0;title\u0007\n\nb\u001b[2Jc', {
    ...how,
    isStyled: true,
  })
  expect(text).toBe('\u001b[1mARED\u001b[22m\n\nbc')
})
