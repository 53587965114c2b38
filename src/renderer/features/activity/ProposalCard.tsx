import { TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Proposal } from '../../../shared/contract/learning.ts'
import { When } from '../../ui/When.tsx'
import { EvidenceList, Reasons } from './About.tsx'
import { isEditable, type UndoMany as What } from './activity-state.ts'
import { useActivity } from './activity-context.ts'
import { Card } from './Card.tsx'
import { CardButton } from './CardButton.tsx'
import { CardMenu } from './CardMenu.tsx'
import { Diff } from './Diff.tsx'
import { ProposalEditor } from './ProposalEditor.tsx'
import { keepFocus } from './rows.ts'
import { activityText } from './strings.ts'
import { UndoMany } from './UndoMany.tsx'
import { useActions } from './use-actions.ts'

const tones = { open: 'plain', kept: 'good', rejected: 'plain', undone: 'muted', dropped: 'plain' } as const

/** Something that a review found: what it would change, and what is done with it. */
export function ProposalCard({ proposal }: { proposal: Proposal }): ReactNode {
  const { id, kind, op, state, place, headline, before, after, trigger, because, cost } = proposal
  const { reviewId, sessionId, evidence, isStale, changed, at, decidedAt } = proposal
  const edit = useActivity(activity => activity.edits[id])
  const [asked, setAsked] = useState<What | null>(null)
  const { undo } = useActions()
  const close = () => {
    setAsked(null)
    keepFocus(id)
  }
  const isOpen = state === 'open'
  // A new sentence that is the headline needs no second showing.
  const isSaid = before === null && after === headline
  return (
    <Card
      id={id}
      headline={headline}
      kind={kind}
      waits={isOpen}
      badge={isOpen ? null : { text: activityText.states[state], tone: tones[state] }}
      start={isOpen && <SelectBox id={id} headline={headline} />}
      end={
        <>
          {state === 'kept' && (
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
            messageId={evidence[0]?.messageId ?? null}
            at={decidedAt ?? at}
            onUndo={setAsked}
          />
        </>
      }
      meta={
        <>
          <span>{activityText.ops[kind][op]}</span>
          <bdi>{place}</bdi>
          <When at={decidedAt ?? at} />
          {isStale && <span className="badge text-warn">{activityText.stale}</span>}
        </>
      }
      detail={
        <>
          {edit === undefined && !isSaid && <Diff kind={kind} place={place} before={before} after={after} />}
          <EvidenceList evidence={evidence} sessionId={sessionId} />
          <Reasons because={isOpen ? because : ''} why={activityText.triggers[trigger]} cost={cost} />
        </>
      }
    >
      {isOpen && <Changed proposal={proposal} />}
      {isOpen && edit === undefined && changed === null && <Buttons proposal={proposal} />}
      {isOpen && edit && <ProposalEditor id={id} isFile={kind === 'skill'} edit={edit} />}
      {asked && <UndoMany what={asked} onClose={close} />}
    </Card>
  )
}

function SelectBox({ id, headline }: { id: string; headline: string }) {
  const isSelected = useActivity(activity => activity.selected.has(id))
  const select = useActivity(activity => activity.select)
  return (
    <input
      type="checkbox"
      className="check mt-1.25"
      aria-label={activityText.select(headline)}
      checked={isSelected}
      onChange={event => select([id], event.target.checked)}
    />
  )
}

/** The text that it was made for is another one by now. */
function Changed({ proposal }: { proposal: Proposal }) {
  const { id, kind, place, before, changed, headline } = proposal
  const { compareAgain, drop } = useActions()
  if (changed === null) return null
  const isGone = changed === ''
  return (
    <div className="mt-2.5 grid gap-2 rounded-lg border border-warn-line bg-warn-soft p-3">
      <p className="flex items-start gap-2 text-sm">
        <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" />
        {isGone ? activityText.gone : activityText.changed}
      </p>
      {!isGone && (
        <>
          <h4 className="detail-title">{activityText.changedDiff}</h4>
          <Diff kind={kind} place={place} before={before} after={changed} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {!isGone && (
          <CardButton
            look="primary"
            label={activityText.compareAgain}
            headline={headline}
            onClick={() => void compareAgain(id)}
          />
        )}
        <CardButton keyName="r" label={activityText.drop} headline={headline} onClick={() => void drop(id)} />
        <NotAgain proposal={proposal} />
      </div>
    </div>
  )
}

function Buttons({ proposal }: { proposal: Proposal }) {
  const { id, headline } = proposal
  const startEdit = useActivity(activity => activity.startEdit)
  const { keep, reject } = useActions()
  const text = activityText
  return (
    <div className="card-buttons">
      <CardButton
        look="primary"
        keyName="k"
        label={text.keep}
        headline={headline}
        onClick={() => void keep([proposal])}
      />
      {isEditable(proposal) && (
        <CardButton keyName="e" label={text.edit} headline={headline} onClick={() => startEdit(proposal)} />
      )}
      <CardButton keyName="r" label={text.reject} headline={headline} onClick={() => void reject([id])} />
      <NotAgain proposal={proposal} />
    </div>
  )
}

function NotAgain({ proposal: { id, headline } }: { proposal: Proposal }) {
  const { reject } = useActions()
  return (
    <CardButton
      look="quiet"
      label={activityText.notAgain}
      headline={headline}
      onClick={() => void reject([id], true)}
    />
  )
}
