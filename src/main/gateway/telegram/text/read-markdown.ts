import { Marked, type MarkedToken, type Token, type TokenizerAndRendererExtension } from 'marked'
import { isMath, joinFormulas } from '../../../../shared/markdown/is-math.ts'
import { isCrowded } from '../../../../shared/markdown/is-crowded.ts'
import { mendTables } from '../../../../shared/markdown/mend-tables.ts'
import { mendFences } from '../../../../shared/markdown/mend-fences.ts'

/** A formula, inline or as a block: its source without delimiters. */
export type Formula = { type: 'formula'; raw: string; text: string }
/** A node that `readMarkdown` finds in a text. */
export type Node = MarkedToken | Formula

/** Matches quotes and lists nested so deeply that parsing would overflow the stack. */
const NESTED = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m
/** Matches so many open brackets that parsing takes too long: each is scanned again and again. */
const BRACKETS = /(?:!?\[[^[\]\n]{0,40}){60}/

/** Code, whose characters are not marks. */
const CODE = /^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1|(?![^]))/gm
/** Maximum number of HTML openings in a text; the parser searches for the end of each. */
const MOST_TAGS = 2_000

/** Maximum number of spaces in a row; for each, the parser checks whether the line ends after it. */
const MOST_BLANKS = 200
const BLANKS = / {201,}/g

const isEntangled = (text: string): boolean => {
  const prose = text.replaceAll(CODE, '')
  return isCrowded(prose) || (prose.match(/</g)?.length ?? 0) > MOST_TAGS
}

const FORMULAS: readonly { pattern: RegExp; isSure: boolean }[] = [
  { pattern: /^\$\$([^$]{1,4000}?)\$\$/, isSure: true },
  { pattern: /^\$(?=\S)([^$\n`]{0,4000}?\S)\$(?![\p{L}\p{N}_{($])/u, isSure: false },
  { pattern: /^\\\(([^`]{1,4000}?)\\\)/, isSure: true },
  { pattern: /^\\\[([^`]{1,4000}?)\\\]/, isSure: false },
]

const formulas: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: text => placeOf(text, /\$|\\[[(]/),
  tokenizer(text) {
    for (const { pattern, isSure } of FORMULAS) {
      const [raw, source = ''] = pattern.exec(text) ?? []
      if (raw !== undefined && isMath(source, isSure)) return { type: 'formula', raw, text: source.trim() }
    }
    return undefined
  },
}

/**
 * Emphasis whose stars are between punctuation and a letter. `**“…”**。`, `*（…）*の` and `**Note:**this` stay
 * stars in standard Markdown, but are emphasis here, as in the window.
 */
const freeStars = (type: 'strong' | 'em', pattern: RegExp): TokenizerAndRendererExtension => ({
  name: type,
  level: 'inline',
  start: text => placeOf(text, /\*/),
  tokenizer(text) {
    const [raw, inner = ''] = pattern.exec(text) ?? []
    return raw === undefined ? undefined : { type, raw, text: inner, tokens: this.lexer.inlineTokens(inner) }
  },
})

const INSIDE = '(?:[^*\\n`$\\\\[\\]<]|`[^`\\n]{1,200}`){1,1000}?'
const STRONG = new RegExp(`^\\*\\*(?=[^\\s*])(${INSIDE})(?<!\\s)\\*\\*(?!\\*)`)
const EM = new RegExp(`^\\*(?=[^\\s*\\x00-\\x7f])(${INSIDE})(?<![\\s\\x00-\\x7f])\\*(?![*\\w])`)

function placeOf(text: string, pattern: RegExp): number | undefined {
  const at = text.search(pattern)
  return at < 0 ? undefined : at
}

const reader = new Marked({ gfm: true, breaks: true }).use({
  extensions: [formulas, freeStars('strong', STRONG), freeStars('em', EM)],
  tokenizer: {
    // HTML except for a few elements is text, so there are no HTML blocks.
    html: () => undefined,
    // A footnote is not a link definition.
    def: text => (/^ {0,3}\[\^/.test(text) ? undefined : false),
    // `3~5` is a range, not struck-out text.
    del: text => (text.startsWith('~~') ? false : undefined),
  },
})

/** Parse a Markdown text. Undefined if it is so entangled that it is better shown as it is. */
export function readMarkdown(markdown: string, isLive: boolean): readonly Node[] | undefined {
  const text = markdown.replaceAll(/\r\n?/g, '\n').replaceAll(BLANKS, ' '.repeat(MOST_BLANKS))
  if (NESTED.test(text) || BRACKETS.test(text) || isEntangled(text)) return undefined
  try {
    return nodesOf(reader.lexer(mendTables(joinFormulas(mendFences(text, isLive)))))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Return the parser's tokens, which are all of known types. */
export const nodesOf = (tokens: readonly Token[] | undefined): Node[] => (tokens ?? []).filter(isNode)

const KINDS = new Set(
  `blockquote br checkbox code codespan def del em escape formula heading hr html image link list list_item paragraph space
  strong table text`.split(/\s+/),
)
const isNode = (token: Token | Formula): token is Node => KINDS.has(token.type)
