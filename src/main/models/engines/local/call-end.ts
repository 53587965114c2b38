import type { Constraint } from '../../formats/grammar/constraint.ts'

/** Finds the end of a constrained text while it is being written. */
export type CallEnd = {
  /** Read on, starting with `after` itself. Returns the text behind the end, or undefined before the end. */
  push(text: string): string | undefined
  /** Whether the JSON value has started and is not complete. */
  readonly isInValue: boolean
}

/** Reads one part. Returns the text behind it, or undefined while it continues. */
type Part = (text: string) => string | undefined

/** Follow one call. A text body without an `end` continues until the reply ends. */
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

/** Matches a text that may arrive in pieces; ignores anything before it. */
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

/** One JSON value with leading blanks. The grammar guarantees that it is valid, so only its end matters. */
function jsonValue(): Part {
  let depth = 0
  let isText = false
  let isEscaped = false
  let isBare = false

  /** Whether the value continues, ends with this character, or ended before it. */
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
