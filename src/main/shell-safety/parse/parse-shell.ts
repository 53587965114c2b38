import { expandWord } from './expand-word.ts'
import { createCommandRecorder, type CommandRecorder } from './command-recorder.ts'
import {
  MARK,
  Unparsed,
  type Invocation,
  type ParsedShell,
  type Redirect,
  type Word,
} from '../shell-types.ts'
import {
  arithmeticEnd,
  readWord,
  expandText,
  withoutMarks,
  type RawWord,
  type TextCursor,
} from './read-word.ts'

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', 'time', 'coproc'])
const CLOSERS = new Set(['fi', 'done'])
const REDIRECTION = /^(\d{0,4}|\{\w{1,40}(?:\[[^\]\s]{0,40}\])?\})(<<<|<<-?|<>|<&|>>|>\||>&|<|>|&>>|&>)/

type Pending = { redirect: Redirect; end: string; tabs: boolean; quoted: boolean }
type Stop = ')' | '}' | ';;' | ''

/**
 * Parse a shell command line and report what it would run, without running anything. Handles quotes,
 * substitutions, pipelines, loops, functions, here-documents, `sh -c` and other nested scripts, and wrappers
 * such as `sudo`. Takes linear time for any text and never throws.
 */
export function parseShell(text: string, folder: string, home: string): ParsedShell {
  const recorder = createCommandRecorder({
    folder,
    home,
    budget: 12 * text.length + 200_000,
    parseScript,
    parseInside: (cursor, recorder) => createReader(cursor, recorder).inParentheses(),
  })
  recorder.attempt(() => parseScript(text, recorder))
  const { commands, unparsed } = recorder
  return { commands, simple: recorder.simple && unparsed === undefined, unparsed }
}

/** Parse one script into the recorder; also used for the scripts of `sh -c`, `eval` and similar commands. */
function parseScript(text: string, recorder: CommandRecorder): void {
  if (/[\0\uE000-\uE01F]/.test(text)) throw new Unparsed('it holds characters that no command needs')
  recorder.expansions.spend(text.length)
  recorder.expansions.nested(() => {
    const reader = createReader({ text, at: 0 }, recorder)
    reader.list('')
    if (reader.left() > 0) throw new Unparsed('a parenthesis or brace has no partner')
  })
}

function createReader(cursor: TextCursor, recorder: CommandRecorder) {
  const { text } = cursor
  const pending: Pending[] = []
  /** Positions of the loops that are still open. */
  const loops: number[] = []
  // `$(` continues in the same text, so that parentheses inside quotes cannot end it.
  const expansions = {
    ...recorder.expansions,
    commands: (inner: TextCursor) =>
      inner === cursor ? recorder.capture(inParentheses) : recorder.expansions.commands(inner),
  }

  function left(): number {
    return text.length - cursor.at
  }

  function skipBlanks(): void {
    for (;;) {
      const c = text[cursor.at]
      // To a shell, a carriage return is part of a word.
      if (c === ' ' || c === '\t') cursor.at++
      else if (c === '\\' && text[cursor.at + 1] === '\n') cursor.at += 2
      else return
    }
  }

  /** Skip white space, comments and line ends. The bodies of here-documents start at a line end. */
  function skipLines(): void {
    for (;;) {
      skipBlanks()
      if (text[cursor.at] === '#') cursor.at = lineEnd(cursor.at)
      if (text[cursor.at] !== '\n') return
      cursor.at++
      for (const document of pending.splice(0)) readDocument(document)
    }
  }

  function lineEnd(from: number): number {
    const end = text.indexOf('\n', from)
    return end < 0 ? text.length : end
  }

  function readDocument(document: Pending): void {
    const start = cursor.at
    let stop = text.length
    let next = text.length
    for (let line = start; line < text.length;) {
      const end = lineEnd(line)
      const content = text.slice(line, Math.min(end, line + document.end.length + 200))
      if ((document.tabs ? content.replace(/^\t+/, '') : content) === document.end) {
        stop = line
        next = Math.min(end + 1, text.length)
        break
      }
      line = end + 1
    }
    cursor.at = next
    const body = text.slice(start, stop)
    recorder.expansions.spend(body.length)
    document.redirect.body = document.quoted ? body : expandText(body, [], expansions)
    recorder.gotDocument(document.redirect)
  }

  /** Parse commands up to `stop`, which is not consumed. */
  function list(stop: Stop): void {
    let pipeline: Invocation[] = []
    for (;;) {
      skipLines()
      const c = text[cursor.at]
      if (c === undefined || c === ')' || (stop === ';;' && text.startsWith(';;', cursor.at))) return
      if (stop === '}' && c === '}' && endsWord(cursor.at + 1)) return
      if (stop === ';;' && text.startsWith('esac', cursor.at) && endsWord(cursor.at + 4)) return
      const started = cursor.at
      command(pipeline)
      skipBlanks()
      if (text.startsWith('||', cursor.at) || text.startsWith('&&', cursor.at)) {
        cursor.at += 2
        pipeline = []
      } else if (text[cursor.at] === '|') {
        cursor.at += text[cursor.at + 1] === '&' ? 2 : 1
        for (const each of pipeline) each.piped = true
        if (pipeline.length > 200) throw new Unparsed('a pipeline is too long')
      } else if (text[cursor.at] === '&') {
        cursor.at++
        for (const each of pipeline) each.background = true
        pipeline = []
      } else if (text[cursor.at] === ';' && !text.startsWith(';;', cursor.at)) {
        cursor.at++
        pipeline = []
      } else if (text[cursor.at] === '\n') pipeline = []
      else if (cursor.at === started) throw new Unparsed('a character is not expected where it stands')
    }
  }

  function endsWord(at: number): boolean {
    const c = text[at]
    return c === undefined || ' \t\n;&|<>()'.includes(c)
  }

  function inParentheses(): void {
    const { folder } = recorder
    list(')')
    if (text[cursor.at] !== ')') throw new Unparsed('a parenthesis is not closed')
    cursor.at++
    recorder.folder = folder
  }

  /** Parse one command of a pipeline, simple or compound, and record what it would run. */
  function command(pipeline: Invocation[]): void {
    const words: Word[] = []
    const redirects: Redirect[] = []
    let grouped = false
    let names = 1
    let loop: string | undefined
    for (;;) {
      skipBlanks()
      const c = text[cursor.at]
      if (c === '(' && words.length === 0) {
        recorder.simple = false
        grouped = true
        group()
        continue
      }
      const redirection = c !== undefined && REDIRECTION.exec(text.slice(cursor.at, cursor.at + 50))
      if (redirection) {
        cursor.at += redirection[0].length
        // `{NAME}>file` stores the number of the descriptor in a variable.
        const variable = /^\{(\w+)/.exec(redirection[1]!)?.[1]
        if (variable !== undefined) {
          recorder.simple = false
          recorder.assign(variable, MARK.some)
        }
        redirects.push(redirect(redirection[2]!))
        continue
      }
      if (c === '#' || c === undefined || endsWord(cursor.at)) break
      const raw = readWord(cursor, expansions)
      const bare = raw.bare === raw.marked.length ? withoutMarks(raw.marked) : ''
      if (words.length === 0 && bare !== '') {
        if (KEYWORDS.has(bare) || CLOSERS.has(bare) || bare === '{') {
          if (bare !== 'time') recorder.simple = false
          if (bare === '{') braces()
          if (bare === 'time') skipFlag()
          if (bare === 'while' || bare === 'until') loops.push(cursor.at - bare.length)
          if (bare === 'done') loop = text.slice(loops.pop() ?? cursor.at, cursor.at)
          grouped ||= bare === '{' || CLOSERS.has(bare)
          continue
        }
        if (compound(bare)) {
          grouped ||= bare === 'case'
          continue
        }
      }
      if (words.length === 0 && assignment(raw)) continue
      if (words.length === 0 && skipParentheses()) {
        functionBody(bare)
        continue
      }
      const expanded = expandWord(raw)
      if (words.length === 0 && raw.choice) names = expanded.length
      words.push(...expanded)
      if (words.length > 20_000) throw new Unparsed('it has too many words')
    }
    if (words.length > 0 || redirects.length > 0 || grouped)
      recorder.record(words, redirects, pipeline, names)
    if (loop !== undefined) recorder.feedLoop(loop, redirects)
  }

  function skipFlag(): void {
    skipBlanks()
    if (text.startsWith('-p', cursor.at) && endsWord(cursor.at + 2)) cursor.at += 2
  }

  function group(): void {
    const end = text[cursor.at + 1] === '(' ? arithmeticEnd(text, cursor.at + 2) : -1
    if (end >= 0) {
      expandText(text.slice(cursor.at + 2, end), [], expansions)
      cursor.at = end + 2
      return
    }
    cursor.at++
    recorder.expansions.nested(inParentheses)
  }

  function braces(): void {
    recorder.expansions.nested(() => list('}'))
    if (text[cursor.at] !== '}') throw new Unparsed('a brace is not closed')
    cursor.at++
  }

  /** Parse the head of `for`, `case`, `function` or `[[`; what follows is parsed as ordinary commands. */
  function compound(keyword: string): boolean {
    if (!['for', 'select', 'case', 'function', '[['].includes(keyword)) return false
    recorder.simple = false
    skipBlanks()
    if (keyword === '[[') condition()
    else if (keyword === 'case') recorder.expansions.nested(cases)
    else if (keyword === 'function') {
      const name = withoutMarks(readWord(cursor, expansions).marked)
      skipParentheses()
      functionBody(name)
    } else if (text[cursor.at] === '(') group()
    else loopHead()
    return true
  }

  /** Skip the `()` that makes the preceding word a function name. */
  function skipParentheses(): boolean {
    const found = /^[ \t]*\([ \t]*\)/.exec(text.slice(cursor.at, cursor.at + 40))
    if (found) cursor.at += found[0].length
    return found !== null
  }

  function loopHead(): void {
    const name = withoutMarks(readWord(cursor, expansions).marked)
    skipLines()
    if (!text.startsWith('in', cursor.at) || !endsWord(cursor.at + 2)) return
    cursor.at += 2
    for (const word of plainWords()) recorder.assign(name, word.text)
  }

  /** The words up to the end of the command; nothing else is allowed in between. */
  function plainWords(): Word[] {
    const words: Word[] = []
    for (;;) {
      skipBlanks()
      if (endsWord(cursor.at)) return words
      words.push(...expandWord(readWord(cursor, expansions)))
    }
  }

  function functionBody(name: string): void {
    recorder.simple = false
    skipLines()
    const outer = recorder.within
    const start = cursor.at
    recorder.within = name
    recorder.expansions.nested(() => command([]))
    recorder.within = outer
    recorder.define(name, text.slice(start, cursor.at))
  }

  function condition(): void {
    for (;;) {
      skipLines()
      if (left() <= 0) throw new Unparsed('a condition is not closed')
      if (endsWord(cursor.at)) cursor.at++
      else if (withoutMarks(readWord(cursor, expansions).marked) === ']]') return
    }
  }

  function cases(): void {
    readWord(cursor, expansions)
    skipLines()
    if (!text.startsWith('in', cursor.at)) throw new Unparsed('a case has no patterns')
    cursor.at += 2
    for (;;) {
      skipLines()
      if (text.startsWith('esac', cursor.at) && endsWord(cursor.at + 4)) {
        cursor.at += 4
        return
      }
      if (text[cursor.at] === '(') cursor.at++
      while (text[cursor.at] !== ')') {
        skipBlanks()
        const c = text[cursor.at]
        if (c === '|') cursor.at++
        else if (c === ')') break
        else if (endsWord(cursor.at)) throw new Unparsed('a case is not closed')
        else readWord(cursor, expansions)
      }
      cursor.at++
      list(';;')
      const separator = /^;;?&|^;;/.exec(text.slice(cursor.at, cursor.at + 3))
      if (separator) cursor.at += separator[0].length
    }
  }

  function assignment(raw: RawWord): boolean {
    const head = /^([A-Za-z_]\w*)(?:\[[^\]]{0,40}\])?\+?=/.exec(withoutMarks(raw.marked.slice(0, 200)))
    if (!head || head[0].length > raw.bare) return false
    recorder.simple = false
    if (text[cursor.at] === '(' && raw.marked.length === head[0].length) {
      cursor.at++
      for (skipLines(); text[cursor.at] !== ')'; skipLines()) {
        if (endsWord(cursor.at)) throw new Unparsed('an array is not closed')
        for (const word of expandWord(readWord(cursor, expansions))) recorder.assign(head[1]!, word.text)
      }
      cursor.at++
      return true
    }
    const marked = raw.marked.slice(head[0].length).replaceAll(MARK.split, ' ')
    const values = raw.choice ? expandWord({ ...raw, marked }).map(word => word.text) : [withoutMarks(marked)]
    for (const value of values) recorder.assign(head[1]!, value, head[0].endsWith('+='))
    return true
  }

  function redirect(op: string): Redirect {
    skipBlanks()
    const here = text[cursor.at]
    const process =
      (op === '<' || op === '>') &&
      (here === '(' || ((here === '<' || here === '>') && text[cursor.at + 1] === '('))
    if (process) {
      recorder.simple = false
      cursor.at += here === '(' ? 1 : 2
      const run = expansions.commands(cursor)
      const target: Word = { text: MARK.some, literal: false, glob: false, runs: run.names }
      return { op: `${op}(`, target, ...(run.prints !== undefined && { body: run.prints }) }
    }
    if (endsWord(cursor.at)) throw new Unparsed('a redirection leads nowhere')
    const raw = readWord(cursor, expansions)
    if (op === '<<' || op === '<<-') {
      const end = withoutMarks(raw.marked)
      const result: Redirect = { op, target: { text: end, literal: true, glob: false, runs: [] } }
      pending.push({
        redirect: result,
        end,
        tabs: op === '<<-',
        quoted: raw.bare < raw.marked.length || raw.quotes,
      })
      recorder.simple = false
      return result
    }
    const target = expandWord(raw)[0] ?? { text: MARK.maybe, literal: false, glob: false, runs: raw.runs }
    return op === '<<<' ? { op, target, body: target.text } : { op, target }
  }

  return { list, left, inParentheses }
}
