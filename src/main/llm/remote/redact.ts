const LONGEST = 200

/** A text without the key, and without anything else that looks like one. */
export function redact(text: string, apiKey: string): string {
  // Nobody's key is that short, but words are.
  const known = apiKey.length < 4 ? text : text.replaceAll(apiKey, '…')
  return known.replace(/\b(?:bearer\s+\S+|(?:sk|pk|gsk|xai|key|api)[-_][\w*-]{6,})/gi, '…')
}

/** What a server said, for the end of a sentence of ours: short, on one line and without a key; empty when it said nothing. */
export function quote(text: string, apiKey: string): string {
  const line = redact(text, apiKey)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '')
  if (line === '') return ''
  return `: “${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}”`
}
