/**
 * Parse a pattern as ripgrep does: it is case-sensitive only with a capital letter. An invalid pattern
 * returns the problem.
 */
export function readPattern(pattern: string): RegExp | { problem: string } {
  const inline = /^\(\?i\)/.exec(pattern)
  const body = inline ? pattern.slice(inline[0].length) : pattern
  const hasCapital = /\p{Lu}/u.test(body.replace(/\\(?:[pP]\{[^}]*\}|.)/gu, ''))
  const flags = inline || !hasCapital ? 'i' : ''
  let problem = ''
  // Without the `u` flag more spellings are valid, such as `\-` and a lone `{`.
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(body, flags + unicode)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      problem = error.message.slice(error.message.lastIndexOf(': ') + 2)
    }
  }
  const literal = pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return {
    problem: `The pattern is not a valid regular expression (${problem}). To find these characters as they are, write ${literal}`,
  }
}
