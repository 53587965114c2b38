/**
 * A grammar for part of a reply, which guarantees that this part is valid. Only the local engine supports it; others
 * ignore it.
 */
export type Constraint = {
  /**
   * The text in the reply after which the grammar applies, such as `<tool_call>`. It is ignored inside thoughts and
   * quoted code.
   */
  after: string
  /** `start`: only when nothing but thoughts and blanks precede it in the reply. */
  where: 'anywhere' | 'start'
  /** A GBNF grammar with the root `root` for all that may follow, up to and including `end`. */
  gbnf: string
  /** The text that ends it; empty when it ends with the body itself. */
  end: string
  /**
   * With `jsonAfter`, `end` counts only after a complete JSON value, because a string may contain any text. The value
   * starts after the first `jsonAfter` at or after the start of `after`, or at that start if it is empty. With
   * `text`, the body cannot contain `end`.
   */
  body: 'text' | { jsonAfter: string }
}
