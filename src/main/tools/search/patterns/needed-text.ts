import type { Branches, Part } from './pattern-parts.ts'

const MOST_TEXTS = 16
const SHORTEST = 2

/**
 * Texts of which every match contains at least one. A file without them need not be searched line by line.
 * Undefined if the pattern has no such texts.
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

/** Whether every match contains a digit of some script. */
export const needsDigit = (branches: Branches): boolean => branches.every(parts => parts.some(hasDigit))

function hasDigit(part: Part): boolean {
  if (part.type === 'class') return part.name === 'd' && !part.negated
  if (part.type === 'set')
    return !part.negated && part.items.every(item => item.type !== 'range' && hasDigit(item))
  if (part.type === 'ready') return part.source === String.raw`\p{Nd}` && !part.negated
  if (part.type === 'repeat') return part.least > 0 && hasDigit(part.part)
  return part.type === 'group' && CONSUMING.includes(part.kind) && needsDigit(part.branches)
}

let digits: RegExp | undefined

/** Match texts that contain or may contain a digit. Forty times as fast as the Unicode class. */
export function maybeDigit(): RegExp {
  if (digits) return digits
  const isDigit = /^\p{Nd}$/v
  let set = ''
  for (let code = 0; code <= 0xff_ff; code += 1)
    if (isDigit.test(String.fromCharCode(code))) set += String.fromCharCode(code)
  // The other digits are surrogate pairs, which begin with one of these.
  digits = new RegExp(`[${set}\\ud800-\\udbff]`)
  return digits
}

const CONSUMING = ['plain', 'capture', 'atomic']

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
    if (inner.type === 'group' && CONSUMING.includes(inner.kind)) {
      const texts = neededTexts(inner.branches)
      if (texts) found.push(texts)
    }
  }
  return [...found, [run]]
}

/** The choice whose shortest text is the longest. */
function best(choices: readonly (readonly string[])[]): readonly string[] | undefined {
  const shortest = (texts: readonly string[]) => Math.min(...texts.map(text => text.length))
  const [first] = choices.toSorted((a, b) => shortest(b) - shortest(a))
  return first && shortest(first) >= SHORTEST ? first : undefined
}
