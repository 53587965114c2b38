import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'

export type LongEditorOptions = {
  text: string
  /** The initial selection; a caret when both ends are equal. */
  selection: { anchor: number; head: number }
  label: string
  /** The keyboard hint for screen readers. */
  hint: string
  mostLetters: number
  onChange: (text: string) => void
  onSave: () => void
  onCancel: () => void
}

export type LongEditor = {
  focus(): void
  /** Replace the text, as an edit that can be undone. */
  setText(text: string): void
  setInvalid(invalid: boolean): void
  close(): void
}

/** CodeMirror's colours assume a white background. Weight, italics and underlines are enough for a note. */
const marks = HighlightStyle.define(
  defaultHighlightStyle.specs
    .filter(spec => !('color' in spec))
    // Underlined headings would look like links.
    .map(spec => (spec['fontWeight'] ? { tag: spec.tag, fontWeight: spec['fontWeight'] as string } : spec)),
)

const looks = EditorView.theme({
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'inherit' },
  '.cm-content': { padding: '0', caretColor: 'var(--color-ink)' },
  '.cm-line': { padding: '0', unicodeBidi: 'plaintext' },
  '.cm-content ::selection, .cm-content::selection': {
    backgroundColor: 'color-mix(in srgb, var(--color-accent) 28%, transparent)',
  },
})

/**
 * Mount a Markdown editor in a shadow root. Only there does CodeMirror use constructed style sheets, and the
 * window's content security policy forbids style elements.
 */
export function showLongEditor(place: HTMLElement, options: LongEditorOptions): LongEditor {
  const { text, selection, label, hint, mostLetters, onChange, onSave, onCancel } = options
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const about = place.ownerDocument.createElement('p')
  about.id = 'about'
  about.hidden = true
  about.textContent = hint
  root.replaceChildren(about)

  const validity = new Compartment()
  const does = (act: () => void) => () => {
    act()
    return true
  }
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      selection,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run: does(onSave) },
            { key: 'Escape', run: does(onCancel) },
          ]),
        ),
        markdown(),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        syntaxHighlighting(marks),
        looks,
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': about.id,
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
        validity.of([]),
        EditorState.changeFilter.of(({ newDoc }) => newDoc.length <= mostLetters),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString())
        }),
      ],
    }),
  })
  return {
    focus: () => view.focus(),
    setText(text) {
      const { doc } = view.state
      if (doc.toString() === text) return
      // An undo step of its own, separate from what was typed just before.
      const annotations = isolateHistory.of('full')
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, annotations })
    },
    setInvalid: invalid =>
      view.dispatch({
        effects: validity.reconfigure(EditorView.contentAttributes.of({ 'aria-invalid': String(invalid) })),
      }),
    close: () => view.destroy(),
  }
}
