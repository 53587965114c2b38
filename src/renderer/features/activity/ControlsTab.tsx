import { RefreshCw } from 'lucide-react'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import type { LearningMode, LearningSettings } from '../../../shared/contract/learned/learning.ts'
import { useRoute } from '../../route.ts'
import { Radios, Switch } from '../../ui/fields/Choice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { useActivityActions, useReviewLabel, useView } from './use-activity.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { formatCount } from '../../ui/text/format-values.ts'
import { Problem } from '../../ui/Banner.tsx'
import { byCount } from '../../../shared/text/amounts.ts'

const mainsHints = { on: 'On battery, reviews wait.', off: 'Reviews also run on battery.' }
const trajectoryHints = {
  on: 'Finished turns are written to files in the home folder, with secrets left out. The files stay on this computer. Check them before you share them.',
  off: 'Nothing is written. If you switch it on, finished turns go to files on this computer, with secrets left out.',
}
const modes: readonly { value: LearningMode; label: string; hint: string }[] = [
  {
    value: 'ask',
    label: 'Ask me first',
    hint: 'What a review finds waits here as a card until you keep or reject it.',
  },
  {
    value: 'save',
    label: 'Save and tell me',
    hint: 'What a review finds is saved at once and shown here, where you can undo it. Talaria still asks before it changes your own words.',
  },
  {
    value: 'off',
    label: 'Off',
    hint: 'No review starts unless you ask. The agent can still save what you tell it to remember.',
  },
]

/** Whether and when chats are reviewed, and what not to learn. Changes apply at once. */
export function ControlsTab(): ReactNode {
  const settings = useView()?.settings
  const { setSettings } = useActivityActions()
  if (!settings) return null
  const change = (change: Partial<LearningSettings>) => void setSettings(change)
  const { onlyOnMains, trajectories } = settings
  return (
    <div className="grid gap-7">
      <Radios
        label="How should it learn?"
        options={modes}
        value={settings.mode}
        onChange={mode => change({ mode })}
      />
      <section className="grid gap-4">
        <h2 className="text-sm font-semibold">When chats are reviewed</h2>
        <div className="grid items-start gap-4 rail:grid-cols-2">
          <NumberField
            label="Turns without a note"
            hint="Look for something to remember after this many messages. 0 turns it off."
            value={settings.memoryNudge}
            range={[0, 1_000]}
            whole
            onChange={memoryNudge => change({ memoryNudge })}
          />
          <NumberField
            label="Steps without a skill"
            hint="Look for a reusable procedure after this many steps. 0 turns it off."
            value={settings.skillNudge}
            range={[0, 1_000]}
            whole
            onChange={skillNudge => change({ skillNudge })}
          />
          <NumberField
            label="Seconds of quiet"
            hint="How long Talaria must be idle before a review starts."
            value={settings.idleSeconds}
            range={[0, 3_600]}
            whole
            onChange={idleSeconds => change({ idleSeconds })}
          />
          <NumberField
            label="Tokens for one review"
            hint="How many new tokens one review may read and write."
            value={settings.budgetTokens}
            range={[500, 1_000_000]}
            whole
            onChange={budgetTokens => change({ budgetTokens })}
          />
        </div>
        <Switch
          label="Only on mains power"
          hint={mainsHints[onlyOnMains ? 'on' : 'off']}
          on={onlyOnMains}
          onChange={onlyOnMains => change({ onlyOnMains })}
        />
        <Switch
          label="Keep chats as training data"
          hint={trajectoryHints[trajectories ? 'on' : 'off']}
          on={trajectories}
          onChange={trajectories => change({ trajectories })}
        />
      </section>
      <ReviewNow />
      <Rules />
    </div>
  )
}

function ReviewNow() {
  const chatId = useRoute(route => route.chatId)
  const label = useReviewLabel(chatId)
  const held = useView()?.held
  const { review } = useActivityActions()
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">Review now</h2>
      {held && <p className="text-xs text-ink-2">{held}</p>}
      <div className="flex flex-wrap gap-2">
        {chatId !== null && (
          <button
            type="button"
            className="btn btn-secondary max-w-full"
            title={`The last chat you opened. ${label}`}
            onClick={() => void review(chatId)}
          >
            <RefreshCw size={16} className="shrink-0" />
            <span className="truncate">{label}</span>
          </button>
        )}
        <button
          type="button"
          className="btn btn-secondary"
          title="Waiting reviews start when no answer is running."
          onClick={() => void review()}
        >
          <RefreshCw size={16} />
          Review now
        </button>
      </div>
    </section>
  )
}

/** Rules about what not to learn, with their hit counts and an add field. */
function Rules(): ReactNode {
  const answer = useAnswer('learning.rules', {})
  const { removeRule } = useActivityActions()
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">What not to learn</h2>
      <p className="text-xs text-ink-3">
        Reviews follow these rules. “Not this kind again” on a card adds one.
      </p>
      {answer && !answer.ok && <Problem text={`The rules could not be read: ${answer.fault.message}`} />}
      {answer?.ok && answer.value.rules.length === 0 && (
        <p className="text-sm text-ink-3">There are no rules yet.</p>
      )}
      {answer?.ok && answer.value.rules.length > 0 && (
        <ul aria-label="What not to learn">
          {answer.value.rules.map(rule => (
            <li
              key={rule.id}
              className="flex items-start gap-2 border-t border-line py-1.5 first:border-transparent"
            >
              <div className="min-w-0 flex-1">
                <p dir="auto" className="text-sm break-words">
                  {showHidden(rule.text)}
                </p>
                <p className="text-xs text-ink-3">
                  {rule.hits === 0
                    ? 'has blocked nothing yet'
                    : byCount(
                        rule.hits,
                        'has blocked one thing',
                        `has blocked ${formatCount(rule.hits)} things`,
                      )}
                </p>
              </div>
              <IconButton
                small
                label={`Remove the rule: ${rule.text}`}
                onClick={() => void removeRule(rule.id)}
              >
                <Icon name="close" size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <AddRule />
    </section>
  )
}

function AddRule() {
  const { addRule } = useActivityActions()
  const [written, setWritten] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    if (written.trim() === '') return
    const answer = await addRule(written.trim())
    setProblem(answer.ok ? null : answer.fault.message)
    if (answer.ok) setWritten('')
  }
  return (
    <form className="grid gap-1" onSubmit={event => void add(event)}>
      <div className="flex gap-2">
        <input
          type="text"
          dir="auto"
          className="field"
          aria-label="Add a rule"
          aria-invalid={problem !== null}
          placeholder="Nothing about my health"
          maxLength={500}
          value={written}
          onChange={event => setWritten(event.target.value)}
        />
        <button type="submit" className="btn btn-secondary" disabled={written.trim() === ''}>
          Add
        </button>
      </div>
      <Problem className="text-xs" text={problem} />
    </form>
  )
}
