/**
 * How the body of a call is written, between the marks around it. All known formats use one of these six.
 * - `json`: an object, or with `list` an array of them, with the keys for the name, the arguments
 *   and, at the end, the id, or before them `place`, the number of the call in the conversation
 * - `named`: the name, with `id` the id of the call, then `joint`, then the arguments as a JSON object
 * - `tagged`: the name, then each argument between tags: strings as plain text, other values as JSON, with
 *   `afterOtherKey` behind a key of their own. A call that tags cannot express is one JSON object, or with
 *   `withoutTags` the name and its arguments as JSON; with `cdata`, texts with markup or several lines are CDATA. With
 *   `afterPlace`, the number of the call in its message stands before that
 * - `python`: calls with literals, with `list` as a list of them
 * - `elements`: the name, then each argument as an element of its own name, and nested values as elements in it; `before`
 *   stands before each tag, and `item` is the element of a list
 * - `gemma`: `call:name{key:value}` with `quote` around strings
 */
export type Notation =
  | { kind: 'json'; name: string; arguments: string; list: boolean; id?: string; place?: string }
  | { kind: 'named'; joint: string; id?: CallId }
  | ({
      kind: 'tagged'
      /** With two parts, the type of the value stands between them. */
      afterOtherKey?: string | readonly [before: string, after: string]
      afterPlace?: string
      withoutTags?: 'arguments'
      cdata?: true
    } & Record<'beforeName' | 'afterName' | 'beforeKey' | 'afterKey' | 'afterValue' | 'afterCall', string>)
  | ({ kind: 'elements' } & Record<'before' | 'beforeName' | 'afterName' | 'afterCall' | 'item', string>)
  | { kind: 'python'; list: boolean }
  | { kind: 'gemma'; quote: string }

/**
 * An id of a call, behind its name or, with `after`, before it: its place in the conversation, or nine letters and digits.
 */
export type CallId = { before: string; form: 'place' | 'nine'; after?: string }

/**
 * How tools are declared to a model, following its training.
 * - `schemas`: an object with name, description and JSON Schema on one line per tool
 * - `schema-list`: the same as one array
 * - `signatures`: Python functions with a docstring
 * - `typescript`: functions in a namespace, as for gpt-oss
 * - `gemma`: `declaration:name{…}`
 */
type Declaration = 'schemas' | 'schema-list' | 'signatures' | 'typescript' | 'gemma'

/** How one family of models was trained to see tools and to call them. */
export type Format = {
  id: string
  /** A name for the user, such as “Hermes JSON”. */
  label: string
  /** The families that use it, for the user. */
  families: string
  /** The text before a call, including blanks; contains `mark`. */
  open: string
  /** The part of `open` that only a call can follow. From there on a grammar constrains sampling. */
  mark: string
  /** Other spellings of `mark` that the model writes too, with the body behind them at once. */
  otherMarks?: readonly string[]
  /** The text between the words of a reply and its calls, where it is no line feed. Instructions leave it out. */
  behindWords?: string
  /** `start` when `mark` could also begin ordinary text, so that it counts only at the start of a message. */
  where: 'anywhere' | 'start'
  notation: Notation
  /** The text after a call, including blanks; empty when the body marks its own end. */
  close: string
  /** The text around each call, where `open` and `close` enclose all calls of a message. */
  each?: readonly [before: string, after: string]
  /** The text between two calls; a line feed by default. */
  between?: string
  /** Whether one message may contain several calls, each with `open` and `close`. */
  several: boolean
  /** Whether calls cannot be recognised without their marks. Servers remove marks that are special tokens. */
  needsMarks?: true
  declare: Declaration
  /** The text around the declarations. */
  frame: readonly [before: string, after: string]
}

/** The id of a format that was learnt from a chat template. */
export const OWN = 'own'

/** A format that is in no table: a chat template wrote it when it was asked. */
export type LearntFormat = Format & { id: typeof OWN }

/** A tool as a model sees it; the same shape as in the engine’s interface. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/** One tool call. */
export type Call = { name: string; arguments: Record<string, unknown> }

/** A text, and the ranges in which markup means the model’s own tokens. */
export type Marked = { text: string; markup: readonly (readonly [from: number, to: number])[] }
