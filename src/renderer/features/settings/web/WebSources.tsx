import { useState, type ReactNode } from 'react'
import type { WebSource } from '../../../../shared/contract/connections/web.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { KeyDialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/style.ts'
import { useSettingActions } from '../use-settings.ts'

/** The sources of web searches, in the order in which Talaria asks them, each with a test. */
export function WebSources(): ReactNode {
  const { change } = useSettingActions()
  const answer = useAnswer('web.sources', {})
  if (!answer) return null
  if (!answer.ok) return <Problem text={answer.fault.message} />
  const { sources } = answer.value
  const switchSource = (name: string, on: boolean) => {
    const off = sources.filter(each => (each.name === name ? !on : !each.on)).map(each => each.name)
    return change('web.sources_off', off)
  }
  return (
    <ul aria-label="Sources of searches" className="setting-list">
      {sources.map(source => (
        <li key={source.name} className="border-t border-line first:border-t-0">
          <SourceRow source={source} onSwitch={on => void switchSource(source.name, on)} />
        </li>
      ))}
    </ul>
  )
}

type Tested = 'running' | { ok: boolean; text: string } | undefined

function SourceRow({
  source: { name, title, says, on, key, needs, nearby },
  onSwitch,
}: {
  source: WebSource
  onSwitch: (on: boolean) => void
}) {
  const { client } = useLink()
  const { setKey } = useSettingActions()
  const [isEntering, setEntering] = useState(false)
  const isAddress = key?.endsWith('_URL') === true
  const [tested, setTested] = useState<Tested>()
  const test = async () => {
    setTested('running')
    const answer = await attemptCall(client['web.test']({ source: name }))
    setTested(answer.ok ? answer.value : { ok: false, text: answer.fault.message })
  }
  const state = !on ? 'Off' : needs === undefined ? 'Ready' : key === undefined ? 'Not ready' : 'No key'
  return (
    <div data-setting={`web ${name}`} className="setting">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          {title}
          <span className="badge">{state}</span>
          {nearby && <span className="badge">On this computer</span>}
        </p>
        <p className="text-xs break-words text-ink-2">{says}</p>
        {needs !== undefined && <p className="text-xs break-words text-ink-3">{needs}</p>}
        {tested !== undefined && (
          <output className={cx('block text-xs break-words', isBad(tested) ? 'text-danger' : 'text-ink-2')}>
            {tested === 'running' ? (
              <span className="flex items-center gap-1.5">
                <Spinner size={12} /> Asking…
              </span>
            ) : (
              showHidden(tested.text)
            )}
          </output>
        )}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-2 rail:flex-row rail:items-center">
        <button
          type="button"
          className="btn btn-secondary"
          disabled={tested === 'running'}
          onClick={() => (needs === undefined || key === undefined ? void test() : setEntering(true))}
        >
          {needs === undefined || key === undefined
            ? 'Test'
            : isAddress
              ? 'Enter the address…'
              : 'Enter the key…'}
          <span className="sr-only"> {title}</span>
        </button>
        <button
          type="button"
          role="switch"
          aria-checked={on}
          aria-label={`Use ${title}`}
          className="switch"
          onClick={() => onSwitch(!on)}
        />
      </div>
      {isEntering && key !== undefined && (
        <KeyDialog
          title={isAddress ? 'Enter a value' : 'Enter a key'}
          name={key}
          hint={isAddress ? says : `${says} It is never shown again.`}
          isSecret={!isAddress}
          save={value => setKey(key, value)}
          onClose={() => setEntering(false)}
        />
      )}
    </div>
  )
}

const isBad = (tested: Tested) => typeof tested === 'object' && !tested.ok
