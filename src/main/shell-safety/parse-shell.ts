import { expandWord } from './shell-expand.ts'
import { createRecorder, type Recorder } from './shell-record.ts'
import { MARK, Unparsed, type Invocation, type ParsedShell, type Redirect, type Word } from './shell-types.ts'
import { arithmeticEnd, readWord, scanInside, unmark, type RawWord, type Scanner } from './shell-words.ts'

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', 'time', 'coproc'])
const CLOSERS = new Set(['fi', 'done'])
const REDIRECTION = /^(\d{0,4}|\{\w{1,40}\})(<<<|<<-?|<>|<&|>>|>\||>&|<|>|&>>|&>)/

type Pending = { redirect: Redirect; end: string; tabs: boolean; quoted: boolean }
type Stop = ')' | '}' | ';;' | ''

/**
 * Read a shell command line and say what it would run, without running anything: quotes, substitutions, pipelines,
 * loops, functions, here-documents, `sh -c` and other nested scripts, and wrappers such as `sudo`. Takes time in
 * proportion to the length of the text, whatever the text is, and never throws.
 */
export function parseShell(text: string, folder: string, home: string): ParsedShell {
  const recorder = createRecorder({
    folder,
    home,
    budget: 12 * text.length + 200_000,
    parseScript,
    parseInside: (scanner, recorder) => createReader(scanner, recorder).inParentheses(),
  })
  recorder.attempt(() => parseScript(text, recorder))
  const { commands, unparsed } = recorder
  return { commands, simple: recorder.simple && unparsed === undefined, unparsed }
}

/** Parse one script into the recorder; also used for the text given to `sh -c`, `eval` and the like. */
function parseScript(text: string, recorder: Recorder): void {
  if (/[\0\uE000-\uE01F]/.test(text)) throw new Unparsed('it holds characters that no command needs')
  recorder.expansions.spend(text.length)
  recorder.expansions.nested(() => {
    const reader = createReader({ text, at: 0 }, recorder)
    reader.list('')
    if (reader.left() > 0) throw new Unparsed('a parenthesis or brace has no partner')
  })
}

function createReader(scanner: Scanner, recorder: Recorder) {
  const { text } = scanner
  const pending: Pending[] = []
  // `$(` continues in the same text, so that parentheses inside quotes cannot end it.
  const expansions = {
    ...recorder.expansions,
    commands: (inner: Scanner) =>
      inner === scanner ? recorder.capture(inParentheses) : recorder.expansions.commands(inner),
  }

  function left(): number {
    return text.length - scanner.at
  }

  function skipBlanks(): void {
    for (;;) {
      const c = text[scanner.at]
      if (c === ' ' || c === '\t' || c === '\r') scanner.at++
      else if (c === '\\' && text[scanner.at + 1] === '\n') scanner.at += 2
      else return
    }
  }

  /** Move over white space, comments and line ends; a line end is where the bodies of here-documents start. */
  function skipLines(): void {
    for (;;) {
      skipBlanks()
      if (text[scanner.at] === '#') scanner.at = lineEnd(scanner.at)
      if (text[scanner.at] !== '\n') return
      scanner.at++
      for (const document of pending.splice(0)) readDocument(document)
    }
  }

  function lineEnd(from: number): number {
    const end = text.indexOf('\n', from)
    return end < 0 ? text.length : end
  }

  function readDocument(document: Pending): void {
    const start = scanner.at
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
    scanner.at = next
    const body = text.slice(start, stop)
    recorder.expansions.spend(body.length)
    document.redirect.body = document.quoted ? body : scanInside(body, [], expansions)
    recorder.gotDocument(document.redirect)
  }

  /** Read commands up to `stop`, which is left in place. */
  function list(stop: Stop): void {
    let pipeline: Invocation[] = []
    for (;;) {
      skipLines()
      const c = text[scanner.at]
      if (c === undefined || c === ')' || (stop === ';;' && text.startsWith(';;', scanner.at))) return
      if (stop === '}' && c === '}' && endsWord(scanner.at + 1)) return
      if (stop === ';;' && text.startsWith('esac', scanner.at) && endsWord(scanner.at + 4)) return
      const started = scanner.at
      command(pipeline)
      skipBlanks()
      if (text.startsWith('||', scanner.at) || text.startsWith('&&', scanner.at)) {
        scanner.at += 2
        pipeline = []
      } else if (text[scanner.at] === '|') {
        scanner.at += text[scanner.at + 1] === '&' ? 2 : 1
        for (const each of pipeline) each.piped = true
        if (pipeline.length > 200) throw new Unparsed('a pipeline is too long')
      } else if (text[scanner.at] === '&') {
        scanner.at++
        for (const each of pipeline) each.background = true
        pipeline = []
      } else if (text[scanner.at] === ';' && !text.startsWith(';;', scanner.at)) {
        scanner.at++
        pipeline = []
      } else if (text[scanner.at] === '\n') pipeline = []
      else if (scanner.at === started) throw new Unparsed('a character is not expected where it stands')
    }
  }

  function endsWord(at: number): boolean {
    const c = text[at]
    return c === undefined || ' \t\n;&|<>()'.includes(c)
  }

  function inParentheses(): void {
    const { folder } = recorder
    list(')')
    if (text[scanner.at] !== ')') throw new Unparsed('a parenthesis is not closed')
    scanner.at++
    recorder.folder = folder
  }

  /** Read one command of a pipeline, simple or compound, and record what it would run. */
  function command(pipeline: Invocation[]): void {
    const words: Word[] = []
    const redirects: Redirect[] = []
    let grouped = false
    let names = 1
    for (;;) {
      skipBlanks()
      const c = text[scanner.at]
      if (c === '(' && words.length === 0) {
        recorder.simple = false
        grouped = true
        group()
        continue
      }
      const redirection = c !== undefined && REDIRECTION.exec(text.slice(scanner.at, scanner.at + 50))
      if (redirection) {
        scanner.at += redirection[0].length
        redirects.push(redirect(redirection[2]!))
        continue
      }
      if (c === '#' || c === undefined || endsWord(scanner.at)) break
      const raw = readWord(scanner, expansions)
      const bare = raw.bare === raw.marked.length ? unmark(raw.marked) : ''
      if (words.length === 0 && bare !== '') {
        if (KEYWORDS.has(bare) || CLOSERS.has(bare) || bare === '{') {
          if (bare !== 'time') recorder.simple = false
          if (bare === '{') braces()
          if (bare === 'time') skipFlag()
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
  }

  function skipFlag(): void {
    skipBlanks()
    if (text.startsWith('-p', scanner.at) && endsWord(scanner.at + 2)) scanner.at += 2
  }

  function group(): void {
    const end = text[scanner.at + 1] === '(' ? arithmeticEnd(text, scanner.at + 2) : -1
    if (end >= 0) {
      scanInside(text.slice(scanner.at + 2, end), [], expansions)
      scanner.at = end + 2
      return
    }
    scanner.at++
    recorder.expansions.nested(inParentheses)
  }

  function braces(): void {
    recorder.expansions.nested(() => list('}'))
    if (text[scanner.at] !== '}') throw new Unparsed('a brace is not closed')
    scanner.at++
  }

  /** Read the head of `for`, `case`, `function` and `[[`; what follows a head is read as ordinary commands. */
  function compound(keyword: string): boolean {
    if (!['for', 'select', 'case', 'function', '[['].includes(keyword)) return false
    recorder.simple = false
    skipBlanks()
    if (keyword === '[[') condition()
    else if (keyword === 'case') recorder.expansions.nested(cases)
    else if (keyword === 'function') {
      const name = unmark(readWord(scanner, expansions).marked)
      skipParentheses()
      functionBody(name)
    } else if (text[scanner.at] === '(') group()
    else loopHead()
    return true
  }

  /** The `()` that makes a function of the word before it. */
  function skipParentheses(): boolean {
    const found = /^[ \t]*\([ \t]*\)/.exec(text.slice(scanner.at, scanner.at + 40))
    if (found) scanner.at += found[0].length
    return found !== null
  }

  function loopHead(): void {
    const name = unmark(readWord(scanner, expansions).marked)
    skipLines()
    if (!text.startsWith('in', scanner.at) || !endsWord(scanner.at + 2)) return
    scanner.at += 2
    for (const word of plainWords()) recorder.assign(name, word.text)
  }

  /** Words up to the end of the command, with nothing else between them. */
  function plainWords(): Word[] {
    const words: Word[] = []
    for (;;) {
      skipBlanks()
      if (endsWord(scanner.at)) return words
      words.push(...expandWord(readWord(scanner, expansions)))
    }
  }

  function functionBody(name: string): void {
    recorder.simple = false
    skipLines()
    const outer = recorder.within
    recorder.within = name
    recorder.expansions.nested(() => command([]))
    recorder.within = outer
  }

  function condition(): void {
    for (;;) {
      skipLines()
      if (left() <= 0) throw new Unparsed('a condition is not closed')
      if (endsWord(scanner.at)) scanner.at++
      else if (unmark(readWord(scanner, expansions).marked) === ']]') return
    }
  }

  function cases(): void {
    readWord(scanner, expansions)
    skipLines()
    if (!text.startsWith('in', scanner.at)) throw new Unparsed('a case has no patterns')
    scanner.at += 2
    for (;;) {
      skipLines()
      if (text.startsWith('esac', scanner.at) && endsWord(scanner.at + 4)) {
        scanner.at += 4
        return
      }
      if (text[scanner.at] === '(') scanner.at++
      while (text[scanner.at] !== ')') {
        skipBlanks()
        const c = text[scanner.at]
        if (c === '|') scanner.at++
        else if (c === ')') break
        else if (endsWord(scanner.at)) throw new Unparsed('a case is not closed')
        else readWord(scanner, expansions)
      }
      scanner.at++
      list(';;')
      const separator = /^;;?&|^;;/.exec(text.slice(scanner.at, scanner.at + 3))
      if (separator) scanner.at += separator[0].length
    }
  }

  function assignment(raw: RawWord): boolean {
    const head = /^([A-Za-z_]\w*)(?:\[[^\]]{0,40}\])?\+?=/.exec(unmark(raw.marked.slice(0, 200)))
    if (!head || head[0].length > raw.bare) return false
    recorder.simple = false
    if (text[scanner.at] === '(' && raw.marked.length === head[0].length) {
      scanner.at++
      for (skipLines(); text[scanner.at] !== ')'; skipLines()) {
        if (endsWord(scanner.at)) throw new Unparsed('an array is not closed')
        for (const word of expandWord(readWord(scanner, expansions))) recorder.assign(head[1]!, word.text)
      }
      scanner.at++
      return true
    }
    const marked = raw.marked.slice(head[0].length).replaceAll(MARK.split, ' ')
    const values = raw.choice ? expandWord({ ...raw, marked }).map(word => word.text) : [unmark(marked)]
    for (const value of values) recorder.assign(head[1]!, value, head[0].endsWith('+='))
    return true
  }

  function redirect(op: string): Redirect {
    skipBlanks()
    const here = text[scanner.at]
    const process =
      (op === '<' || op === '>') &&
      (here === '(' || ((here === '<' || here === '>') && text[scanner.at + 1] === '('))
    if (process) {
      recorder.simple = false
      scanner.at += here === '(' ? 1 : 2
      const run = expansions.commands(scanner)
      return { op: `${op}(`, target: { text: MARK.some, literal: false, glob: false, runs: run.names } }
    }
    if (endsWord(scanner.at)) throw new Unparsed('a redirection leads nowhere')
    const raw = readWord(scanner, expansions)
    if (op === '<<' || op === '<<-') {
      const end = unmark(raw.marked)
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
