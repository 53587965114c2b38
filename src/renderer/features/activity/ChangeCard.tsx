import { useState, type ReactNode } from 'react'
import type { LearnedChange } from '../../../shared/contract/learning.ts'
import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import type { SkillRevision } from '../../../shared/contract/skills.ts'
import { go } from '../../route.ts'
import { When } from '../../ui/When.tsx'
import { Reasons } from './About.tsx'
import { stateOf, type UndoMany as What } from './activity-state.ts'
import { Card } from './Card.tsx'
import { CardButton } from './CardButton.tsx'
import { CardMenu } from './CardMenu.tsx'
import { Diff } from './Diff.tsx'
import { keepFocus } from './rows.ts'
import { activityText } from './strings.ts'
import { UndoMany } from './UndoMany.tsx'
import { useActions } from './use-actions.ts'

const tones = { saved: 'good', part: 'plain', undone: 'muted' } as const

/** What was saved without waiting, and the way back. */
export function ChangeCard({ change }: { change: LearnedChange }): ReactNode {
  const { id, headline, by, at, memory, skills, trigger, cost, reviewId, sessionId, messageId } = change
  const { undo } = useActions()
  const [asked, setAsked] = useState<What | null>(null)
  const state = stateOf(change)
  const close = () => {
    setAsked(null)
    keepFocus(id)
  }
  return (
    <Card
      id={id}
      headline={headline}
      kind={memory.length > 0 ? 'memory' : 'skill'}
      badge={{ text: activityText.states[state], tone: tones[state] }}
      end={
        <>
          {state !== 'undone' && (
            <CardButton
              look="quiet"
              keyName="u"
              label={activityText.undo}
              headline={headline}
              onClick={() => void undo([id])}
            />
          )}
          <CardMenu
            headline={headline}
            reviewId={reviewId}
            sessionId={sessionId}
            messageId={messageId}
            at={at}
            onUndo={setAsked}
          />
        </>
      }
      meta={
        <>
          <span>{activityText.by[by]}</span>
          <When at={at} />
        </>
      }
      detail={
        <>
          <ul className="grid gap-3">
            {memory.map(revision => (
              <MemoryPart key={`m${revision.id}`} revision={revision} />
            ))}
            {skills.map(revision => (
              <SkillPart key={`s${revision.id}`} revision={revision} />
            ))}
          </ul>
          {sessionId !== null && messageId !== null && (
            <button
              type="button"
              className="link-btn justify-self-start text-sm"
              onClick={() => go({ chatId: sessionId, messageId })}
            >
              {activityText.openMessage}
            </button>
          )}
          <Reasons
            why={trigger === null ? activityText.agentDid : activityText.triggers[trigger]}
            cost={cost}
          />
        </>
      }
    >
      {asked && <UndoMany what={asked} onClose={close} />}
    </Card>
  )
}

function MemoryPart({ revision }: { revision: MemoryRevision }) {
  const { op, before, after, entryId, undoneBy } = revision
  return (
    <li className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        {activityText.did[op]}
        {undoneBy !== null && <span className="badge">{activityText.states.undone}</span>}
        <button type="button" className="link-btn" onClick={() => go({ page: 'memory', entryId })}>
          {activityText.showEntry}
        </button>
      </p>
      {op === 'move' ? (
        <p className="text-sm">{activityText.moved(before ?? '', after ?? '')}</p>
      ) : (
        <Diff kind="memory" place="" before={before} after={after} />
      )}
    </li>
  )
}

function SkillPart({ revision }: { revision: SkillRevision }) {
  const { name, op, note, files, undoneBy } = revision
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        {activityText.didSkill(name, op)}
        {undoneBy !== null && <span className="badge">{activityText.states.undone}</span>}
      </p>
      {note !== '' && <p className="text-sm text-ink-2">{note}</p>}
      {files.map(({ path, before, after, binary }) => (
        <div key={path} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <p dir="ltr" className="font-mono text-xs text-ink-3">
            {path}
          </p>
          {binary ? (
            <p className="text-sm text-ink-3">{activityText.binary}</p>
          ) : (
            <Diff kind="skill" place={`${name}/${path}`} before={before} after={after} />
          )}
        </div>
      ))}
    </li>
  )
}
