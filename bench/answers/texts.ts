/** The texts to draw. Each repeats one piece, which may contain a number, up to any length. */
const pieces = {
  /** A bit of everything, as models write. */
  mixed: (at: number) => `## Part ${at}

The tests pass now, but the build still warns about **two** unused imports in \`src/main.ts\`, see [the log](https://example.org/${at}):

- \`readFile\` from "node:fs/promises", which nothing calls;
- \`Options\`, a type that was *moved* last week
  1. to \`types.ts\`,
  2. and from there to https://example.org/types.

| Name | Sum | Share |
|---|--:|---|
| first | ${at} | 10 % |
| second | 17 | **90 %** |

\`\`\`ts
const names = (await readdir(folder)).filter(name => name.endsWith('.md') && !seen[name])
return { name: names[${at}], rest: names.slice(1) }
\`\`\`

这是**“关键步骤”**，不要跳过；the sum is $x^2 + ${at}$. ${'Nothing else has changed since then, and nothing else needs to. '.repeat(3)}

> Shall I remove them? I’d rather keep the change small.

`,
  /** Marks that are never closed. */
  marks: () => '**_word ',
  /** Thousands of blocks, each of one word. */
  tiny: (at: number) => `word ${at}\n\n`,
  /** One list, one paragraph, one table and one block of code without end. */
  list: (at: number) => `- item ${at} with **bold** and \`code\`\n`,
  paragraph: (at: number) => `This is sentence ${at} of a paragraph with **bold** words and \`code\`. `,
  table: (at: number) =>
    at === 0 ? '| a | b | c |\n|---|---|---|\n' : `| row ${at} | **bold** | \`code\` |\n`,
  code: (at: number) =>
    at === 0 ? '```ts\n' : `const name${at} = names.filter(name => name !== 'x') // ${at}\n`,
  /** Each paragraph has a footnote. */
  notes: (at: number) => `A sentence with a note[^${at}].\n\n[^${at}]: What is said of it.\n\n`,
}

/** The name of one of the texts. */
export type TextName = keyof typeof pieces

/** A text of so many characters; its last piece may be cut. */
export function makeText(name: TextName, length: number): string {
  let text = ''
  for (let at = 0; text.length < length; at++) text += pieces[name](at)
  return text.slice(0, length)
}
