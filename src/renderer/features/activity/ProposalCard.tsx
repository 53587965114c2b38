import { TriangleAlert } from 'lucide-react'
import { useState, useId, type ReactNode, type KeyboardEvent } from 'react'
import { nameAgent } from '../../../shared/words/agent-names.ts'
import type { Proposal } from '../../../shared/contract/learned/learning.ts'
import { When } from '../../ui/text/InlineText.tsx'
import { Diff, EvidenceList, Reasons, triggerReasons } from './ActivityCardDetail.tsx'
import { isEditable, type UndoSelection, type Edit } from './activity-state.ts'
import { useActivity, useActivityActions } from './use-activity.ts'
import { ActivityCard, ActivityCardButton, ActivityCardEnd, cardStates } from './ActivityCard.tsx'
import { keepCardFocus, focusCard } from './card-focus.ts'
import { UndoMany } from './UndoMany.tsx'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { isKey, keyText } from '../../ui/keyboard/keys.ts'
import { cx } from '../../ui/style.ts'
import { Problem } from '../../ui/Banner.tsx'

const changeNames = {
  memory: {
    add: 'Add to memory',
    edit: 'Change in memory',
    remove: 'Remove from memory',
    create: 'Add to memory',
    delete: 'Remove from memory',
  },
  skill: {
    add: 'New file in a skill',
    edit: 'Change a skill',
    remove: 'Remove a file from a skill',
    create: 'New skill',
    delete: 'Delete a skill',
  },
}

const tones = { open: 'plain', kept: 'good', rejected: 'plain', undone: 'muted', dropped: 'plain' } as const

/**
 * Whether a proposal has no chat here. Its card then always names its source; other cards say why they ask
 * only while they wait.
 */
const isFromElsewhere = (trigger: Proposal['trigger']): boolean => trigger === 'events' || trigger === 'text'

/** A proposal of a review: the change it would make, and the buttons to decide. */
export function ProposalCard({ proposal }: { proposal: Proposal }): ReactNode {
  const { id, kind, op, state, place, headline, before, after, trigger, because, cost } = proposal
  const { reviewId, sessionId, evidence, isStale, changed, at, decidedAt, from } = proposal
  const edit = useActivity(activity => activity.edits[id])
  const [asked, setAsked] = useState<UndoSelection | null>(null)
  const close = () => {
    setAsked(null)
    keepCardFocus(id)
  }
  const isOpen = state === 'open'
  // The headline already shows the text of a new entry.
  const isSaid = before === null && after === headline
  return (
    <ActivityCard
      id={id}
      headline={headline}
      kind={kind}
      note={isOpen || isFromElsewhere(trigger) ? because : ''}
      waits={isOpen}
      badge={isOpen ? null : { text: cardStates[state], tone: tones[state] }}
      start={isOpen && <SelectBox id={id} headline={headline} />}
      end={
        <ActivityCardEnd
          id={id}
          isUndoable={state === 'kept'}
          headline={headline}
          reviewId={reviewId || null}
          sessionId={sessionId}
          messageId={evidence[0]?.messageId ?? null}
          at={decidedAt ?? at}
          onUndo={setAsked}
        />
      }
      meta={
        <>
          <span>{changeNames[kind][op]}</span>
          <bdi>{showHidden(place)}</bdi>
          {from && <span>{`from ${showHidden(nameAgent(from.agent))}`}</span>}
          <When at={decidedAt ?? at} />
          {isStale && <span className="badge text-warn">Waiting for more than 30 days</span>}
        </>
      }
      detail={
        <>
          {edit === undefined && !isSaid && <Diff kind={kind} place={place} before={before} after={after} />}
          <EvidenceList evidence={evidence} sessionId={sessionId} />
          <Reasons why={triggerReasons[trigger]} cost={cost} from={from} />
        </>
      }
    >
      {isOpen && <Changed proposal={proposal} />}
      {isOpen && edit === undefined && changed === null && <Buttons proposal={proposal} />}
      {isOpen && edit && <ProposalEditor id={id} isFile={kind === 'skill'} edit={edit} />}
      {asked && <UndoMany what={asked} onClose={close} />}
    </ActivityCard>
  )
}

function SelectBox({ id, headline }: { id: string; headline: string }) {
  const isSelected = useActivity(activity => activity.selected.has(id))
  const select = useActivity(activity => activity.select)
  return (
    <input
      type="checkbox"
      className="check mt-1.25"
      aria-label={`Select “${headline}”`}
      checked={isSelected}
      onChange={event => select([id], event.target.checked)}
    />
  )
}

/** The notice for a proposal whose target text has changed since. */
function Changed({ proposal }: { proposal: Proposal }) {
  const { id, kind, place, before, changed, headline } = proposal
  const { compareAgain, drop } = useActivityActions()
  if (changed === null) return null
  const isGone = changed === ''
  return (
    <div className="mt-2.5 grid gap-2 rounded-lg border border-warn-line bg-warn-soft p-3">
      <p className="flex items-start gap-2 text-sm">
        <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" />
        {isGone
          ? 'The text that this would change no longer exists.'
          : 'The text that this would change has been edited since.'}
      </p>
      {!isGone && (
        <>
          <h4 className="detail-title">What has changed since</h4>
          <Diff kind={kind} place={place} before={before} after={changed} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {!isGone && (
          <ActivityCardButton
            look="primary"
            label="Compare again"
            headline={headline}
            onClick={() => void compareAgain(id)}
          />
        )}
        <ActivityCardButton keyName="r" label="Drop" headline={headline} onClick={() => void drop(id)} />
        <NotAgain proposal={proposal} />
      </div>
    </div>
  )
}

function Buttons({ proposal }: { proposal: Proposal }) {
  const { id, headline } = proposal
  const startEdit = useActivity(activity => activity.startEdit)
  const { keep, reject } = useActivityActions()
  return (
    <div className="card-buttons">
      <ActivityCardButton
        look="primary"
        keyName="k"
        label="Keep"
        headline={headline}
        onClick={() => void keep([proposal])}
      />
      {isEditable(proposal) && (
        <ActivityCardButton
          keyName="e"
          label="Edit and keep"
          headline={headline}
          onClick={() => startEdit(proposal)}
        />
      )}
      <ActivityCardButton keyName="r" label="Reject" headline={headline} onClick={() => void reject([id])} />
      <NotAgain proposal={proposal} />
    </div>
  )
}

function NotAgain({ proposal: { id, headline } }: { proposal: Proposal }) {
  const { reject } = useActivityActions()
  return (
    <ActivityCardButton
      look="quiet"
      label="Not this kind again"
      headline={headline}
      onClick={() => void reject([id], true)}
    />
  )
}

type Props = { id: string; isFile: boolean; edit: Edit }

/** Edits a proposal before it is accepted. Rejected text stays, with the reason. */
function ProposalEditor({ id, isFile, edit }: Props): ReactNode {
  const changeEdit = useActivity(activity => activity.changeEdit)
  const cancelEdit = useActivity(activity => activity.endEdit)
  const { saveEdit } = useActivityActions()
  const about = useId()
  // Enter starts a new line in a file, and saves a memory entry.
  const saveKey = isFile ? 'mod+enter' : 'enter'
  const cancel = () => {
    cancelEdit(id)
    requestAnimationFrame(() => focusCard(id))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = isKey(event, saveKey) ? () => void saveEdit(id) : isKey(event, 'escape') ? cancel : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div className="mt-2.5 grid gap-2">
      <textarea
        // The user has just chosen to edit it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        dir="auto"
        rows={1}
        maxLength={100_000}
        spellCheck={!isFile}
        value={edit.text}
        aria-label="Text to keep"
        aria-invalid={edit.problem !== null}
        aria-describedby={about}
        className={cx('field entry-field', isFile && 'entry-field-long font-mono text-xs')}
        onFocus={event => event.target.setSelectionRange(edit.text.length, edit.text.length)}
        onChange={event => changeEdit(id, { text: event.target.value, problem: null })}
        onKeyDown={onKeyDown}
      />
      <Problem className="text-xs whitespace-pre-wrap" text={edit.problem} />
      <div className="flex flex-wrap items-center gap-2">
        <button
          type="button"
          className="btn btn-primary"
          disabled={edit.saving || edit.text.trim() === ''}
          onClick={() => void saveEdit(id)}
        >
          Keep this text
        </button>
        <button type="button" className="btn btn-secondary" onClick={cancel}>
          Cancel
        </button>
        <span id={about} className="text-xs text-ink-3">
          {`${keyText(saveKey)} keeps it, ${keyText('escape')} cancels.`}
        </span>
      </div>
    </div>
  )
}
