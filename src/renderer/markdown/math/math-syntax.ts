import { isMath } from '../../../shared/markdown/is-math.ts'

/**
 * Formulas in Markdown: `$x$` and `\(x\)` in a line, `$$x$$` and `\[x\]` on their own. They become elements
 * named `x-math` with the source as `tex`. Each attempt ends at the next sign that could start or end a
 * formula, so a text full of dollar signs is read only once.
 */
export function mathSyntax(this: unknown): void {
  const data = (this as { data(): Record<string, unknown[] | undefined> }).data()
  ;(data['micromarkExtensions'] ??= []).push({
    text: {
      [DOLLAR]: { name: 'dollarMath', tokenize: tokenizeDollars, previous: isDollarStart },
      [BACKSLASH]: { name: 'slashMath', tokenize: tokenizeSlashes, previous: isSlashStart },
    },
  })
  ;(data['fromMarkdownExtensions'] ??= []).push({ enter: { math: enterMath }, exit: { math: exitMath } })
}

/** The element name of a formula. */
export const MATH_TAG = 'x-math'
/** Maximum length of the source of a formula, in characters. Longer sources stay text. */
const LONGEST = 4_000
/** Maximum number of formulas in a block; later ones stay text. */
const MOST = 500

const DOLLAR = 36
const BACKSLASH = 92
const [ROUND, ROUND_END, SQUARE, SQUARE_END] = [40, 41, 91, 93]

/** A character, a line end or a tab (negative), or the end of the text (null), as micromark has them. */
type Code = number | null
type State = (code: Code) => State | undefined
type Effects = {
  enter(type: string): void
  exit(type: string): void
  consume(code: Code): void
}
type Tokenize = (this: { previous: Code }, effects: Effects, ok: State, nok: State) => State

const isEnd = (code: Code) => code === null || (code <= -3 && code >= -5)
const isBlank = (code: Code) => code === null || code < 0 || code === 32
const isLetter = (code: Code) =>
  code !== null && code > 0 && /[\p{L}\p{N}_]/u.test(String.fromCodePoint(code))
const isDollarStart = (code: Code) => code !== DOLLAR && code !== BACKSLASH
const isSlashStart = (code: Code) => code !== BACKSLASH

const tokenizeDollars: Tokenize = function (effects, ok, nok) {
  const isInWord = isLetter(this.previous)
  let source = ''
  let last: Code = null
  let isDouble = false
  let isNested = false
  return begin

  function begin(code: Code) {
    effects.enter('math')
    effects.enter('mathText')
    effects.consume(code)
    return second
  }
  function second(code: Code): State | undefined {
    if (code === DOLLAR) {
      isDouble = true
      effects.consume(code)
      return third
    }
    return isBlank(code) || (isInWord && code !== BACKSLASH) ? nok(code) : inside(code)
  }
  function third(code: Code): State | undefined {
    return code === DOLLAR ? nok(code) : inside(code)
  }
  function inside(code: Code): State | undefined {
    if (code === null || source.length > LONGEST) return nok(code)
    if (code === DOLLAR) {
      if (isDouble) {
        effects.consume(code)
        return half
      }
      if (isBlank(last)) return nok(code)
      effects.consume(code)
      return after
    }
    // A code span that starts inside takes precedence.
    if (!isDouble && (isEnd(code) || code === 96)) return nok(code)
    if (isEnd(code)) {
      lineEnd(effects, code)
      return keep(10)
    }
    effects.consume(code)
    return keep(code) && (code === BACKSLASH ? escaped : inside)
  }
  function escaped(code: Code): State | undefined {
    if (code === null || isEnd(code)) return inside(code)
    effects.consume(code)
    return keep(code)
  }
  /** The state after one dollar sign in a `$$` formula. A single dollar sign belongs to a text inside. */
  function half(code: Code): State | undefined {
    if (code === DOLLAR) {
      effects.consume(code)
      return after
    }
    isNested = true
    source += '$'
    return inside(code)
  }
  function after(code: Code): State | undefined {
    // In `$HOME:$PATH`, `$5-$6` and `${a}$(b)` the second dollar sign starts something too.
    const goesOn = code === DOLLAR || (!isDouble && (isLetter(code) || code === 123 || code === ROUND))
    if (goesOn || !isMath(source, isDouble || isNested)) return nok(code)
    effects.exit('mathText')
    effects.exit('math')
    return ok(code)
  }
  function keep(code: Code): State {
    last = code
    source += code === null || code < 0 ? ' ' : String.fromCodePoint(code)
    return inside
  }
}

const tokenizeSlashes: Tokenize = function (effects, ok, nok) {
  const isFirst = isEnd(this.previous)
  let source = ''
  let end = ROUND_END
  return begin

  function begin(code: Code) {
    effects.enter('math')
    effects.enter('mathText')
    effects.consume(code)
    return opening
  }
  function opening(code: Code): State | undefined {
    if (code !== ROUND && code !== SQUARE) return nok(code)
    if (code === SQUARE) end = SQUARE_END
    effects.consume(code)
    return inside
  }
  function inside(code: Code): State | undefined {
    if (code === null || source.length > LONGEST) return nok(code)
    if (isEnd(code)) {
      lineEnd(effects, code)
      source += '\n'
      return inside
    }
    effects.consume(code)
    if (code === BACKSLASH) return escaped
    source += code < 0 ? ' ' : String.fromCodePoint(code)
    return inside
  }
  function escaped(code: Code): State | undefined {
    if (code === ROUND || code === SQUARE) return nok(code)
    if (code === end) {
      effects.consume(code)
      return after
    }
    source += '\\'
    if (code === null || isEnd(code)) return inside(code)
    effects.consume(code)
    source += code < 0 ? ' ' : String.fromCodePoint(code)
    return inside
  }
  function after(code: Code): State | undefined {
    // Brackets that were escaped for Markdown, as in `\[1\]`, stay brackets.
    const stands = end === ROUND_END || (isFirst && isEnd(code)) || code === null
    if (!isMath(source, stands) || (!stands && !/[\\^_=+<>]/.test(source))) return nok(code)
    effects.exit('mathText')
    effects.exit('math')
    return ok(code)
  }
}

function lineEnd(effects: Effects, code: Code): void {
  effects.exit('mathText')
  effects.enter('lineEnding')
  effects.consume(code)
  effects.exit('lineEnding')
  effects.enter('mathText')
}

type Compiler = {
  stack: { value?: string; data?: unknown }[]
  enter(node: object, token: unknown): void
  exit(token: unknown): void
  sliceSerialize(token: unknown): string
  data: Record<string, unknown>
}

function enterMath(this: Compiler, token: unknown): void {
  this.enter({ type: 'math', value: '' }, token)
}

function exitMath(this: Compiler, token: unknown): void {
  const raw = this.sliceSerialize(token)
  const node = this.stack.at(-1)!
  const count = ((this.data['formulas'] as number | undefined) ?? 0) + 1
  this.data['formulas'] = count
  const isDollar = raw.startsWith('$') && !raw.startsWith('$$')
  const tex = isDollar ? raw.slice(1, -1) : raw.slice(2, -2)
  const isDisplay = raw.startsWith('$$') || raw.startsWith('\\[')
  node.value = raw
  node.data =
    count > MOST
      ? { hName: 'span', hChildren: [{ type: 'text', value: raw }] }
      : { hName: MATH_TAG, hProperties: { tex, raw, display: isDisplay }, hChildren: [] }
  this.exit(token)
}
