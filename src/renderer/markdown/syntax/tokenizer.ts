/** A character, a line end or a tab (negative), or the end of the text (null), as micromark has them. */
export type Code = number | null
/** A state: it reads the next character and returns the next state. */
export type State = (code: Code) => State | undefined
type Token = { _open?: boolean; _close?: boolean }
/** The operations of a tokenizer on the text. */
export type Effects = {
  enter(type: string): Token
  exit(type: string): Token
  consume(code: Code): void
  attempt(construct: Construct, ok: State, nok: State): State
  check(construct: Construct, ok: State, nok: State): State
}
/** Starts reading one construct. */
export type Tokenize = (this: { previous: Code }, effects: Effects, ok: State, nok: State) => State
/** Whether a construct may start after a character. */
type Previous = (this: unknown, code: Code) => boolean
/** A syntax construct of micromark. */
export type Construct = { name?: string; tokenize: Tokenize; previous?: Previous }

type Constructs = Record<string, Construct | Construct[]>
type Lists = Record<string, unknown[] | undefined>

/** The lists of a unified processor that plugins add to. */
export function listsOf(processor: unknown): Lists {
  return hasData(processor) ? processor.data() : {}
}

const hasData = (value: unknown): value is { data(): Lists } =>
  typeof value === 'function' && 'data' in value && typeof value.data === 'function'

/** Replace the text constructs that earlier plugins have added: `change` returns the replacement for each. */
export function changeConstructs(processor: unknown, change: (construct: Construct) => Construct): void {
  const lists = listsOf(processor)
  lists['micromarkExtensions'] = lists['micromarkExtensions']?.map(extension => {
    if (!hasText(extension)) return extension
    const text = Object.entries(extension.text).map(([code, given]) => [
      code,
      Array.isArray(given) ? given.map(change) : change(given),
    ])
    return { ...extension, text: Object.fromEntries(text) }
  })
}

const hasText = (extension: unknown): extension is { text: Constructs } =>
  typeof extension === 'object' && extension !== null && 'text' in extension
