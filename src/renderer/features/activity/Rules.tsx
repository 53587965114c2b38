import { useState, type ReactNode, type SubmitEvent } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useActivity } from './activity-context.ts'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'
import { useAsked } from '../../rpc/use-asked.ts'

const text = activityText.controls

/** What is not to be learned, how often that was of use, and a field for more. */
export function Rules(): ReactNode {
  const rules = useActivity(activity => activity.rules)
  const loads = useActivity(activity => activity.loads)
  const answer = useAsked(rules, `${loads}`)
  const { removeRule } = useActions()
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">{text.rules}</h2>
      <p className="text-xs text-ink-3">{text.rulesHint}</p>
      {answer && !answer.ok && (
        <p role="alert" className="text-sm text-danger">
          {text.rulesFailed(answer.fault.message)}
        </p>
      )}
      {answer?.ok && answer.value.length === 0 && <p className="text-sm text-ink-3">{text.noRules}</p>}
      {answer?.ok && answer.value.length > 0 && (
        <ul aria-label={text.rules}>
          {answer.value.map(rule => (
            <li
              key={rule.id}
              className="flex items-start gap-2 border-t border-line py-1.5 first:border-transparent"
            >
              <div className="min-w-0 flex-1">
                <p dir="auto" className="text-sm break-words">
                  {rule.text}
                </p>
                <p className="text-xs text-ink-3">{text.hits(rule.hits)}</p>
              </div>
              <IconButton small label={text.removeRule(rule.text)} onClick={() => void removeRule(rule.id)}>
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
          aria-label={text.addRule}
          aria-invalid={problem !== null}
          placeholder={text.rulePlaceholder}
          maxLength={500}
          value={written}
          onChange={event => setWritten(event.target.value)}
        />
        <button type="submit" className="btn btn-secondary" disabled={written.trim() === ''}>
          {text.add}
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
