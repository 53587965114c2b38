/**
 * How the body of a call is written, between the marks around it. All known formats use one of these six.
 * - `json`: an object with keys for the name and the arguments; with `list`, an array of objects. The key
 * `id`, for the id of the call, comes last; the key `place`, for the call's number in the conversation, comes
 * first
 * - `named`: the name, with `id` the id of the call, then `joint`, then the arguments as a JSON object
 * - `tagged`: the name, then each argument between tags: strings as plain text, other values as JSON, after
 * `afterOtherKey` if that is set. A call that tags cannot express becomes one JSON object, or with
 * `withoutTags` the name and its arguments as JSON. With `cdata`, texts with markup or several lines are
 * CDATA. With `afterPlace`, the number of the call in its message comes first
 * - `python`: calls with literals, with `list` as a list of calls
 * - `elements`: the name, then each argument as an element named after it, with nested values as nested
 * elements. `before` precedes each tag, and `item` is the element for a list item
 * - `gemma`: `call:name{key:value}` with `quote` around strings
 */
export type Notation =
  | { kind: 'json'; name: string; arguments: string; list: boolean; id?: string; place?: string }
  | { kind: 'named'; joint: string; id?: CallId }
  | ({
      kind: 'tagged'
      /** With two parts, the type of the value goes between them. */
      afterOtherKey?: string | readonly [before: string, after: string]
      afterPlace?: string
      withoutTags?: 'arguments'
      cdata?: true
    } & Record<'beforeName' | 'afterName' | 'beforeKey' | 'afterKey' | 'afterValue' | 'afterCall', string>)
  | ({ kind: 'elements' } & Record<'before' | 'beforeName' | 'afterName' | 'afterCall' | 'item', string>)
  | { kind: 'python'; list: boolean }
  | { kind: 'gemma'; quote: string }

/** The id of a call: its place in the conversation, or nine letters and digits. `after`: it comes first. */
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
  /** The display name of the format, such as “Hermes JSON”. */
  label: string
  /** The model families that use the format, as text for the user. */
  families: string
  /** The text before a call, including blanks; contains `mark`. */
  open: string
  /** The part of `open` that only a call can follow. From there on a grammar constrains sampling. */
  mark: string
  /** Other spellings of `mark` that the model also writes. The body follows them directly. */
  otherMarks?: readonly string[]
  /** The text between a reply's words and its calls, if it is not a line feed. Instructions leave it out. */
  behindWords?: string
  /** `start` if ordinary text could also begin with `mark`; it then counts only at the start of a message. */
  where: 'anywhere' | 'start'
  notation: Notation
  /** The text after a call, including blanks; empty if the body marks its own end. */
  close: string
  /** The text around each call, if `open` and `close` enclose all calls of a message. */
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

/** A format that is in no table: a chat template revealed it when it was given calls to render. */
export type LearntFormat = Format & { id: typeof OWN }

/** A tool as a model sees it. The same shape as in the engine’s interface. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/** One tool call. */
export type Call = { name: string; arguments: Record<string, unknown> }

/** A text, and the ranges in which markup means the model’s own tokens. */
export type Marked = { text: string; markup: readonly (readonly [from: number, to: number])[] }
