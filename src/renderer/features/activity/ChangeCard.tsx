import { useState, type ReactNode } from 'react'
import type { LearnedChange } from '../../../shared/contract/learned/learning.ts'
import type { MemoryRevision } from '../../../shared/contract/learned/memory.ts'
import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { goTo } from '../../route.ts'
import { When } from '../../ui/text/InlineText.tsx'
import { Diff, Reasons, triggerReasons } from './ActivityCardDetail.tsx'
import { stateOf, type UndoSelection } from './activity-state.ts'
import { ActivityCard, ActivityCardEnd, cardStates } from './ActivityCard.tsx'
import { keepCardFocus } from './card-focus.ts'
import { UndoMany } from './UndoMany.tsx'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

const savedBy = { agent: 'Saved by the agent in the chat', review: 'Saved by a review' }
const memoryChanges = {
  add: 'Added to memory',
  edit: 'Changed in memory',
  remove: 'Removed from memory',
  restore: 'Restored in memory',
  move: 'Moved in memory',
  lock: 'Locked in memory',
  unlock: 'Unlocked in memory',
}

const tones = { saved: 'good', part: 'plain', undone: 'muted' } as const

/** A change that was saved automatically, with Undo. */
export function ChangeCard({ change }: { change: LearnedChange }): ReactNode {
  const { id, headline, by, at, memory, skills, trigger, cost, reviewId, sessionId, messageId } = change
  const [asked, setAsked] = useState<UndoSelection | null>(null)
  const state = stateOf(change)
  const close = () => {
    setAsked(null)
    keepCardFocus(id)
  }
  return (
    <ActivityCard
      id={id}
      headline={headline}
      kind={memory.length > 0 ? 'memory' : 'skill'}
      badge={{ text: cardStates[state], tone: tones[state] }}
      end={
        <ActivityCardEnd
          id={id}
          isUndoable={state !== 'undone'}
          headline={headline}
          reviewId={reviewId}
          sessionId={sessionId}
          messageId={messageId}
          at={at}
          onUndo={setAsked}
        />
      }
      meta={
        <>
          <span>{savedBy[by]}</span>
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
              onClick={() => goTo({ chatId: sessionId, messageId })}
            >
              Show in the chat
            </button>
          )}
          <Reasons
            why={trigger === null ? 'The agent saved it while answering.' : triggerReasons[trigger]}
            cost={cost}
          />
        </>
      }
    >
      {asked && <UndoMany what={asked} onClose={close} />}
    </ActivityCard>
  )
}

function MemoryPart({ revision }: { revision: MemoryRevision }) {
  const { op, before, after, entryId, undoneBy } = revision
  return (
    <li className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        {memoryChanges[op]}
        {undoneBy !== null && <span className="badge">Undone</span>}
        <button type="button" className="link-btn" onClick={() => goTo({ page: 'memory', entryId })}>
          Show in memory
        </button>
      </p>
      {op === 'move' ? (
        <p className="text-sm">{`from ${(before ?? '') || 'another place'} to ${(after ?? '') || 'another place'}`}</p>
      ) : (
        <Diff kind="memory" place="" before={before} after={after} />
      )}
    </li>
  )
}

function SkillPart({ revision }: { revision: SkillRevision }) {
  const { op, note, files, undoneBy } = revision
  const name = showHidden(revision.name)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        {op === 'create'
          ? `New skill “${name}”`
          : op === 'delete'
            ? `Deleted skill “${name}”`
            : `Skill “${name}”`}
        {undoneBy !== null && <span className="badge">Undone</span>}
      </p>
      {note !== '' && <p className="text-sm text-ink-2">{showHidden(note)}</p>}
      {files.map(({ path, before, after, binary }) => (
        <div key={path} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <p dir="ltr" className="font-mono text-xs text-ink-3">
            {showHidden(path)}
          </p>
          {binary ? (
            <p className="text-sm text-ink-3">This file is binary, so it cannot be shown.</p>
          ) : (
            <Diff kind="skill" place={`${name}/${path}`} before={before} after={after} />
          )}
        </div>
      ))}
    </li>
  )
}
