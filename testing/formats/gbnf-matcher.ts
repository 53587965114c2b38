/** One element of a rule: a set of characters, or another rule. */
type Symbol = { set: readonly (readonly [number, number])[]; isNegated: boolean } | { rule: string }
/** A rule: alternatives, each a sequence of symbols. */
type Rule = readonly (readonly Symbol[])[]

/** A parsed grammar that can match texts and generate them. */
export type Matcher = {
  rules: ReadonlyMap<string, Rule>
  accepts(text: string): boolean
  /** The length of the longest prefix of `text` that an accepted text can start with. */
  reach(text: string): number
  /** Generate an accepted text from the numbers between 0 and 1 that `draw` returns. */
  makeUp(draw: () => number): string
}

/**
 * Parse GBNF the way llama.cpp does and match texts with it. Throws on what llama.cpp rejects: missing rules, left
 * recursion, and 2,000 repetitions or more.
 */
export function readGbnf(gbnf: string): Matcher {
  const rules = new Map<string, Rule>()
  for (const line of gbnf.split('\n')) {
    const [, name, body] = /^([a-zA-Z0-9-]+) ::= (.*)$/.exec(line) ?? []
    if (name === undefined || body === undefined) throw new Error(`not a rule: ${line.slice(0, 200)}`)
    if (rules.has(name)) throw new Error(`two rules are called ${name}`)
    readRule(name, body, rules)
  }
  for (const [name, rule] of rules)
    for (const symbol of rule.flat())
      if ('rule' in symbol && !rules.has(symbol.rule)) throw new Error(`${name} uses ${symbol.rule}`)
  refuseLeftRecursion(rules)
  return { rules, ...matching(rules) }
}

function readRule(name: string, body: string, rules: Map<string, Rule>): void {
  let at = 0
  let made = 0
  const blanks = () => {
    while (body[at] === ' ') at++
  }
  const readCharacter = (): number => {
    if (body[at] !== '\\') {
      const code = body.codePointAt(at)!
      at += code > 0xffff ? 2 : 1
      return code
    }
    const letter = body[at + 1]!
    const digits = { x: 2, u: 4, U: 8 }[letter] ?? 0
    if (digits === 0 && !'nrt"\\[]'.includes(letter)) throw new Error(`no escape: \\${letter}`)
    const hex = body.slice(at + 2, at + 2 + digits)
    at += 2 + digits
    if (digits === 0) return { n: 10, r: 13, t: 9 }[letter] ?? letter.charCodeAt(0)
    if (!/^[\dA-F]+$/i.test(hex) || hex.length < digits) throw new Error(`no code: ${hex}`)
    return Number.parseInt(hex, 16)
  }
  const readSet = (): Symbol => {
    const isNegated = body[++at] === '^'
    if (isNegated) at++
    const set: [number, number][] = []
    while (body[at] !== ']') {
      if (at >= body.length) throw new Error('a set is not closed')
      const from = readCharacter()
      const isRange = body[at] === '-' && body[at + 1] !== ']'
      if (isRange) at++
      set.push([from, isRange ? readCharacter() : from])
    }
    at++
    if (set.length === 0) throw new Error('an empty set')
    return { set, isNegated }
  }
  const add = (rule: Rule): Symbol => {
    const key = `${name}_${++made}`
    rules.set(key, rule)
    return { rule: key }
  }
  const repeat = (part: readonly Symbol[]): readonly Symbol[] => {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(body.slice(at, at + 24))
    if (!found) return part
    at += found[0].length
    const [sign, from, comma, to] = found
    const min = sign === '+' ? 1 : Number(from ?? 0)
    const max = sign === '?' ? 1 : from === undefined || (comma && !to) ? Infinity : Number(to || from)
    if (part.length === 0) throw new Error('nothing is repeated')
    if (min >= 2_000 || (max >= 2_000 && max < Infinity)) throw new Error('too many repetitions')
    if (max < min) throw new Error('fewer than least')
    const least = Array.from({ length: min }, () => part).flat()
    if (max === Infinity) {
      const more = `${name}_${++made}`
      rules.set(more, [[...part, { rule: more }], []])
      return [...least, { rule: more }]
    }
    let rest: Symbol[] = []
    for (let count = min; count < max; count++) rest = [add([[...part, ...rest], []])]
    return [...least, ...rest]
  }
  const readRow = (): readonly Symbol[] => {
    const all: Symbol[] = []
    for (;;) {
      blanks()
      const sign = body[at]
      let part: readonly Symbol[]
      if (sign === '"') {
        at++
        const letters: Symbol[] = []
        while (body[at] !== '"') {
          if (at >= body.length) throw new Error('a literal is not closed')
          const code = readCharacter()
          letters.push({ set: [[code, code]], isNegated: false })
        }
        at++
        part = letters
      } else if (sign === '[') part = [readSet()]
      else if (sign === '(') {
        at++
        part = [add(readOptions())]
        if (body[at++] !== ')') throw new Error(`a group is not closed in ${name}`)
      } else {
        const word = /^[a-zA-Z0-9-]+/.exec(body.slice(at, at + 40))
        if (!word) return all
        at += word[0].length
        part = [{ rule: word[0] }]
      }
      all.push(...repeat(part))
    }
  }
  const readOptions = (): Rule => {
    const options = [readRow()]
    while (body[at] === '|') {
      at++
      options.push(readRow())
    }
    return options
  }
  // llama.cpp would read the next line as part of an empty alternative at the end of this one.
  if (body.endsWith('|') || body.endsWith('| ')) throw new Error(`${name} ends with a bar`)
  rules.set(name, readOptions())
  if (at < body.length) throw new Error(`cannot read ${name} at: ${body.slice(at, at + 40)}`)
}

function refuseLeftRecursion(rules: ReadonlyMap<string, Rule>): void {
  const empty = new Set<string>()
  const isEmpty = (symbol: Symbol) => 'rule' in symbol && empty.has(symbol.rule)
  for (let before = -1; before < empty.size;) {
    before = empty.size
    for (const [name, rule] of rules) if (rule.some(row => row.every(isEmpty))) empty.add(name)
  }
  const done = new Set<string>()
  const visit = (name: string, under: Set<string>): void => {
    if (under.has(name)) throw new Error(`${name} begins with itself`)
    if (done.has(name)) return
    under.add(name)
    for (const row of rules.get(name)!)
      for (const symbol of row) {
        if ('rule' in symbol) visit(symbol.rule, under)
        if (!isEmpty(symbol)) break
      }
    under.delete(name)
    done.add(name)
  }
  for (const name of rules.keys()) visit(name, new Set())
}

/** The remaining symbols: the next one, and those after it. */
type Rest = { symbol: Symbol; behind: Rest | undefined; id: number }

function matching(rules: ReadonlyMap<string, Rule>): Omit<Matcher, 'rules'> {
  const known = new Map<Symbol, Map<number, Rest>>()
  let made = 0
  const push = (symbol: Symbol, behind: Rest | undefined): Rest => {
    const byRest = known.get(symbol) ?? new Map<number, Rest>()
    known.set(symbol, byRest)
    const id = behind?.id ?? 0
    const rest = byRest.get(id) ?? { symbol, behind, id: ++made }
    byRest.set(id, rest)
    return rest
  }
  const pushRow = (row: readonly Symbol[], behind: Rest | undefined) =>
    row.reduceRight<Rest | undefined>((rest, symbol) => push(symbol, rest), behind)
  /** Everything that can come next, expanded to sets of characters; undefined is the end. */
  const spread = (given: Iterable<Rest | undefined>): Set<Rest | undefined> => {
    const reached = new Set<Rest | undefined>()
    const waiting = [...given]
    while (waiting.length > 0) {
      const rest = waiting.pop()
      if (reached.has(rest)) continue
      reached.add(rest)
      if (rest && 'rule' in rest.symbol)
        for (const row of rules.get(rest.symbol.rule)!) waiting.push(pushRow(row, rest.behind))
    }
    return reached
  }
  const run = (text: string): { reach: number; isDone: boolean } => {
    let now = spread([push({ rule: 'root' }, undefined)])
    let reach = 0
    for (const letter of text) {
      const code = letter.codePointAt(0)!
      const next = [...now].filter(rest => rest && 'set' in rest.symbol && isIn(rest.symbol, code))
      if (next.length === 0) return { reach, isDone: false }
      now = spread(next.map(rest => rest!.behind))
      reach += letter.length
    }
    return { reach, isDone: now.has(undefined) }
  }
  const shortest = shortestOf(rules)

  function makeUp(draw: () => number): string {
    let text = ''
    const symbols: Symbol[] = [{ rule: 'root' }]
    while (symbols.length > 0) {
      const symbol = symbols.pop()!
      if ('set' in symbol) {
        text += drawCharacter(symbol, draw)
        continue
      }
      const rule = rules.get(symbol.rule)!
      const lengths = rule.map(row => row.reduce((sum, each) => sum + shortest(each), 0))
      const least = Math.min(...lengths)
      // Finish long texts by the shortest way.
      const open = rule.filter(
        (_, at) => lengths[at]! < Infinity && (text.length < 400 || lengths[at] === least),
      )
      symbols.push(...open[Math.floor(draw() * open.length)]!.toReversed())
    }
    return text
  }
  return { accepts: text => run(text).isDone, reach: text => run(text).reach, makeUp }
}

const isIn = ({ set, isNegated }: Extract<Symbol, { set: unknown }>, code: number) =>
  set.some(([from, to]) => from <= code && code <= to) !== isNegated

const LIKELY = 'abc xyz019<>/|`"\\\'[]{}:,=.-_tool_call parameter\n'

function drawCharacter(symbol: Extract<Symbol, { set: unknown }>, draw: () => number): string {
  const [from, to] = symbol.set[Math.floor(draw() * symbol.set.length)]!
  if (!symbol.isNegated) return String.fromCodePoint(from + Math.floor(draw() * (to - from + 1)))
  for (let tries = 0; tries < 200; tries++) {
    const letter =
      draw() < 0.9
        ? LIKELY[Math.floor(draw() * LIKELY.length)]!
        : String.fromCodePoint(0xa1 + Math.floor(draw() * 900))
    if (isIn(symbol, letter.codePointAt(0)!)) return letter
  }
  return '~'
}

/** The length of the shortest text of each symbol. */
function shortestOf(rules: ReadonlyMap<string, Rule>): (symbol: Symbol) => number {
  const lengths = new Map<string, number>()
  const of = (symbol: Symbol) => ('set' in symbol ? 1 : (lengths.get(symbol.rule) ?? Infinity))
  for (let changed = true; changed;) {
    changed = false
    for (const [name, rule] of rules) {
      const length = Math.min(...rule.map(row => row.reduce((sum, each) => sum + of(each), 0)))
      if (length < (lengths.get(name) ?? Infinity)) {
        lengths.set(name, length)
        changed = true
      }
    }
  }
  return of
}
