import { useId, useState, type FormEvent, type ReactNode } from 'react'
import type { ScanReport, Skill } from '../../../shared/contract/skills.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { Findings } from './Findings.tsx'
import { skillsText } from './strings.ts'
import { useActions } from './use-actions.ts'

type Props = { skill: Skill; scan: ScanReport; onClose: () => void }

/** A skill that was found dangerous is used only after the person has read why. */
export function AcceptDialog({ skill, scan, onClose }: Props): ReactNode {
  const text = skillsText.accept
  const box = useId()
  const { accept } = useActions()
  const [read, setRead] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!read || busy) return
    setBusy(true)
    const answer = await accept(skill.id)
    setBusy(false)
    if (answer.ok) onClose()
    else setProblem(answer.fault.message)
  }

  return (
    <Dialog title={text.title(skill.name)} closeLabel={skillsText.close} onClose={onClose} width="medium">
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <p className="text-sm text-ink-2">{text.says}</p>
        <Scrollable label={skillsText.scan.list} className="max-h-[40dvh] overflow-y-auto">
          <Findings findings={scan.findings} />
        </Scrollable>
        <p className="text-xs text-ink-3">{text.changes}</p>
        <label htmlFor={box} className="flex items-center gap-2 text-sm">
          <input
            id={box}
            type="checkbox"
            className="check"
            checked={read}
            onChange={event => setRead(event.target.checked)}
          />
          {text.read}
        </label>
        {problem !== undefined && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            {skillsText.cancel}
          </button>
          <button type="submit" className="btn btn-danger" disabled={!read || busy}>
            {text.button}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
