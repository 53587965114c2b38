/**
 * A pattern for whole texts, from alternatives over several lines: a line break stands for “or”. The text is a regular expression
 * as it is written, without anchors.
 */
export function matchAny({ raw }: TemplateStringsArray): RegExp {
  const lines = raw.join('').split('\n')
  const alternatives = lines.map(line => line.trim()).filter(line => line !== '')
  return new RegExp(`^(?:${alternatives.join('|')})$`, 'u')
}
