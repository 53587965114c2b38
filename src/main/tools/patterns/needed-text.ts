import type { Branches, Part } from './pattern-parts.ts'

const MOST_TEXTS = 16
const SHORTEST = 2

/**
 * Texts of which every match has at least one, so that a file without them need not be searched by lines. Undefined
 * where a pattern has none.
 */
export function neededTexts(branches: Branches): readonly string[] | undefined {
  const all: string[] = []
  for (const parts of branches) {
    const texts = best(candidates(parts))
    if (texts === undefined) return undefined
    all.push(...texts)
  }
  return all.length <= MOST_TEXTS ? all : undefined
}

function candidates(parts: readonly Part[]): (readonly string[])[] {
  const found: (readonly string[])[] = []
  let run = ''
  for (const part of parts) {
    if (part.type === 'char') {
      run += part.value
      continue
    }
    if (part.type === 'place') continue
    found.push([run])
    run = ''
    const inner = part.type === 'repeat' && part.least > 0 ? part.part : part
    if (inner.type === 'group' && ['plain', 'capture', 'atomic'].includes(inner.kind)) {
      const texts = neededTexts(inner.branches)
      if (texts) found.push(texts)
    }
  }
  return [...found, [run]]
}

/** The choice whose shortest text is longest. */
function best(choices: readonly (readonly string[])[]): readonly string[] | undefined {
  const shortest = (texts: readonly string[]) => Math.min(...texts.map(text => text.length))
  const [first] = choices.toSorted((a, b) => shortest(b) - shortest(a))
  return first && shortest(first) >= SHORTEST ? first : undefined
}
