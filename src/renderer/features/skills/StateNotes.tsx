import { useState, type ReactNode } from 'react'
import type { Skill, SkillDetail } from '../../../shared/contract/skills.ts'
import { go } from '../../route.ts'
import { Banner } from '../../ui/Banner.tsx'
import { AcceptDialog } from './AcceptDialog.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useSkill, useSkills } from './skills-context.ts'
import { skillsText } from './strings.ts'
import { useActions } from './use-actions.ts'

type Props = { skill: Skill; detail: SkillDetail; onFindings: () => void }

const text = skillsText.state

/** In sentences: why the model does not get a skill, or what somebody should know about it. */
export function StateNotes({ skill, detail, onFindings }: Props): ReactNode {
  const useInChats = useSkills(skills => skills.library?.useInChats ?? true)
  const { blocked, enabled, unavailable, shadowedBy, isEdited, attention } = skill
  const isWell = blocked === null && unavailable === null && shadowedBy === null && enabled && useInChats
  if (isWell && !isEdited && attention.length === 0) return null
  return (
    // However much there is to say, the skill itself keeps most of the room.
    <Scrollable label={text.label} className="notice-stack grid max-h-[36dvh] overflow-y-auto px-5">
      {blocked !== null && <Blocked skill={skill} detail={detail} onFindings={onFindings} />}
      {unavailable !== null && <Banner level="warning">{text.unavailable(unavailable)}</Banner>}
      {shadowedBy !== null && <Shadowed by={shadowedBy} />}
      {!enabled && blocked === null && <Banner level="info">{text.off}</Banner>}
      {enabled && !useInChats && <Banner level="info">{text.notUsed}</Banner>}
      {isEdited && <Edited id={skill.id} detail={detail} />}
      {attention.length > 0 && (
        <Banner level="warning">
          {text.attention}
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

function Blocked({ skill, detail, onFindings }: Props) {
  const [asks, setAsks] = useState(false)
  const actions = (
    <>
      <button type="button" className="btn btn-secondary" onClick={onFindings}>
        {text.readFindings}
      </button>
      <button type="button" className="btn btn-danger" onClick={() => setAsks(true)}>
        {text.accept}
      </button>
    </>
  )
  return (
    <>
      <Banner level="error" actions={actions}>
        {text.blocked(skill.blocked ?? '')}
      </Banner>
      {asks && <AcceptDialog skill={skill} scan={detail.scan} onClose={() => setAsks(false)} />}
    </>
  )
}

function Shadowed({ by }: { by: string }) {
  const other = useSkill(by)
  const where = other ? `${skillsText.origins[other.origin]}, ${by}` : by
  const show = (
    <button type="button" className="btn btn-secondary" onClick={() => go({ page: 'skills', skillId: by })}>
      {text.showOther}
    </button>
  )
  return (
    <Banner level="warning" actions={show}>
      {text.shadowed(where)}
    </Banner>
  )
}

function Edited({ id, detail }: { id: string; detail: SkillDetail }) {
  const { reset } = useActions()
  const actions = (
    <button type="button" className="btn btn-secondary" onClick={() => void reset(id)}>
      {text.reset}
    </button>
  )
  return (
    <Banner level="info" actions={actions}>
      {text.edited}
      {detail.original !== null && (
        <details className="mt-1">
          <summary className="link-btn w-max text-xs">{text.showChanges}</summary>
          <div className="mt-2">
            <TextDiff
              label={text.showChanges}
              before={detail.original}
              after={detail.text}
              sameLines={skillsText.sameLines}
            />
          </div>
        </details>
      )}
    </Banner>
  )
}
