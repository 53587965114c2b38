import type { Language } from './languages.ts'

/** A file, the change that a model intends, and the right result. Line ends are those of the file. */
export type Edit = { file: string; old: string; now: string; intended: string; what: string }

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32, by Tommy Ettinger, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One edit of a generated file: a word is changed, or a line is added, moved into a block, or removed. */
export function generateEdit(language: Language, random: () => number): Edit {
  let number = 1
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const fresh = () => String(10 + number++ * 7)
  const lineAt = (level: number, text: string) =>
    language.unit.repeat(level) + text.replaceAll('{n}', fresh())
  const body = (level: number): string[] => {
    const lines: string[] = []
    for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
      if (level < 3 && language.opens.length > 0 && random() < 0.45)
        lines.push(lineAt(level, pick(language.opens)), ...body(level + 1), ...closing(level))
      else lines.push(lineAt(level, pick(language.lines)))
    }
    return lines
  }
  const closing = (level: number) =>
    language.closes === undefined ? [] : [language.unit.repeat(level) + language.closes]
  const top = language.name === 'Chinese prose' ? 1 : 0
  const lines = [...body(top), ...body(top), ...body(top), ...body(top)]
  // The passage must hold a line that is nowhere else.
  const isOwn = (line: string) => /\d/.test(line)
  let from = Math.floor(random() * lines.length)
  while (!isOwn(lines[from]!)) from = (from + 1) % lines.length
  const to = Math.min(lines.length, from + 1 + Math.floor(random() * 4))
  const part = lines.slice(from, to)
  const at = Math.floor(random() * part.length)
  const indent = /^[\p{Zs}\t]*/u.exec(part[at]!)![0]
  const opens = language.opens.length > 0 && isOpening(language, part[at]!)
  const changed = [...part]
  const how = pick(['change a word', 'change a line', 'add a line', 'take a line', 'add two lines'])
  if (how === 'change a word') {
    const own = isOwn(part[at]!) ? at : 0
    changed[own] = part[own]!.replace(/\d+/, each => `${each}5`)
  } else if (how === 'change a line') {
    if (opens || !isOwn(part[at]!)) changed[0] = part[0]!.replace(/\d+/, each => `${each}8`)
    else changed[at] = indent + pick(language.lines).replaceAll('{n}', fresh())
  } else if (how === 'take a line' && !opens && part.length > 1 && isOwn(part[at]!)) changed.splice(at, 1)
  else {
    const deep = opens ? indent + language.unit : indent
    const added = Array.from(
      { length: how === 'add two lines' ? 2 : 1 },
      () => deep + pick(language.lines).replaceAll('{n}', fresh()),
    )
    changed.splice(at + 1, 0, ...added)
  }
  const ends = language.ends ?? '\n'
  const join = (all: readonly string[]) => all.map(line => line + ends).join('')
  return {
    file: join(lines),
    old: part.map(line => `${line}\n`).join(''),
    now: changed.map(line => `${line}\n`).join(''),
    intended: join([...lines.slice(0, from), ...changed, ...lines.slice(to)]),
    what: how,
  }
}

function isOpening(language: Language, line: string): boolean {
  const shape = (text: string) => text.trim().replace(/\d+/g, '{n}')
  return language.opens.some(each => shape(each.replaceAll('{n}', '1')) === shape(line))
}
