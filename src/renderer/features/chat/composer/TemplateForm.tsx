import { useId, useState, type FormEvent, type ReactNode } from 'react'
import type { Template } from '../../../../shared/contract/chats/templates.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'

type Props = {
  template: Template
  /** The variables to ask for, with their initial values. */
  asked: readonly { name: string; preset: string }[]
  onFilled: (values: Readonly<Record<string, string>>) => void
  onClose: () => void
}

/** Asks for the unknown variables of a template. */
export function TemplateForm({ template, asked, onFilled, onClose }: Props): ReactNode {
  const id = useId()
  const [values, setValues] = useState(() =>
    Object.fromEntries(asked.map(({ name, preset }) => [name, preset])),
  )
  const isReady = asked.every(({ name }) => values[name]?.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onFilled(values)
  }
  return (
    <Dialog title={`Fill in “/${template.name}”`} closeLabel="Close" onClose={onClose}>
      <form className="grid gap-3" onSubmit={submit}>
        {asked.map(({ name }, at) => (
          <div key={name} className="grid gap-1">
            <label htmlFor={`${id}-${at}`} className="text-xs font-medium text-ink-2">
              {name === 'input' ? 'Text' : name}
            </label>
            <textarea
              id={`${id}-${at}`}
              dir="auto"
              rows={LONG.has(name) ? 4 : 1}
              value={values[name]}
              className="field resize-y"
              onChange={event => setValues({ ...values, [name]: event.target.value })}
            />
          </div>
        ))}
        <DialogButtons label="Fill in" disabled={!isReady} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** Variables that usually have more than one line. */
const LONG = new Set(['input', 'selection', 'clipboard', 'text'])
