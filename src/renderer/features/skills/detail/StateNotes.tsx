import { useState, type ReactNode, useId, type FormEvent } from 'react'
import type { Skill, SkillDetail } from '../../../../shared/contract/learned/skills.ts'
import { goTo } from '../../../route.ts'
import { Banner, Problem } from '../../../ui/Banner.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { TextDiff } from '../../../ui/text/TextDiff.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useLibrary, useSkill, useSkillActions } from '../use-skills.ts'
import { originNames } from '../skill-labels.tsx'
import { Findings } from './Findings.tsx'

type Props = { skill: Skill; detail: SkillDetail; onFindings: () => void }

/** Explains why the model does not get a skill, or what the user should know about it. */
export function StateNotes({ skill, detail, onFindings }: Props): ReactNode {
  const useInChats = useLibrary()?.useInChats ?? true
  const { blocked, enabled, unavailable, shadowedBy, isEdited, attention } = skill
  const isWell = blocked === null && unavailable === null && shadowedBy === null && enabled && useInChats
  if (isWell && !isEdited && attention.length === 0) return null
  return (
    // Limited in height, so that the skill keeps most of the space.
    <Scrollable
      label="What to know about this skill"
      className="notice-stack grid max-h-[36dvh] overflow-y-auto px-5"
    >
      {blocked !== null && <Blocked skill={skill} detail={detail} onFindings={onFindings} />}
      {unavailable !== null && (
        <Banner level="warning">{`It cannot be used on this computer. ${unavailable}`}</Banner>
      )}
      {shadowedBy !== null && <Shadowed by={shadowedBy} />}
      {!enabled && blocked === null && <Off detail={detail} onFindings={onFindings} />}
      {enabled && !useInChats && (
        <Banner level="info">“Use skills in chats” is off, so no skill is used.</Banner>
      )}
      {isEdited && <Edited id={skill.id} detail={detail} />}
      {attention.length > 0 && (
        <Banner level="warning">
          Needs attention:
          <ul className="list-disc ps-5">
            {attention.map(reason => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Banner>
      )}
    </Scrollable>
  )
}

function Off({ detail, onFindings }: Omit<Props, 'skill'>) {
  const [asks, setAsks] = useState(false)
  if (detail.policy !== 'ask') return <Banner level="info">It is off. New chats do not see it.</Banner>
  const actions = (
    <>
      <button type="button" className="btn btn-secondary" onClick={onFindings}>
        Read what was found
      </button>
      <button type="button" className="btn btn-secondary" onClick={() => setAsks(true)}>
        Switch it on…
      </button>
    </>
  )
  return (
    <>
      <Banner level="warning" actions={actions}>
        It is off. The scan found lines that need caution. Read them before you switch it on.
      </Banner>
      {asks && <AcceptDialog detail={detail} onClose={() => setAsks(false)} />}
    </>
  )
}

function Blocked({ skill, detail, onFindings }: Props) {
  const [asks, setAsks] = useState(false)
  const actions = (
    <>
      <button type="button" className="btn btn-secondary" onClick={onFindings}>
        Read what was found
      </button>
      <button type="button" className="btn btn-danger" onClick={() => setAsks(true)}>
        Use it anyway…
      </button>
    </>
  )
  return (
    <>
      <Banner level="error" actions={actions}>{`Blocked: ${skill.blocked ?? ''}`}</Banner>
      {asks && <AcceptDialog detail={detail} onClose={() => setAsks(false)} />}
    </>
  )
}

function Shadowed({ by }: { by: string }) {
  const other = useSkill(by)
  const where = other ? `${originNames[other.origin]}, ${by}` : by
  const show = (
    <button type="button" className="btn btn-secondary" onClick={() => goTo({ page: 'skills', skillId: by })}>
      Show the other skill
    </button>
  )
  return (
    <Banner
      level="warning"
      actions={show}
    >{`Another skill with this name is used instead: ${where}.`}</Banner>
  )
}

function Edited({ id, detail }: { id: string; detail: SkillDetail }) {
  const { reset } = useSkillActions()
  const actions = (
    <button type="button" className="btn btn-secondary" onClick={() => void reset(id)}>
      Reset to original
    </button>
  )
  return (
    <Banner level="info" actions={actions}>
      This is an edited copy. The original stays unchanged.
      {detail.original !== null && (
        <details className="mt-1">
          <summary className="link-btn w-max text-xs">What changed</summary>
          <div className="mt-2">
            <TextDiff label="What changed" before={detail.original} after={detail.text} />
          </div>
        </details>
      )}
    </Banner>
  )
}

type AcceptDialogProps = { detail: SkillDetail; onClose: () => void }

/** Asks the user to read the findings before a dangerous skill is accepted. */
function AcceptDialog({ detail, onClose }: AcceptDialogProps): ReactNode {
  const { skill, scan, seen } = detail
  const box = useId()
  const { accept } = useSkillActions()
  const [read, setRead] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!read || busy) return
    setBusy(true)
    const answer = await accept(skill.id, seen)
    setBusy(false)
    if (answer.ok) onClose()
    else setProblem(answer.fault.message)
  }

  return (
    <Dialog
      title={skill.blocked === null ? `Use ${skill.name}?` : `Use ${skill.name} anyway?`}
      closeLabel="Close"
      onClose={onClose}
      width="medium"
    >
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <p className="text-sm text-ink-2">
          The model will read this skill and may do what it says. Accept it only if you know why these
          passages are harmless.
        </p>
        <Scrollable label="What was found" className="max-h-[40dvh] overflow-y-auto">
          <Findings findings={scan.findings} />
        </Scrollable>
        <p className="text-xs text-ink-3">
          This applies to exactly these files. If anything in them changes, you are asked again.
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
        <Problem text={problem} />
        <DialogButtons
          label={skill.blocked === null ? 'Use it' : 'Use it anyway'}
          isDangerous
          disabled={!read || busy}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
