import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { Icon, IconButton } from './IconButton.tsx'
import { cx } from './style.ts'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'
import { isKey } from './keyboard/keys.ts'
import { TextField } from './fields/TextField.tsx'

type Props = {
  title: string
  closeLabel: string
  onClose: () => void
  width?: keyof typeof widths
  /** True if the dialog only shows something, so the command palette may replace it. */
  givesWay?: boolean
  children: ReactNode
}

const widths = { small: 'max-w-md', medium: 'max-w-xl', large: 'max-w-4xl' }

/** A modal dialog, mounted only while open. Esc, the close button and a click outside close it. */
export function Dialog({
  title,
  closeLabel,
  onClose,
  width = 'small',
  givesWay = false,
  children,
}: Props): ReactNode {
  const heading = useId()
  const modal = useModal(onClose)
  return (
    <dialog
      {...modal}
      aria-labelledby={heading}
      className={cx('dialog', widths[width])}
      data-gives-way={givesWay || undefined}
      closedby="any"
    >
      <div className="p-5">
        <header className="mb-4 flex items-center justify-between gap-4">
          <h2 id={heading} className="text-lg font-semibold">
            {showHidden(title)}
          </h2>
          <IconButton label={closeLabel} onClick={onClose} className="-me-2">
            <Icon name="close" />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** A side panel for content that does not fit in a narrow window. */
export function Drawer({
  label,
  side = 'start',
  onClose,
  children,
}: {
  label: string
  side?: 'start' | 'end'
  onClose: () => void
  children: ReactNode
}): ReactNode {
  const modal = useModal(onClose)
  return (
    <dialog
      {...modal}
      aria-label={label}
      className={cx('drawer', side === 'end' && 'drawer-end')}
      data-gives-way
      closedby="any"
    >
      {children}
    </dialog>
  )
}

/** A modal box without a heading, such as a field with a list. */
export function BareDialog({
  label,
  className,
  onClose,
  children,
}: {
  label: string
  className: string
  onClose: () => void
  children: ReactNode
}): ReactNode {
  const modal = useModal(onClose)
  return (
    <dialog {...modal} aria-label={label} className={className} data-gives-way closedby="any">
      {children}
    </dialog>
  )
}

/**
 * Closes the dialogs that only show or find something, so that another one can replace them. Returns false
 * and closes nothing if an open dialog needs an answer or contains typed text.
 */
export function makeWay(): boolean {
  const open = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')]
  if (!open.every(dialog => 'givesWay' in dialog.dataset)) return false
  for (const dialog of open) dialog.close()
  return true
}

/**
 * The browser traps focus in a modal dialog and restores it on close. A dialog with a text field focuses
 * that field instead of the close button, so that the user can type at once.
 */
function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) {
      dialog.showModal()
      dialog.querySelector<HTMLElement>('input:not([type]), input[type="text"], textarea')?.focus()
    }
  }, [])
  // Close before the element is unmounted: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])
  return {
    ref,
    // React mounts twice in development. The close event of the first mount arrives after the reopen.
    onClose: () => {
      if (!ref.current?.open) onClose()
    },
  }
}

/**
 * The heading of a step. It takes focus because the previous button is gone, so that screen readers continue
 * here.
 */
export function StepHeading({ children }: { children: ReactNode }): ReactNode {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <h3 ref={ref} tabIndex={-1} className="text-sm font-semibold outline-none">
      {children}
    </h3>
  )
}

type ConfirmProps = {
  label: string
  /** The accessible name of the button, if the label alone is ambiguous. */
  name?: string
  /** The question that replaces the button. */
  question: string
  danger?: boolean
  onYes: () => void
}

/** A button with an inline confirmation; Esc cancels it. */
export function Confirm({ label, name, question, danger = false, onYes }: ConfirmProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const leave = () => {
    setAsking(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  if (!isAsking)
    return (
      <button
        ref={button}
        type="button"
        aria-label={name}
        className="btn btn-quiet"
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
    )
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'escape')) return
    event.preventDefault()
    leave()
  }
  return (
    <div role="presentation" className="contents" onKeyDown={onKeyDown}>
      <fieldset className="ask-line">
        <legend className="sr-only">{question}</legend>
        <span aria-hidden="true" className="text-sm">
          {question}
        </span>
        <button
          type="button"
          // The user has just pressed the button that this replaces.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          className={danger ? 'btn btn-danger' : 'btn btn-primary'}
          onClick={() => {
            setAsking(false)
            onYes()
          }}
        >
          {label}
        </button>
        <button type="button" className="btn btn-secondary" onClick={leave}>
          Cancel
        </button>
      </fieldset>
    </div>
  )
}

type KeyProps = {
  title: string
  /** The name of the key, such as `OPENAI_API_KEY`. */
  name: string
  hint: string
  /** Whether to hide the typed text. */
  isSecret: boolean
  /** Resolves to the reason why the key was not saved; undefined if it was saved. */
  save: (value: string) => Promise<string | undefined>
  onClose: () => void
}

/** Asks for a key, which is never shown again. */
export function KeyDialog({ title, name, hint, isSecret, save, onClose }: KeyProps): ReactNode {
  const [value, setValue] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (value.trim() === '' || busy) return
    setBusy(true)
    const why = await save(value.trim())
    setBusy(false)
    if (why === undefined) onClose()
    else setProblem(why)
  }
  return (
    <Dialog title={title} closeLabel="Close" onClose={onClose}>
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <TextField
          label={name}
          type={isSecret ? 'password' : 'text'}
          dir="ltr"
          maxLength={10_000}
          value={value}
          hint={hint}
          error={problem}
          onChange={event => setValue(event.target.value)}
        />
        <DialogButtons label="Save" disabled={value.trim() === '' || busy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

type DialogButtonsProps = {
  /** The label of the main button. Without `onClick` it submits the form. */
  label: string
  isDangerous?: boolean
  disabled?: boolean
  onClick?: () => void
  onCancel: () => void
}

/** The buttons at the end of a dialog: Cancel and the main button. */
export function DialogButtons(props: DialogButtonsProps): ReactNode {
  const { label, isDangerous = false, disabled, onClick, onCancel } = props
  return (
    <div className="dialog-foot">
      <button type="button" className="btn btn-secondary" onClick={onCancel}>
        Cancel
      </button>
      <button
        type={onClick ? 'button' : 'submit'}
        className={isDangerous ? 'btn btn-danger' : 'btn btn-primary'}
        disabled={disabled}
        onClick={onClick}
      >
        {label}
      </button>
    </div>
  )
}
