import {
  NotKnown,
  readCompoundWord,
  readRange,
  textOfWord,
  type Chain,
  type Command,
  type CompoundWord,
  type Given,
  type List,
  type Pipeline,
  type Place,
  type Target,
} from './compound-words.ts'

const LONGEST = 4_000
const MOST_PARTS = 1_000
/** Variables that no program or shell reads, so that only this command line uses them. */
const OWN_NAME =
  /^(?!(?:path|cdpath|fpath|manpath|mailpath|module_path|fignore|prompt|status|argv|histchars|psvar|watch|signals|_)$|npm_|\w+_proxy$)[a-z_]\w*$/
const WORDS_OF_SHELL =
  /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|[{}!]|\[\[|\]\])$/

/**
 * Parse a small part of the shell's language: lists, pipes, `if`, `for`, `while read`, `( … )`, `{ … }`, `[[
 * … ]]`, variables, `$(…)`. Undefined for everything else: functions, `case`, arrays, here-documents, other
 * redirections and expansions.
 */
export function readCompound(text: string): List | undefined {
  if (/^\s*\n/.test(text) || text.length > LONGEST || /[^\P{C}\n\t]|[\u2028\u2029]/u.test(text))
    return undefined
  const place: Place = { text, at: 0, depth: 0 }
  let parts = 0
  try {
    const list = readList(place)
    return place.at === text.length && list.length > 0 ? list : undefined
  } catch (error) {
    if (error instanceof NotKnown) return undefined
    throw error
  }

  function readList(place: Place): List {
    const chains: Chain[] = []
    for (;;) {
      skip(place, /[\s;]/)
      if (place.at >= text.length || text[place.at] === ')' || peekWord(place, CLOSING)) return chains
      chains.push(readChain(place))
      skip(place, /[ \t]/)
      const c = text[place.at]
      if (c === undefined || c === ')' || c === '\n' || (c === ';' && text[place.at + 1] !== ';')) continue
      if (peekWord(place, CLOSING)) continue
      throw new NotKnown()
    }
  }

  function readChain(place: Place): Chain {
    const first = readPipeline(place)
    const rest: { op: '&&' | '||'; pipeline: Pipeline }[] = []
    for (;;) {
      skip(place, /[ \t]/)
      const op = text.slice(place.at, place.at + 2)
      if (op !== '&&' && op !== '||') return { first, rest }
      place.at += 2
      skip(place, /\s/)
      rest.push({ op, pipeline: readPipeline(place) })
    }
  }

  function readPipeline(place: Place): Pipeline {
    const commands: Command[] = []
    skip(place, /[ \t]/)
    if (takeWord(place, '!')) skip(place, /[ \t]/)
    for (;;) {
      commands.push(readCommand(place))
      skip(place, /[ \t]/)
      if (text[place.at] !== '|' || text[place.at + 1] === '|') return commands
      if (text[place.at + 1] === '&') throw new NotKnown()
      place.at++
      skip(place, /\s/)
    }
  }

  function readCommand(place: Place): Command {
    if (++parts > MOST_PARTS || ++place.depth > 8) throw new NotKnown()
    const command = readBare(place)
    place.depth--
    return command
  }

  function readBare(place: Place): Command {
    if (text[place.at] === '(') {
      if (text[place.at + 1] === '(') throw new NotKnown()
      place.at++
      const body = readList(place)
      if (text[place.at++] !== ')') throw new NotKnown()
      return { kind: 'group', body, isApart: true, redirects: readTargets(place) }
    }
    if (takeWord(place, '{')) {
      const body = readList(place)
      expect(place, '}')
      return { kind: 'group', body, isApart: false, redirects: readTargets(place) }
    }
    if (takeWord(place, 'for')) return readFor(place)
    if (takeWord(place, 'while')) return readWhile(place)
    if (takeWord(place, 'if')) return readIf(place)
    if (takeWord(place, '[[')) return readCondition(place)
    return readSimple(place)
  }

  function readFor(place: Place): Command {
    const name = nameHere(place)
    expect(place, 'in')
    const words: CompoundWord[] = []
    for (;;) {
      skip(place, /[ \t]/)
      const range = readRange(place)
      if (range) words.push(...range)
      else {
        const word = readCompoundWord(place, readList)
        if (!word) break
        words.push(word)
      }
    }
    return { kind: 'for', name, words, body: readBody(place), redirects: readTargets(place) }
  }

  /** Read a `while` loop. Only `while read` is known to end, with its input. */
  function readWhile(place: Place): Command {
    skip(place, /[ \t]/)
    const isWhole = takeWord(place, 'IFS=')
    const isByComma = /^IFS=[,:](?=\s)/.exec(text.slice(place.at, place.at + 8))
    if (isByComma) place.at += isByComma[0].length
    expect(place, 'read')
    const isRaw = takeWord(place, '-r')
    const names = [nameHere(place)]
    for (skip(place, /[ \t]/); /[a-z_]/.test(text[place.at] ?? ''); skip(place, /[ \t]/))
      names.push(nameHere(place))
    return {
      kind: 'while',
      names,
      isWhole: names.length === 1 && isRaw && (isWhole || !isByComma),
      body: readBody(place),
      redirects: readTargets(place),
    }
  }

  function readBody(place: Place): List {
    skip(place, /[\s;]/)
    expect(place, 'do')
    const body = readList(place)
    expect(place, 'done')
    return body
  }

  function readIf(place: Place): Command {
    const found: { test: List; body: List }[] = []
    do {
      const test = readList(place)
      expect(place, 'then')
      found.push({ test, body: readList(place) })
    } while (takeWord(place, 'elif'))
    const otherwise = takeWord(place, 'else') ? readList(place) : undefined
    expect(place, 'fi')
    return { kind: 'if', parts: found, otherwise, redirects: readTargets(place) }
  }

  function readCondition(place: Place): Command {
    const words: CompoundWord[] = []
    for (;;) {
      skip(place, /[ \t]/)
      if (takeWord(place, ']]')) return { kind: 'condition', words, redirects: readTargets(place) }
      const op = /^(?:&&|\|\|)/.exec(text.slice(place.at, place.at + 2))?.[0]
      if (op !== undefined) place.at += 2
      const word =
        op === undefined
          ? readCompoundWord(place, readList)
          : [{ kind: 'text' as const, text: op, isQuoted: false }]
      if (!word) throw new NotKnown()
      words.push(word)
    }
  }

  function readSimple(place: Place): Command {
    const given: Given[] = []
    const words: CompoundWord[] = []
    const redirects: Target[] = []
    for (;;) {
      skip(place, /[ \t]/)
      const target = readTarget(place)
      if (target) {
        redirects.push(target)
        continue
      }
      const word = readCompoundWord(place, readList)
      if (!word) break
      if (++parts > MOST_PARTS) throw new NotKnown()
      const assigned = words.length === 0 ? assignmentIn(word) : undefined
      if (assigned) given.push(assigned)
      else words.push(word)
    }
    const first = textOfWord(words[0], true)
    if (words.length === 0 ? given.length === 0 || redirects.length > 0 : first === undefined)
      throw new NotKnown()
    if (first !== undefined && WORDS_OF_SHELL.test(first) && first !== 'time') throw new NotKnown()
    // This is a function.
    if (text[place.at] === '(') throw new NotKnown()
    return { kind: 'simple', given, words, redirects }
  }

  function assignmentIn([first, ...rest]: CompoundWord): Given | undefined {
    if (first?.kind !== 'text' || first.isQuoted) return undefined
    const found = /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text)
    if (!found) return undefined
    const [, name = '', start = ''] = found
    return { name, value: start === '' ? rest : [{ ...first, text: start }, ...rest] }
  }

  function readTargets(place: Place): Target[] {
    const targets: Target[] = []
    for (;;) {
      skip(place, /[ \t]/)
      const target = readTarget(place)
      if (!target) return targets
      targets.push(target)
    }
  }

  /** Read a redirection: `< file`, or one that discards or merges output. */
  function readTarget(place: Place): Target | undefined {
    const ahead = text.slice(place.at, place.at + 16)
    const away = /^(?:[12]?>|&>) ?\/dev\/null(?=[\s;&|)]|$)|^[12]?>&[12](?=[\s;&|)]|$)/.exec(ahead)
    if (away) {
      place.at += away[0].length
      return { op: away[0].includes('>&') ? '>&' : '>', word: [] }
    }
    const op = /^<(?![<>&(])/.exec(ahead)?.[0]
    if (op === undefined) return /^\d*[<>]|^&>/.test(ahead) ? fail() : undefined
    place.at += op.length
    skip(place, /[ \t]/)
    const word = readCompoundWord(place, readList)
    return word ? { op, word } : fail()
  }

  function nameHere(place: Place): string {
    skip(place, /[ \t]/)
    const found = /^[A-Za-z_]\w*(?=[\s;]|$)/.exec(text.slice(place.at, place.at + 60))?.[0]
    if (found === undefined || !OWN_NAME.test(found)) return fail()
    place.at += found.length
    return found
  }

  function peekWord(place: Place, words: RegExp): boolean {
    const found = /^(?:[a-z]+|\})(?=[\s;&|<>)]|$)/.exec(text.slice(place.at, place.at + 8))?.[0]
    return found !== undefined && words.test(found)
  }

  function takeWord(place: Place, word: string): boolean {
    skip(place, /[ \t]/)
    const next = text[place.at + word.length]
    if (!text.startsWith(word, place.at) || !(next === undefined || /[\s;&|<>)]/.test(next))) return false
    place.at += word.length
    return true
  }

  function expect(place: Place, word: string): void {
    skip(place, /[\s;]/)
    if (!takeWord(place, word)) fail()
  }

  function skip(place: Place, what: RegExp): void {
    while (place.at < text.length && what.test(text[place.at]!)) place.at++
  }
}

const CLOSING = /^(?:then|elif|else|fi|do|done|\})$/

const fail = (): never => {
  throw new NotKnown()
}

/** Whether a list may set a variable of this name without affecting any program. */
export const isOwnName = (name: string): boolean => OWN_NAME.test(name)
