import type { ReactNode } from 'react'
import type { Skill, SkillRevision, SkillUse } from '../../../../shared/contract/learned/skills.ts'
import { goTo } from '../../../route.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { When } from '../../../ui/text/InlineText.tsx'
import { ChatLink, actorNames, revisionLabels } from '../skill-labels.tsx'
import { Problem } from '../../../ui/Banner.tsx'

const LOADED_BY = { you: 'added by you', agent: 'loaded by the agent' } as const

const OUTCOMES = {
  well: 'went well',
  corrected: 'you corrected it',
  failed: 'failed',
  stopped: 'was stopped',
  lasts: 'in progress',
} as const

/** Maximum number of uses shown, newest first. */
const MOST_USES = 200
/** Number of changes searched for those of the agent. */
const MOST_CHANGES = 200

/** Usage of a skill: totals, each turn, and the agent's changes. */
export function UsageTab({ skill }: { skill: Skill }): ReactNode {
  const answer = useAnswer('skills.uses', { key: skill.key, limit: MOST_USES })
  return (
    <div className="skill-tab gap-6">
      <section>
        <h3 className="skill-heading">In numbers</h3>
        <Counts skill={skill} />
      </section>
      <section>
        <h3 className="skill-heading">Turns that loaded it</h3>
        {answer && !answer.ok && <Problem text={`The usage could not be read: ${answer.fault.message}`} />}
        {answer?.ok && answer.value.uses.length === 0 && (
          <p className="text-sm text-ink-3">No chat has used it yet.</p>
        )}
        <ul aria-label="Turns that loaded it" className="grid">
          {answer?.ok &&
            answer.value.uses.map((use, index) => (
              // A skill can be loaded twice in one turn.
              // oxlint-disable-next-line react/no-array-index-key
              <Use key={index} use={use} />
            ))}
        </ul>
      </section>
      <section>
        <h3 className="skill-heading">What the agent changed</h3>
        <AgentChanges skill={skill} />
      </section>
    </div>
  )
}

function Counts({ skill: { uses } }: { skill: Skill }) {
  const counts: readonly (readonly [string, ReactNode])[] = [
    ['Loaded', formatCount(uses.loads)],
    ['Went well', formatCount(uses.well)],
    ['Corrected by you', formatCount(uses.corrected)],
    ['Failed', formatCount(uses.failed)],
    ['Last used', uses.lastAt === null ? 'never' : <When key="last" at={uses.lastAt} />],
  ]
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {counts.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-xs text-ink-3">{name}</dt>
          <dd className="text-base font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const looks = { well: 'text-good', corrected: 'text-warn', failed: 'text-danger', stopped: 'text-ink-3' }

function Use({ use }: { use: SkillUse }) {
  const { sessionId, title, messageId, at, by, outcome } = use
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t border-line py-2 first:border-transparent">
      {title === '' ? (
        <span className="min-w-0 flex-1 text-sm text-ink-3">a deleted chat</span>
      ) : (
        <button
          type="button"
          aria-label={`Open “${title}” at this message`}
          className="link-btn min-w-0 flex-1 truncate text-sm"
          onClick={() => goTo({ chatId: sessionId, messageId })}
        >
          {title}
        </button>
      )}
      <span className={`text-xs ${outcome === null ? 'text-ink-3' : looks[outcome]}`}>
        {OUTCOMES[outcome ?? 'lasts']}
      </span>
      <span className="text-xs text-ink-3">{LOADED_BY[by]}</span>
      <span className="text-xs text-ink-3">
        <When at={at} />
      </span>
    </li>
  )
}

function AgentChanges({ skill }: { skill: Skill }) {
  const answer = useAnswer('skills.history', { key: skill.key, limit: MOST_CHANGES })
  if (!answer) return null
  if (!answer.ok) {
    return <Problem text={`The history could not be read: ${answer.fault.message}`} />
  }
  const changes = answer.value.revisions.filter(({ actor }) => actor === 'agent' || actor === 'review')
  if (changes.length === 0) return <p className="text-sm text-ink-3">The agent has not changed it.</p>
  return (
    <ul aria-label="What the agent changed" className="grid gap-3">
      {changes.map(revision => (
        <Change key={revision.id} revision={revision} skillId={skill.id} />
      ))}
    </ul>
  )
}

function Change({ revision, skillId }: { revision: SkillRevision; skillId: string }) {
  const { actor, op, at, note, sessionId, messageId, undoneBy } = revision
  return (
    <li className="grid gap-0.5 border-s-2 border-line ps-3">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        <span className="font-medium text-ink">{revisionLabels[op](actorNames[actor])}</span>
        <When at={at} />
        {sessionId !== null && <ChatLink sessionId={sessionId} messageId={messageId} />}
        {undoneBy !== null && <span className="badge">undone</span>}
      </p>
      <p dir="auto" className="text-sm break-words">
        {note === '' ? <span className="text-ink-3">It gave no reason.</span> : note}
      </p>
      <button
        type="button"
        className="link-btn justify-self-start text-xs"
        onClick={() => goTo({ page: 'skills', skillId, tab: 'history' })}
      >
        Show the change
      </button>
    </li>
  )
}
