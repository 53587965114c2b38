import { lexer } from 'marked'

/** Blocks at the end that more text may still change: a paragraph may turn into a heading, a list may go on. */
const OPEN = 2

/**
 * Make a function that cuts a growing Markdown text into its blocks. Only the end is read again when the text has
 * grown, so finished blocks stay the same strings. The blocks together are always the whole text.
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
  // The lexer rewrites a few odd signs, such as leading tabs; a text must never lose a letter over that.
  return blocks.join('') === text ? blocks : [text]
}
