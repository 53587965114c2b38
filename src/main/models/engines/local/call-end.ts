import type { Constraint } from '../../dialects/grammar/constraint.ts'

/** Tells where the text that a constraint holds is over, while it is written. */
export type CallEnd = {
  /** Read on, first of all `after` itself; gives what is left of `text` behind the end, or undefined before it. */
  push(text: string): string | undefined
  /** Whether the JSON value has begun and goes on. */
  readonly isInValue: boolean
}

/** Reads one part; gives what is left behind it, or undefined while it goes on. */
type Part = (text: string) => string | undefined

/** Follow one call. A body of text without an end goes on until the reply ends. */
export function followCall({ after, body, end }: Constraint): CallEnd {
  const value = jsonValue()
  const parts =
    body === 'text'
      ? [mark(after), end === '' ? () => undefined : mark(end)]
      : [mark(body.jsonAfter), value, mark(end)]
  return {
    push(text) {
      for (let rest: string | undefined = text; ; parts.shift()) {
        const part = parts[0]
        if (!part) return rest
        rest = part(rest)
        if (rest === undefined) return undefined
      }
    },
    get isInValue() {
      return parts[0] === value
    },
  }
}

/** A text that may come in pieces; what comes before it does not matter. */
function mark(wanted: string): Part {
  let carried = ''
  return text => {
    const all = carried + text
    const at = all.indexOf(wanted)
    if (at >= 0) return all.slice(at + wanted.length)
    carried = all.slice(Math.max(0, all.length - wanted.length + 1))
    return undefined
  }
}

/** One JSON value and the blanks before it. A grammar has seen to it that it is one, so only its end is looked for. */
function jsonValue(): Part {
  let depth = 0
  let isText = false
  let isEscaped = false
  let isBare = false

  /** What a character says of the end: that the value goes on, ends with it, or ended before it. */
  const read = (char: string): 'on' | 'ends' | 'ended' => {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (char === '\\') isEscaped = true
      else if (char === '"') isText = false
      return isText || depth > 0 ? 'on' : 'ends'
    }
    if (isBare && !/[\w.+-]/.test(char)) return 'ended'
    if (char === '"') isText = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') return --depth > 0 ? 'on' : 'ends'
    else if (depth === 0 && /\S/.test(char)) isBare = true
    return 'on'
  }
  return text => {
    for (let at = 0; at < text.length; at++) {
      const found = read(text.charAt(at))
      if (found !== 'on') return text.slice(found === 'ends' ? at + 1 : at)
    }
    return undefined
  }
}
