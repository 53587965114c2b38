import { sayCite } from '../../../shared/markdown/web-citations.ts'
import { createHash } from 'node:crypto'
import {
  sayAttached,
  titleOf,
  speakerOf,
  timeOf,
  usedTools,
  type ChatFormat,
  type ToldMessage,
} from './chat-formats.ts'
import { cutFormulas, mathmlOf } from './set-formulas.ts'
import { mendFences } from '../../../shared/markdown/mend-fences.ts'
import { many } from '../../../shared/text/amounts.ts'
import { tellObeyedChange } from '../../../shared/words/obeyed-words.ts'
import { showUnseen } from '../../../shared/visible-text/show-unseen.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c1b1a, #e9e7e4); --faint: light-dark(#6a6763, #a09c96);
  --paper: light-dark(#fdfcfb, #1b1a19); --box: light-dark(#f3f1ee, #262422); --line: light-dark(#dedad4, #3a3734); }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.25rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.6 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.3; overflow-wrap: anywhere; }
h2 { margin: 3rem 0 0; border-top: 1px solid var(--line); padding-top: 1.5rem; }
h3 { margin: 1.75rem 0 .25rem; font-size: .875rem; }
time, .facts { color: var(--faint); font-size: .8125rem; font-weight: normal; overflow-wrap: anywhere; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.you .text { background: var(--box); border-radius: .5rem; padding: .625rem .875rem; }
pre, details { background: var(--box); border-radius: .5rem; margin: .5rem 0; padding: .625rem .875rem; }
details pre { padding: 0; }
pre { font: .8125rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; font-size: .875rem; overflow-wrap: anywhere; }
a { color: inherit; }
li { overflow-wrap: anywhere; }
math[display="block"] { overflow-x: auto; max-width: 100%; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-before: page; border: 0; } nav + article h2, header + article h2 { break-before: auto; }
  h3, summary { break-after: avoid; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
}
`

/** Nothing loads or runs: only the page's own style is allowed, by its checksum. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** Chats as one self-contained page. No text of a chat is ever treated as markup. */
export const htmlFormat: ChatFormat = {
  *begin(chats, at) {
    const [only] = chats
    const title = chats.length === 1 ? titleOf(only!) : 'Chats'
    yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1 dir="auto">${escape(title)}</h1>
<p class="facts">${many(chats.length, 'chat')}, exported from Talaria on ${timeOf(at)}.</p>
</header>
`
    if (chats.length < 2) return
    yield '<nav aria-label="Chats">\n<ol>\n'
    for (const chat of chats)
      yield `<li><a href="#${escape(chat.id)}"><bdi>${escape(titleOf(chat))}</bdi></a> <time>${timeOf(chat.createdAt)}</time></li>\n`
    yield '</ol>\n</nav>\n'
  },
  *chat(chat, _position, count) {
    const { id, createdAt, model, folder, project } = chat
    const within = project === '' ? '' : ` · <bdi>${escape(project)}</bdi>`
    // A page with one chat shows its title above.
    const heading = count === 1 ? '' : `<h2 dir="auto">${escape(titleOf(chat))}</h2>\n`
    yield `<article id="${escape(id)}">
${heading}<p class="facts">${timeOf(createdAt)} · <bdi>${escape(model)}</bdi> · <bdi>${escape(folder)}</bdi>${within}</p>
`
  },
  *branch({ number, after }) {
    yield `<h2>Branch ${number}</h2>\n<p class="facts">${
      after === '' ? 'It begins the chat anew.' : `It follows “<bdi>${escape(after)}</bdi>”.`
    }</p>\n`
  },
  *message(told) {
    const { message } = told
    yield `<section class="${message.role === 'user' ? 'you' : message.role}">\n`
    if (message.role !== 'tool')
      yield `<h3><bdi>${escape(speakerOf(message))}</bdi> <time>${timeOf(message.at)}</time></h3>\n`
    yield* bodyOf(told)
    yield '</section>\n'
  },
  *chatEnd() {
    yield '</article>\n'
  },
  *end() {
    yield '</body>\n</html>\n'
  },
}

function* bodyOf({ message, tools }: ToldMessage): Iterable<string> {
  switch (message.role) {
    case 'tool':
      yield folded(speakerOf(message), message.text)
      if (message.attachments)
        yield `<p class="facts"><bdi>${escape(sayAttached(message.attachments))}</bdi></p>\n`
      for (const change of message.obeyed ?? [])
        yield `<p class="facts"><bdi>${escape(tellObeyedChange(change))}</bdi></p>\n`
      return
    case 'user':
      if (message.attachments)
        yield `<p class="facts"><bdi>${escape(sayAttached(message.attachments))}</bdi></p>\n`
      if (message.skill)
        yield `<p class="facts">With the skill <bdi>${escape(message.skill.name)}</bdi>.</p>\n`
      return yield* blocksOf(message.text)
    case 'assistant':
      if (message.reasoning !== '') yield folded('Thoughts', message.reasoning)
      for (const { model, text, problem } of message.advice?.given ?? [])
        yield folded(`Advice of ${model}`, problem ?? text)
      yield* blocksOf(message.text)
      for (const cite of message.cites ?? [])
        yield `<p class="facts"><bdi>${escape(sayCite(cite))}</bdi></p>\n`
      if (!tools && message.calls.length > 0)
        return yield `<p class="facts"><bdi>${escape(usedTools(message))}</bdi></p>\n`
      for (const { name, arguments: given } of message.calls)
        yield folded(`Call of ${name}`, JSON.stringify(given, null, 2))
  }
}

const folded = (title: string, text: string) =>
  `<details>\n<summary><bdi>${escape(title)}</bdi></summary>\n<pre dir="auto">${escape(text)}</pre>\n</details>\n`

const FENCED = /^(`{3,})[^\n`]*\n([\s\S]*?)^\1`*[ \t]*$/gm

/** Yield a text with its formulas and code blocks. All other Markdown is shown as written. */
function* blocksOf(written: string): Iterable<string> {
  const text = mendFences(written)
  let from = 0
  for (const match of text.matchAll(FENCED)) {
    yield paragraph(text.slice(from, match.index))
    yield `<pre>${escape(match[2] ?? '')}</pre>\n`
    from = match.index + match[0].length
  }
  yield paragraph(text.slice(from))
}

const paragraph = (text: string) =>
  text.trim() === '' ? '' : `<div class="text" dir="auto">${withFormulas(text.trim())}</div>\n`

function withFormulas(text: string): string {
  let html = ''
  for (const piece of cutFormulas(text)) {
    const set = 'tex' in piece ? mathmlOf(legal(piece.tex), piece.isDisplay) : undefined
    html += set ?? escape('tex' in piece ? piece.source : piece.text)
  }
  return html
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Characters that HTML cannot hold are replaced, as a browser would. */
const FORBIDDEN = /(?![\n\t])[\p{Cc}\p{Cs}]/gu

const legal = (text: string): string => text.replaceAll(FORBIDDEN, '\uFFFD')
const escape = (text: string): string => showUnseen(legal(text)).replaceAll(/[&<>"']/g, sign => NAMES[sign]!)
