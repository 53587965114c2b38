import { changeConstructs, type Tokenize } from './tokenizer.ts'

/** After these characters, `**` may close: the next word is not meant to be emphasised. */
const CLOSING = /[\p{Pe}\p{Pf}:.!?,;%"']/u
/** Before these characters, `**` may open. */
const OPENING = /[\p{Ps}\p{Pi}"']/u
const LETTER = /[\p{L}\p{M}]/u
const ASCII = /[A-Za-z]/

/**
 * Allow emphasis that starts or ends between punctuation and a letter: `**Note:**this`, and `**"…"**` in
 * scripts without spaces, such as Thai. Standard Markdown leaves such marks as text. For Chinese, Japanese
 * and Korean `remark-cjk-friendly` does this; this plugin runs after it.
 */
export function freeEmphasis(this: unknown): void {
  changeConstructs(this, construct =>
    construct.name === 'attention' ? { ...construct, tokenize: withFreeEnds(construct.tokenize) } : construct,
  )
}

const STAR = 42

const withFreeEnds = (tokenize: Tokenize): Tokenize =>
  function (effects, ok, nok) {
    const before = letterOf(this.previous)
    let length = 0
    let token: ReturnType<typeof effects.exit> = {}
    return tokenize.call(
      this,
      {
        ...effects,
        consume(code) {
          if (code === STAR) length++
          effects.consume(code)
        },
        exit: type => (token = effects.exit(type)),
      },
      code => {
        const after = letterOf(code)
        if (mayClose(before, after, length)) token._close = true
        if (mayOpen(before, after, length)) token._open = true
        return ok(code)
      },
      nok,
    )
  }

const letterOf = (code: number | null) => (code === null || code < 0 ? '' : String.fromCodePoint(code))

function mayClose(before: string, after: string, length: number): boolean {
  if (length === 0 || !LETTER.test(after)) return false
  // In English, only clear cases: `f(**args)` and `a.*b` must stay.
  if (ASCII.test(after)) return length > 1 ? /[:.!?]/.test(before) : before === ':'
  return length > 1 && CLOSING.test(before)
}

const mayOpen = (before: string, after: string, length: number): boolean =>
  length > 1 && OPENING.test(after) && LETTER.test(before) && !ASCII.test(before)
