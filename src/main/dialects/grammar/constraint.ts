/**
 * From where on a reply is held to a grammar, so that what it says there is always valid. Only the local engine can do
 * that; others ignore it.
 */
export type Constraint = {
  /** The text in the reply after which it begins, such as `<tool_call>`. Inside thoughts and quoted code it means nothing. */
  after: string
  /** `start`: only where nothing but thoughts and blanks comes before it in the reply. */
  where: 'anywhere' | 'start'
  /** All that may follow, up to and including `end`, as a grammar in GBNF whose root is `root`. */
  gbnf: string
  /** The text that ends it; empty when it ends with the body itself. */
  end: string
  /**
   * With `jsonAfter`, the end counts only when a whole JSON value stands before it, because a string may hold any text; the
   * value begins behind the first `jsonAfter` at or after the beginning of `after`, and at that beginning if it is empty.
   * With `text`, `end` cannot be part of the body.
   */
  body: 'text' | { jsonAfter: string }
}
