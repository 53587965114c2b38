import { RefreshCw } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { LearningMode, LearningSettings } from '../../../shared/contract/learning.ts'
import { useRoute } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useActivity } from './activity-context.ts'
import { NumberField } from './NumberField.tsx'
import { Rules } from './Rules.tsx'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'

const text = activityText.controls

/** Whether and when chats are looked back at, and what is not to be learned. Every change counts at once. */
export function ControlsTab(): ReactNode {
  const settings = useActivity(activity => activity.view?.settings)
  const { setSettings } = useActions()
  if (!settings) return null
  const change = (change: Partial<LearningSettings>) => void setSettings(change)
  const { onlyOnMains, trajectories } = settings
  return (
    <div className="grid gap-7">
      <Mode mode={settings.mode} onChange={mode => change({ mode })} />
      <section className="grid gap-4">
        <h2 className="text-sm font-semibold">{text.when}</h2>
        <div className="grid items-start gap-4 rail:grid-cols-2">
          <NumberField
            label={text.memoryNudge}
            hint={text.memoryNudgeHint}
            value={settings.memoryNudge}
            range={[0, 1_000]}
            onChange={memoryNudge => change({ memoryNudge })}
          />
          <NumberField
            label={text.skillNudge}
            hint={text.skillNudgeHint}
            value={settings.skillNudge}
            range={[0, 1_000]}
            onChange={skillNudge => change({ skillNudge })}
          />
          <NumberField
            label={text.idle}
            hint={text.idleHint}
            value={settings.idleSeconds}
            range={[0, 3_600]}
            onChange={idleSeconds => change({ idleSeconds })}
          />
          <NumberField
            label={text.budget}
            hint={text.budgetHint}
            value={settings.budgetTokens}
            range={[500, 1_000_000]}
            onChange={budgetTokens => change({ budgetTokens })}
          />
        </div>
        <Switch
          label={text.mains}
          hint={text.mainsHint[onlyOnMains ? 'on' : 'off']}
          on={onlyOnMains}
          onChange={onlyOnMains => change({ onlyOnMains })}
        />
        <Switch
          label={text.trajectories}
          hint={text.trajectoriesHint[trajectories ? 'on' : 'off']}
          on={trajectories}
          onChange={trajectories => change({ trajectories })}
        />
      </section>
      <ReviewNow />
      <Rules />
    </div>
  )
}

const modes = Object.keys(text.modes) as LearningMode[]

function Mode({ mode, onChange }: { mode: LearningMode; onChange: (mode: LearningMode) => void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">{text.mode}</legend>
      <div className="grid gap-2">
        {modes.map(each => (
          <label key={each} className="mode-choice">
            <input
              type="radio"
              name={name}
              className="check mt-1"
              checked={each === mode}
              aria-describedby={`${name}-${each}`}
              aria-label={text.modes[each]}
              onChange={() => onChange(each)}
            />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{text.modes[each]}</span>
              <span id={`${name}-${each}`} className="block text-xs text-ink-2">
                {text.modeHints[each]}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function ReviewNow() {
  const chatId = useRoute(route => route.chatId)
  const title = useHost(host => host.sessions[chatId ?? '']?.title)
  const held = useActivity(activity => activity.view?.held)
  const { review } = useActions()
  const words = activityText.reviews
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">{text.now}</h2>
      {held && <p className="text-xs text-ink-2">{held}</p>}
      <div className="flex flex-wrap gap-2">
        {chatId !== null && (
          <button
            type="button"
            className="btn btn-secondary"
            title={title ? words.thisChatHint(title) : undefined}
            onClick={() => void review(chatId)}
          >
            <RefreshCw size={15} />
            {words.thisChat}
          </button>
        )}
        <button
          type="button"
          className="btn btn-secondary"
          title={words.nowHint}
          onClick={() => void review()}
        >
          <RefreshCw size={15} />
          {words.now}
        </button>
      </div>
    </section>
  )
}
