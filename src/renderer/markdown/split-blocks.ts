import { lexer } from 'marked'

/** Blocks at the end that more text can change: a paragraph can become a heading, a list can continue. */
const OPEN = 2

/**
 * Create a function that splits a growing Markdown text into blocks. Only the end is parsed again,
 * so finished blocks stay the same strings. Joined, the blocks always equal the whole text.
 */
export function createSplitter(): (text: string) => readonly string[] {
  let before = ''
  let blocks: readonly string[] = []
  return text => {
    const now = text.replaceAll(/\r\n?/gu, '\n')
    if (now === before) return blocks
    const kept = now.startsWith(before) ? blocks.slice(0, -OPEN) : []
    const start = kept.reduce((sum, block) => sum + block.length, 0)
    blocks = [...kept, ...splitBlocks(now.slice(start))]
    before = now
    return blocks
  }
}

/** The top-level blocks of a text, each with the blank lines that follow it. */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = []
  for (const token of lexer(text)) {
    if (token.type === 'space' && blocks.length > 0) blocks[blocks.length - 1] += token.raw
    else blocks.push(token.raw)
  }
  // The lexer rewrites a few characters, such as leading tabs. In that case keep the whole text as one block.
  return blocks.join('') === text ? blocks : [text]
}
