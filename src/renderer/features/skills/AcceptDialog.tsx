import { useId, useState, type FormEvent, type ReactNode } from 'react'
import type { ScanReport, Skill } from '../../../shared/contract/skills.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { Findings } from './Findings.tsx'
import { useSkillActions } from './use-skill-actions.ts'

type Props = { skill: Skill; scan: ScanReport; onClose: () => void }

/** Asks the user to read the findings before a dangerous skill is accepted. */
export function AcceptDialog({ skill, scan, onClose }: Props): ReactNode {
  const box = useId()
  const { accept } = useSkillActions()
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
    <Dialog title={`Use ${skill.name} anyway?`} closeLabel="Close" onClose={onClose} width="medium">
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <p className="text-sm text-ink-2">
          The model will read this skill and may do what it says. Accept it only if you know why these
          passages are harmless.
        </p>
        <Scrollable label="What was found" className="max-h-[40dvh] overflow-y-auto">
          <Findings findings={scan.findings} />
        </Scrollable>
        <p className="text-xs text-ink-3">
          This applies to exactly these files. If anything in them changes, the skill is blocked again.
        </p>
        <label htmlFor={box} className="flex items-center gap-2 text-sm">
          <input
            id={box}
            type="checkbox"
            className="check"
            checked={read}
            onChange={event => setRead(event.target.checked)}
          />
          I have read what was found
        </label>
        {problem !== undefined && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn btn-danger" disabled={!read || busy}>
            Use it anyway
          </button>
        </div>
      </form>
    </Dialog>
  )
}
