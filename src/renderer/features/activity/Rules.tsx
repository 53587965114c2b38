import { useState, type ReactNode, type SubmitEvent } from 'react'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { useActivity, useActivityActions } from './use-activity.ts'
import { useAsked } from '../../rpc/use-asked.ts'
import { plural } from '../../ui/format.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

/** Rules about what not to learn, with their hit counts and an add field. */
export function Rules(): ReactNode {
  const rules = useActivity(activity => activity.rules)
  const loads = useActivity(activity => activity.loads)
  const answer = useAsked(rules, `${loads}`)
  const { removeRule } = useActivityActions()
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">What not to learn</h2>
      <p className="text-xs text-ink-3">
        Reviews follow these rules. “Not this kind again” on a card adds one.
      </p>
      {answer && !answer.ok && (
        <p role="alert" className="text-sm text-danger">
          {`The rules could not be read: ${answer.fault.message}`}
        </p>
      )}
      {answer?.ok && answer.value.length === 0 && (
        <p className="text-sm text-ink-3">There are no rules yet.</p>
      )}
      {answer?.ok && answer.value.length > 0 && (
        <ul aria-label="What not to learn">
          {answer.value.map(rule => (
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
                    : `has blocked ${plural(rule.hits, 'one thing', 'things')}`}
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
  const addRule = useActivity(activity => activity.addRule)
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
      {problem !== null && (
        <p role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
    </form>
  )
}
