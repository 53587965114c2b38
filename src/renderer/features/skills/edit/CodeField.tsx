import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { CodeEditor, Mark, showCodeEditor } from './code-editor.ts'

type Show = typeof showCodeEditor

export type CodeFieldProps = {
  value: string
  /** Increases with each change of `value` from outside this field. */
  revision: number
  label: string
  hint: string
  markdown: boolean
  marks: readonly Mark[]
  /** A line to go to. A new `turn` goes to the same line again. */
  goal: { line: number; turn: number } | null
  invalid: boolean
  onChange: (text: string) => void
  /** Loads the editor. Tests replace it to simulate slow and failing loads. */
  load?: () => Promise<{ showCodeEditor: Show }>
}

/** Longest text that the host accepts, in characters. */
const MOST_LETTERS = 1_000_000

type Started = { show: Show; selection: { anchor: number; head: number }; isFocused: boolean }

/**
 * A field for a whole file. It starts as a plain text field, and the code editor replaces it once loaded.
 * If the editor cannot load, the plain field stays.
 */
export function CodeField(props: CodeFieldProps): ReactNode {
  const { value, label, goal, invalid, onChange, load = loadEditor } = props
  const [started, setStarted] = useState<Started>()
  const field = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    let isOver = false
    const start = (show: Show) => {
      const area = field.current
      if (isOver || !area) return
      const { selectionStart: anchor, selectionEnd: head } = area
      setStarted({ show, selection: { anchor, head }, isFocused: document.activeElement === area })
    }
    void load().then(({ showCodeEditor }) => start(showCodeEditor), stayPlain)
    return () => {
      isOver = true
    }
  }, [load])

  useEffect(() => {
    const area = field.current
    if (!area || !goal) return
    const lines = area.value.split('\n')
    const at = lines.slice(0, goal.line - 1).reduce((sum, line) => sum + line.length + 1, 0)
    area.focus()
    area.setSelectionRange(at, at)
  }, [goal])

  if (started) return <Editor {...props} started={started} />
  const lineEnd = value.includes('\r\n') ? '\r\n' : '\n'
  return (
    <textarea
      ref={field}
      dir="auto"
      maxLength={MOST_LETTERS}
      value={value}
      aria-label={label}
      aria-invalid={invalid}
      spellCheck={props.markdown}
      className={`field min-h-80 resize-y font-mono text-xs/5 ${SIZE}`}
      onChange={event => onChange(event.target.value.replaceAll('\n', lineEnd))}
    />
  )
}

const SIZE = 'h-[60dvh]'

const loadEditor = () => import('./code-editor.ts')
const stayPlain = () => undefined

function Editor({
  started,
  value,
  revision,
  label,
  hint,
  markdown,
  marks,
  goal,
  ...rest
}: CodeFieldProps & { started: Started }) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor>(null)
  const onChange = useEffectEvent(rest.onChange)
  const show = useEffectEvent((element: HTMLElement) => {
    const shown = started.show(element, {
      text: value,
      selection: started.selection,
      label,
      hint,
      markdown,
      mostLetters: MOST_LETTERS,
      onChange: text => onChange(text),
    })
    if (started.isFocused) shown.focus()
    return shown
  })
  useLayoutEffect(() => {
    const shown = show(place.current!)
    editor.current = shown
    return () => shown.close()
  }, [])
  // The editor already has typed text, so pass it only changes from elsewhere.
  const bring = useEffectEvent((_revision: number) => editor.current?.setText(value))
  useLayoutEffect(() => {
    bring(revision)
  }, [revision])
  useEffect(() => {
    editor.current?.mark(marks)
  }, [marks])
  useEffect(() => {
    if (goal) editor.current?.goTo(goal.line)
  }, [goal])
  return (
    <div
      ref={place}
      role="presentation"
      className={`grid min-h-80 resize-y overflow-hidden rounded-lg border border-line-strong bg-canvas font-mono text-xs/5 focus-within:border-accent focus-within:outline-1 focus-within:outline-accent ${SIZE}`}
    />
  )
}
