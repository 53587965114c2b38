/**
 * How the body of a call is written, between the marks around it. All the formats of the field are one of these five.
 * - `json`: an object, or with `list` an array of them, with the keys under which name and arguments stand
 * - `named`: the name, then `joint`, then the arguments as a JSON object
 * - `tagged`: the name, then each argument as text between tags; what is no text stands there as JSON
 * - `python`: calls with literals, with `list` as a list of them
 * - `gemma`: `call:name{key:value}` with `quote` around texts
 */
export type Notation =
  | { kind: 'json'; name: string; arguments: string; list: boolean }
  | { kind: 'named'; joint: string }
  | ({ kind: 'tagged' } & Record<
      'beforeName' | 'afterName' | 'beforeKey' | 'afterKey' | 'afterValue' | 'afterCall',
      string
    >)
  | { kind: 'python'; list: boolean }
  | { kind: 'gemma'; quote: string }

/**
 * In which form tools are told to a model, as its makers did it when they trained it.
 * - `schemas`: an object with name, description and JSON Schema on a line for each tool
 * - `schema-list`: the same as one array
 * - `signatures`: Python functions with a docstring
 * - `typescript`: functions in a namespace, as gpt-oss has them
 * - `gemma`: `declaration:name{…}`
 */
export type Declaration = 'schemas' | 'schema-list' | 'signatures' | 'typescript' | 'gemma'

/** How one family of models was trained to be told of tools and to call them. */
export type Dialect = {
  id: string
  /** For a person, such as “Hermes JSON”. */
  label: string
  /** Families that write it, for a person. */
  families: string
  /** What stands before a call, blanks included; `mark` is in it. */
  open: string
  /** The part of `open` after which nothing but a call can follow; sampling is held to a grammar from there on. */
  mark: string
  /** `start` when `mark` could also begin ordinary text, so that it counts only at the beginning of a message. */
  where: 'anywhere' | 'start'
  notation: Notation
  /** What stands after a call, blanks included; empty when the body ends by itself. */
  close: string
  /** Whether one message of the model may hold several calls, each with `open` and `close`. */
  several: boolean
  declare: Declaration
  /** What stands around the declarations. */
  frame: readonly [before: string, after: string]
}

/** A tool as a model sees it; the same shape as in the engine’s interface. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/** One call of a tool. */
export type Call = { name: string; arguments: Record<string, unknown> }

/** A text with the stretches in which markup means the model’s own tokens. */
export type Marked = { text: string; markup: readonly (readonly [from: number, to: number])[] }
