import {
  addNumbers,
  divideNumbers,
  isTooLong,
  makeExact,
  multiplyNumbers,
  parseDigits,
  raiseNumber,
  remainderOf,
  rootOf,
  writeNumber,
  type Exact,
} from './exact-number.ts'

/** A sum that was read: its text, and its value or the reason why it has none. */
export type Sum = { text: string; money: string | undefined } & (
  | { value: Exact; isRounded: boolean }
  | { fault: Fault }
)
type Fault = 'zero' | 'long' | 'root'

/** A part of a sum. `steps` counts its operations: a number alone is not a sum. */
type Part = {
  value: Exact
  text: string
  steps: number
  isPercent: boolean
  isRounded: boolean
  isBare: boolean
  money: string | undefined
}

const TOKEN =
  /\s*(?:(?<money>[$€£¥])?\s?(?<number>\d{1,3}(?:[,']\d{3})+(?:\.\d+)?|\d+[.,]\d+|\.\d+|\d+)(?![\d'\p{L}]|[.,]\d)(?:\s?(?<after>[$€£¥]))?|(?<part>[½⅓⅔¼¾⅕⅒])|(?<sign>\*\*|[-+*/^%()√∛!]|\bmod\b|\bof\b))/uy
const SHARES: Record<string, [bigint, bigint]> = {
  '½': [1n, 2n],
  '⅓': [1n, 3n],
  '⅔': [2n, 3n],
  '¼': [1n, 4n],
  '¾': [3n, 4n],
  '⅕': [1n, 5n],
  '⅒': [1n, 10n],
}
const MOST_TOKENS = 40
const MOST_DEPTH = 20

type Token =
  | { type: 'number'; value: Exact; money: string | undefined; shown?: string }
  | { type: 'sign'; text: string }

/** Read a text that is nothing but a sum, and compute it exactly; undefined for any other text. */
export function readSum(text: string): Sum | undefined {
  const tokens = tokensOf(text)
  if (!tokens) return undefined
  const reader = new SumReader(tokens)
  const part = reader.readWhole()
  if (!part || part.steps === 0) return undefined
  const { fault } = reader
  const common = { text: part.text, money: part.money }
  if (fault) return { ...common, fault }
  return { ...common, value: part.value, isRounded: part.isRounded }
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  const trimmed = text.trim()
  for (let at = 0; at < trimmed.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const groups = pattern.exec(trimmed)?.groups
    if (!groups || tokens.length >= MOST_TOKENS) return undefined
    const share = groups['part']
    if (share !== undefined) {
      const [top, bottom] = SHARES[share]!
      tokens.push({ type: 'number', value: makeExact(top, bottom), money: undefined, shown: share })
      continue
    }
    if (groups['number'] === undefined) {
      tokens.push({ type: 'sign', text: groups['sign'] === '**' ? '^' : groups['sign']! })
      continue
    }
    const value = parseDigits(plainDigits(groups['number']))
    if (!value) return undefined
    tokens.push({ type: 'number', value, money: groups['money'] ?? groups['after'] })
  }
  return tokens
}

/** A comma before three digits separates thousands; any other is a decimal comma. */
const plainDigits = (text: string): string =>
  /^\d{1,3}(?:[,']\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(/[,']/g, '') : text.replace(',', '.')

class SumReader {
  fault: Fault | undefined
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  readWhole(): Part | undefined {
    const part = this.#readTerms()
    return this.#at === this.#tokens.length ? part : undefined
  }

  #sign(...signs: string[]): string | undefined {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'sign' || !signs.includes(token.text)) return undefined
    this.#at++
    return token.text
  }

  #readTerms(): Part | undefined {
    let left = this.#readFactors()
    for (;;) {
      const sign = left && this.#sign('+', '-')
      if (!left || !sign) return left
      const right = this.#readFactors()
      if (!right) return undefined
      left = this.#addTerm(left, right, sign === '+' ? 1n : -1n)
    }
  }

  /** “50 + 20%” adds a fifth of the part before it. */
  #addTerm(left: Part, right: Part, sign: bigint): Part | undefined {
    const isShare = right.isPercent && !left.isPercent
    const added = isShare ? multiplyNumbers(left.value, right.value) : right.value
    const value = addNumbers(left.value, multiplyNumbers(added, makeExact(sign)))
    const isPercent = left.isPercent && right.isPercent
    return this.#join(left, right, sign === 1n ? ' + ' : ' − ', value, { isPercent })
  }

  #readFactors(): Part | undefined {
    let left = this.#readSigned()
    for (;;) {
      const sign = left && this.#sign('*', '/', 'mod', 'of')
      if (!left || !sign) return left
      const right = this.#readSigned()
      // “3 of 5” is not a sum; “12% of 80” and “1/2 of 30” are.
      if (!right || (sign === 'of' && !left.isPercent && left.value.bottom === 1n)) return undefined
      if (sign === '/') left = this.#divide(left, right)
      else if (sign === 'mod') {
        const value = remainderOf(left.value, right.value)
        if (!value && right.value.top !== 0n) return undefined
        if (!value) this.fault ??= 'zero'
        left = this.#join(left, right, ' mod ', value ?? left.value)
      } else
        left = this.#join(
          left,
          right,
          sign === 'of' ? ' of ' : ' × ',
          multiplyNumbers(left.value, right.value),
        )
    }
  }

  #divide(left: Part, right: Part): Part | undefined {
    const value = divideNumbers(left.value, right.value)
    if (!value) this.fault ??= 'zero'
    return this.#join(left, right, ' ÷ ', value ?? left.value)
  }

  #readSigned(): Part | undefined {
    if (this.#sign('+')) return undefined
    if (!this.#sign('-')) return this.#readPower()
    const part = this.#readPower()
    return (
      part && {
        ...part,
        value: makeExact(-part.value.top, part.value.bottom),
        text: `−${part.text}`,
        isBare: false,
      }
    )
  }

  #readPower(): Part | undefined {
    const base = this.#readPostfix()
    if (!base || !this.#sign('^')) return base
    if (++this.#depth > MOST_DEPTH) return undefined
    // Powers of powers are evaluated from the right.
    const isNegative = this.#sign('-') !== undefined
    const read = this.#readPower()
    if (!read) return undefined
    const exponent = isNegative
      ? { ...read, value: makeExact(-read.value.top, read.value.bottom), text: `−${read.text}` }
      : read
    const value = this.fault ? base.value : raiseNumber(base.value, exponent.value)
    if (!value) this.fault ??= base.value.top === 0n ? 'zero' : 'long'
    return this.#join(base, exponent, '^', value ?? base.value)
  }

  #readPostfix(): Part | undefined {
    let part = this.#readPrimary()
    while (part) {
      if (this.#sign('%')) {
        if (part.isPercent) return undefined
        const value: Exact = multiplyNumbers(part.value, makeExact(1n, 100n))
        part = { ...part, value, text: `${part.text}%`, isPercent: true }
      } else if (this.#sign('!')) part = this.#factorial(part)
      else return part
    }
    return undefined
  }

  #factorial(part: Part): Part | undefined {
    const { top, bottom } = part.value
    if (bottom !== 1n || top < 0n) return undefined
    let value = 1n
    if (top > 33n) this.fault ??= 'long'
    else for (let at = 2n; at <= top; at++) value *= at
    return { ...part, value: makeExact(value), text: `${part.text}!`, steps: part.steps + 1 }
  }

  #readPrimary(): Part | undefined {
    const token = this.#tokens[this.#at]
    if (token?.type === 'number') {
      this.#at++
      const { value, money, shown } = token
      const text =
        shown ?? `${money ?? ''}${writeNumber(value, money && value.bottom !== 1n ? 2 : undefined).text}`
      return { value, text, money, steps: 0, isPercent: false, isRounded: false, isBare: true }
    }
    const root = this.#sign('√', '∛')
    if (root) return this.#readRoot(root)
    if (!this.#sign('(') || ++this.#depth > MOST_DEPTH) return undefined
    const inner = this.#readTerms()
    if (!inner || !this.#sign(')')) return undefined
    return inner.isBare ? inner : { ...inner, text: `(${inner.text})`, isBare: true }
  }

  #readRoot(sign: string): Part | undefined {
    const of = this.#readPrimary()
    if (!of) return undefined
    const found = rootOf(of.value, sign === '√' ? 2 : 3)
    if (!found) this.fault ??= 'root'
    return {
      ...of,
      value: found?.root ?? of.value,
      text: `${sign}${of.text}`,
      steps: of.steps + 1,
      isRounded: of.isRounded || found?.isRounded === true,
    }
  }

  #join(left: Part, right: Part, sign: string, value: Exact, changed: Partial<Part> = {}): Part | undefined {
    const isMixed = left.money !== undefined && right.money !== undefined && left.money !== right.money
    if (isMixed) return undefined
    if (isTooLong(value)) this.fault ??= 'long'
    const isRatio = sign === ' ÷ ' && right.money !== undefined
    return {
      // A number that is too long is not computed any further.
      value: isTooLong(value) ? makeExact(1n) : value,
      text: `${left.text}${sign}${right.text}`,
      steps: left.steps + right.steps + 1,
      isPercent: false,
      isRounded: left.isRounded || right.isRounded,
      isBare: false,
      money: isRatio ? undefined : (left.money ?? right.money),
      ...changed,
    }
  }
}
