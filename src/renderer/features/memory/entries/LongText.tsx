import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { isKey } from '../../../ui/keyboard/keys.ts'
import type { LongEditor, LongEditorOptions, showLongEditor } from './long-editor.ts'

type Props = {
  value: string
  label: string
  /** The keyboard hint, and the id of the element that shows it. */
  hint: string
  describedBy: string
  invalid: boolean
  onChange: (text: string) => void
  onSave: () => void
  onCancel: () => void
  /** Loads the editor. Tests replace it to simulate slow and broken disks. */
  load?: () => Promise<{ showLongEditor: Show }>
}

type Show = typeof showLongEditor

/** Maximum text length that the host accepts, in characters. */
const MOST_LETTERS = 20_000

type Started = { show: Show; isFocused: boolean } & Pick<LongEditorOptions, 'selection'>

/**
 * A multi-line field. It starts as a plain textarea and becomes an editor once that has loaded. Text and
 * selection are kept. If loading fails, the textarea stays.
 */
export function LongText(props: Props): ReactNode {
  const { value, label, describedBy, invalid, onChange, onSave, onCancel, load = loadEditor } = props
  const [started, setStarted] = useState<Started>()
  const field = useRef<HTMLTextAreaElement>(null)
  const isComposing = useRef(false)

  useEffect(() => {
    let isOver = false
    const start = (show: Show) => {
      const area = field.current
      // Replacing the textarea would discard an unfinished IME composition.
      if (isOver || !area || isComposing.current) return
      const { selectionStart: anchor, selectionEnd: head } = area
      setStarted({ show, selection: { anchor, head }, isFocused: document.activeElement === area })
    }
    void load().then(
      ({ showLongEditor }) => start(showLongEditor),
      () => undefined,
    )
    return () => void (isOver = true)
  }, [load])

  if (started) return <Editor {...props} started={started} />
  return (
    <textarea
      ref={field}
      // The user has just chosen to edit it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      dir="auto"
      rows={1}
      maxLength={MOST_LETTERS}
      value={value}
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      className="field entry-field entry-field-long"
      onFocus={event => event.target.setSelectionRange(value.length, value.length)}
      onChange={event => onChange(event.target.value)}
      onCompositionStart={() => (isComposing.current = true)}
      onCompositionEnd={() => (isComposing.current = false)}
      onKeyDown={event => {
        event.stopPropagation()
        const act = isKey(event, 'mod+enter') ? onSave : isKey(event, 'escape') ? onCancel : undefined
        if (!act) return
        event.preventDefault()
        act()
      }}
    />
  )
}

const loadEditor = () => import('./long-editor.ts')

function Editor({ started, value, label, hint, invalid, ...rest }: Props & { started: Started }) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<LongEditor>(null)
  const onChange = useEffectEvent(rest.onChange)
  const onSave = useEffectEvent(rest.onSave)
  const onCancel = useEffectEvent(rest.onCancel)
  const show = useEffectEvent((element: HTMLElement) => {
    const { show, selection, isFocused } = started
    const shown = show(element, {
      text: value,
      selection,
      label,
      hint,
      mostLetters: MOST_LETTERS,
      onChange: text => onChange(text),
      onSave: () => onSave(),
      onCancel: () => onCancel(),
    })
    if (isFocused) shown.focus()
    return shown
  })
  useLayoutEffect(() => {
    const shown = (editor.current = show(place.current!))
    return () => shown.close()
  }, [])
  useLayoutEffect(() => editor.current?.setInvalid(invalid), [invalid])
  // Only texts set by a button change the editor here; typed text is already in it.
  useLayoutEffect(() => editor.current?.setText(value), [value])
  return (
    <div
      ref={place}
      role="presentation"
      className="field entry-editor"
      // Keep keys that the editor ignores from the shortcuts of the list and the window.
      onKeyDown={event => event.stopPropagation()}
    />
  )
}
