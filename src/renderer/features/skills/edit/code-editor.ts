import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  gutter,
  GutterMarker,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view'

/** A marked line and the reason. */
export type Mark = { line: number; level: 'error' | 'warning' | 'info'; text: string }

export type CodeEditorOptions = {
  text: string
  /** The initial selection; a caret if both are equal. */
  selection: { anchor: number; head: number }
  label: string
  /** Keyboard help for screen readers. */
  hint: string
  markdown: boolean
  mostLetters: number
  onChange: (text: string) => void
}

export type CodeEditor = {
  focus: () => void
  /** Put the caret at the start of a 1-based line and scroll it to the middle. */
  goTo: (line: number) => void
  /** Replace the text with a minimal change, which keeps the caret, the selection and the undo history. */
  setText: (text: string) => void
  mark: (marks: readonly Mark[]) => void
  close: () => void
}

/** CodeMirror's default colours suit only a white background, so use bold and italic instead. */
const looksOfText = HighlightStyle.define(
  defaultHighlightStyle.specs
    .filter(spec => !('color' in spec))
    .map(spec => (spec['fontWeight'] ? { tag: spec.tag, fontWeight: spec['fontWeight'] as string } : spec)),
)

const tint = (color: string) => `color-mix(in srgb, var(--color-${color}) 9%, transparent)`

const looks = EditorView.theme({
  '&': { height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'inherit' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--color-ink)' },
  '.cm-line': { padding: '0 0.75rem 0 0.25rem', unicodeBidi: 'plaintext' },
  '.cm-content ::selection, .cm-content::selection': {
    backgroundColor: 'color-mix(in srgb, var(--color-accent) 28%, transparent)',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--color-canvas)',
    color: 'var(--color-ink-3)',
    border: 'none',
  },
  '.cm-mark-error': { backgroundColor: tint('danger') },
  '.cm-mark-warning': { backgroundColor: tint('warn') },
  '.cm-mark-info': { backgroundColor: tint('accent') },
  '.cm-signs': { width: '0.9rem', textAlign: 'center', cursor: 'default' },
  '.cm-sign-error': { color: 'var(--color-danger)' },
  '.cm-sign-warning': { color: 'var(--color-warn)' },
  '.cm-sign-info': { color: 'var(--color-accent)' },
})

class Sign extends GutterMarker {
  readonly mark: Mark
  constructor(mark: Mark) {
    super()
    this.mark = mark
  }
  override eq(other: Sign) {
    return other.mark.text === this.mark.text && other.mark.level === this.mark.level
  }
  override toDOM(view: EditorView) {
    const sign = view.dom.ownerDocument.createElement('span')
    sign.className = `cm-sign-${this.mark.level}`
    sign.textContent = { error: '●', warning: '▲', info: '○' }[this.mark.level]
    sign.title = this.mark.text
    return sign
  }
}

const setMarks = StateEffect.define<readonly Mark[]>()
const ranks = { error: 0, warning: 1, info: 2 }

/** The most severe mark of each existing line. */
function worstByLine(marks: readonly Mark[], doc: Text): Mark[] {
  const worst = new Map<number, Mark>()
  for (const mark of marks) {
    const known = worst.get(mark.line)
    if (mark.line < 1 || mark.line > doc.lines || (known && ranks[known.level] <= ranks[mark.level])) continue
    worst.set(mark.line, mark)
  }
  return [...worst.values()].toSorted((a, b) => a.line - b.line)
}

type Marked = { lines: DecorationSet; signs: ReturnType<RangeSetBuilder<Sign>['finish']> }

function drawMarks(marks: readonly Mark[], doc: Text): Marked {
  const lines = new RangeSetBuilder<Decoration>()
  const signs = new RangeSetBuilder<Sign>()
  for (const mark of worstByLine(marks, doc)) {
    const { from } = doc.line(mark.line)
    lines.add(from, from, Decoration.line({ class: `cm-mark-${mark.level}` }))
    signs.add(from, from, new Sign(mark))
  }
  return { lines: lines.finish(), signs: signs.finish() }
}

const marked = StateField.define<Marked>({
  create: ({ doc }) => drawMarks([], doc),
  update({ lines, signs }, { changes, effects, newDoc }) {
    const given = effects.find(effect => effect.is(setMarks))
    if (given) return drawMarks(given.value, newDoc)
    return { lines: lines.map(changes), signs: signs.map(changes) }
  },
  provide: field => EditorView.decorations.from(field, ({ lines }) => lines),
})

/**
 * Mount a code editor for skill files in `place`. It uses a shadow root, because only there CodeMirror adds
 * its styles as constructed style sheets, and the window's content security policy forbids style elements.
 */
export function showCodeEditor(place: HTMLElement, options: CodeEditorOptions): CodeEditor {
  const { label, hint, mostLetters, onChange } = options
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const about = place.ownerDocument.createElement('p')
  about.id = 'about'
  about.hidden = true
  about.textContent = hint
  root.replaceChildren(about)
  // CodeMirror drops line endings, so restore the original kind.
  const lineEnd = options.text.includes('\r\n') ? '\r\n' : '\n'
  const plain = (text: string) => text.replaceAll('\r\n', '\n')
  let isTyped = true

  const doc = plain(options.text)
  const within = (at: number) => Math.min(at, doc.length)
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc,
      selection: { anchor: within(options.selection.anchor), head: within(options.selection.head) },
      extensions: [
        lineNumbers(),
        gutter({ class: 'cm-signs', markers: view => view.state.field(marked).signs }),
        marked,
        // A line of hyphens ends the front matter, so it must not turn the line above into a heading.
        options.markdown ? markdown({ extensions: [{ remove: ['SetextHeading'] }] }) : [],
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        syntaxHighlighting(looksOfText),
        looks,
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': about.id,
          spellcheck: String(options.markdown),
        }),
        EditorState.changeFilter.of(({ newDoc }) => newDoc.length <= mostLetters),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && isTyped) onChange(state.doc.toString().replaceAll('\n', lineEnd))
        }),
      ],
    }),
  })

  return {
    focus: () => view.focus(),
    goTo(line) {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)))
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      })
      view.focus()
    },
    setText(given) {
      const changes = smallestChange(view.state.doc.toString(), plain(given))
      if (!changes) return
      isTyped = false
      view.dispatch({ changes })
      isTyped = true
    },
    mark: marks => view.dispatch({ effects: setMarks.of(marks) }),
    close: () => view.destroy(),
  }
}

/** The change between two texts, without their common prefix and suffix; undefined if they are equal. */
export function smallestChange(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
