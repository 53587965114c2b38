/** A part of a word. `isQuoted`: the shell does not split it, and wildcards in it have no meaning. */
type Part = { isQuoted: boolean } & (
  | { kind: 'text'; text: string }
  | { kind: 'variable'; name: string; isChanged: boolean }
  | { kind: 'count' }
  | { kind: 'sum'; names: readonly string[] }
  | { kind: 'output'; list: List }
)
export type CompoundWord = readonly Part[]

export type Target = { op: string; word: CompoundWord }
type Redirected = { redirects: readonly Target[] }
export type Command = Redirected &
  (
    | { kind: 'simple'; given: readonly Given[]; words: readonly CompoundWord[] }
    | { kind: 'for'; name: string; words: readonly CompoundWord[]; body: List }
    | { kind: 'while'; names: readonly string[]; isWhole: boolean; body: List }
    | { kind: 'if'; parts: readonly { test: List; body: List }[]; otherwise: List | undefined }
    | { kind: 'group'; body: List; isApart: boolean }
    | { kind: 'condition'; words: readonly CompoundWord[] }
  )
/** An assignment `NAME=value`, before a command or alone. */
export type Given = { name: string; value: CompoundWord }
export type Pipeline = readonly Command[]
/** Pipelines joined by `&&` and `||`. */
export type Chain = { first: Pipeline; rest: readonly { op: '&&' | '||'; pipeline: Pipeline }[] }
export type List = readonly Chain[]

/** Thrown for syntax that this strict parser does not know; such a command needs approval. */
export class NotKnown extends Error {
  override readonly name = 'NotKnown'
}

/** A position in a text. It only moves forward, so parsing takes linear time. */
export type Place = { text: string; at: number; depth: number }

const BARE = /[\p{L}\p{N}_./,:=@%+^*?[\]!-]/u
/** Characters that a backslash makes literal. */
const ESCAPED = /[;()!*?.|+$[\]]/
const DEEPEST = 8
const LONGEST_RANGE = 20

const unknown = (): never => {
  throw new NotKnown()
}

/** Read one word; undefined if none begins here. `readList` reads the list inside `$(…)`. */
export function readCompoundWord(place: Place, readList: (place: Place) => List): CompoundWord | undefined {
  const { text } = place
  const from = place.at
  const parts: Part[] = []
  let bare = ''
  const endBare = () => {
    if (bare !== '') parts.push({ kind: 'text', text: bare, isQuoted: false })
    bare = ''
  }
  for (;;) {
    const c = text[place.at]
    if (c === undefined || ' \t\n;&|<>()'.includes(c)) break
    if (c === "'") {
      endBare()
      const end = text.indexOf("'", place.at + 1)
      if (end < 0 || text.slice(place.at, end).includes('\n')) unknown()
      parts.push({ kind: 'text', text: text.slice(place.at + 1, end), isQuoted: true })
      place.at = end + 1
    } else if (c === '"') {
      endBare()
      place.at++
      readQuoted(place, parts, readList)
    } else if (c === '$') {
      endBare()
      parts.push(readValue(place, false, readList))
    } else if (c === '\\') {
      const next = text[place.at + 1] ?? ''
      if (next === '' || !ESCAPED.test(next)) unknown()
      endBare()
      parts.push({ kind: 'text', text: next, isQuoted: true })
      place.at += 2
    } else if (c === '{' || c === '}') {
      // `{}` is the placeholder of `find` and `xargs`; other braces are lists.
      if (!text.startsWith('{}', place.at)) unknown()
      bare += '{}'
      place.at += 2
    } else {
      // Letters beyond the basic plane take two units.
      const letter = String.fromCodePoint(text.codePointAt(place.at)!)
      // At the start of a word, `~` means a home folder.
      if (!BARE.test(letter) && !(letter === '~' && /[\w@^]$/.test(bare))) unknown()
      bare += letter
      place.at += letter.length
    }
  }
  if (place.at === from) return undefined
  endBare()
  return parts.length > 0 ? parts : [{ kind: 'text', text: '', isQuoted: true }]
}

/** Expand `{1..9}` into words; undefined if there is no such range here. */
export function readRange(place: Place): CompoundWord[] | undefined {
  const found = /^\{(\d{1,4})\.\.(\d{1,4})\}(?=[\s;]|$)/.exec(place.text.slice(place.at, place.at + 14))
  if (!found) return undefined
  const [from, to] = [Number(found[1]), Number(found[2])]
  if (to < from || to - from >= LONGEST_RANGE) unknown()
  place.at += found[0].length
  return Array.from({ length: to - from + 1 }, (_, at) => [
    { kind: 'text', text: `${from + at}`, isQuoted: true },
  ])
}

function readQuoted(place: Place, parts: Part[], readList: (place: Place) => List): void {
  const { text } = place
  let said = ''
  const endSaid = () => {
    parts.push({ kind: 'text', text: said, isQuoted: true })
    said = ''
  }
  for (;;) {
    const c = text[place.at]
    if (c === undefined || c === '`' || c === '!' || c === '\n') return unknown()
    if (c === '"') {
      place.at++
      return endSaid()
    }
    if (c === '\\') {
      const next = text[place.at + 1] ?? ''
      said += '$`"\\'.includes(next) ? next : `\\${next}`
      if (next === '' || next === '\n') unknown()
      place.at += 2
    } else if (c === '$' && !/[ "|)/]/.test(text[place.at + 1] ?? '')) {
      endSaid()
      parts.push(readValue(place, true, readList))
    } else {
      said += c
      place.at++
    }
  }
}

/** Read an expansion that begins with a dollar sign. */
function readValue(place: Place, isQuoted: boolean, readList: (place: Place) => List): Part {
  const rest = place.text.slice(place.at, place.at + 200)
  const take = (length: number) => void (place.at += length)
  if (rest.startsWith('$?')) {
    take(2)
    return { kind: 'count', isQuoted }
  }
  const sum = /^\$\(\(([\w\s+\-*/%<>=!&|$]*)\)\)/.exec(rest)
  if (sum) {
    take(sum[0].length)
    return { kind: 'sum', names: sum[1]!.match(/[A-Za-z_]\w*/g) ?? [], isQuoted }
  }
  if (rest.startsWith('$((')) unknown()
  if (rest.startsWith('$(')) {
    if (++place.depth > DEEPEST) unknown()
    take(2)
    const list = readList(place)
    if (place.text[place.at] !== ')') unknown()
    place.at++
    place.depth--
    return { kind: 'output', list, isQuoted }
  }
  const length = /^\$\{#[a-z_]\w*\}/.exec(rest)
  if (length) {
    take(length[0].length)
    return { kind: 'count', isQuoted }
  }
  const found = /^\$(?:([a-z_]\w*)|\{([a-z_]\w*)((?:%%?|##?|:-)[\w.*/?-]*)?\})/.exec(rest)
  if (!found) return unknown()
  take(found[0].length)
  return { kind: 'variable', name: found[1] ?? found[2]!, isChanged: found[3] !== undefined, isQuoted }
}

/** The text of a word that is a plain text; undefined for others. `isBare`: without any quotes. */
export function textOfWord(word: CompoundWord | undefined, isBare = false): string | undefined {
  let text = ''
  for (const part of word ?? []) {
    if (part.kind !== 'text' || (isBare && part.isQuoted)) return undefined
    text += part.text
  }
  return word && text
}
