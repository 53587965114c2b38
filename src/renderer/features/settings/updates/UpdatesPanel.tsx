import type { ReactNode } from 'react'
import type { UpdateState } from '../../../../shared/contract/app.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useAnswers, useLink } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { formatBytes, formatShare } from '../../../ui/text/format-values.ts'
import { When } from '../../../ui/text/InlineText.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { Part } from '../SectionParts.tsx'
import { placeElements } from '../../../ui/text/place-elements.tsx'

type Props = {
  /** The settings of updates, shown where this copy can update itself. */
  children: ReactNode
}

/** The running version, and the steps to a newer one: check, download, install, each only on request. */
export function UpdatesPanel({ children }: Props): ReactNode {
  const { renew } = useAnswers()
  const answer = useAnswer('updates.read', {})
  if (!answer) return null
  if (!answer.ok)
    return (
      <div role="alert" className="grid justify-items-start gap-2 text-sm">
        {`The update status could not be read: ${answer.fault.message}`}
        <button type="button" className="btn btn-secondary" onClick={() => void renew(['updates'])}>
          Try again
        </button>
      </div>
    )
  const { version, source, state } = answer.value
  return (
    <>
      <Part
        id="version"
        title={`Version ${version}`}
        {...(source !== null && { hint: `Newer versions come from ${source}.` })}
      >
        <div className="grid justify-items-start gap-3 text-sm">
          <div
            aria-live={state.phase === 'downloading' ? 'off' : 'polite'}
            className="grid w-full gap-1 text-ink-2"
          >
            <p>
              <StateText state={state} />
            </p>
            {state.phase === 'downloading' && (
              <Progress label={`Download of version ${state.version}`} share={state.share} />
            )}
          </div>
          <NextStep state={state} />
        </div>
      </Part>
      {state.phase !== 'unavailable' && children}
    </>
  )
}

/** The state of updates as text. */
function StateText({ state }: { state: UpdateState }): ReactNode {
  switch (state.phase) {
    case 'unavailable':
      return `${state.why} ${state.fix}`
    case 'idle':
      return 'Talaria checks for a newer version only when you ask it to.'
    case 'checking':
      return 'Checking for a newer version…'
    case 'current':
      return placeElements('This is the newest version. Last checked {when}.', {
        when: <When at={state.checkedAt} />,
      })
    case 'available':
      return state.sizeBytes === null
        ? `Version ${state.version} is available.`
        : `Version ${state.version} is available (${formatBytes(state.sizeBytes)}).`
    case 'downloading':
      return `Downloading version ${state.version}: ${formatShare(state.share)}`
    case 'ready':
      return `Version ${state.version} is downloaded. Talaria restarts to install it.`
    case 'failed':
      return (
        <>
          <span className="text-danger">{state.text}</span> {state.fix}
        </>
      )
  }
}

/** The button for the next step; nothing while a step is in progress. */
function NextStep({ state }: { state: UpdateState }): ReactNode {
  const { client } = useLink()
  const check = () => client['updates.check']({})
  if (state.phase === 'unavailable' || state.phase === 'checking' || state.phase === 'downloading')
    return null
  const version = 'version' in state ? state.version : ''
  const steps = {
    idle: ['Check for updates', check],
    current: ['Check again', check],
    failed: ['Try again', check],
    available: ['Download', () => client['updates.download']({ version })],
    ready: ['Install and restart', () => client['updates.install']({ version })],
  } as const
  const [label, ask] = steps[state.phase]
  const act = async () => {
    const answer = await attemptCall<unknown>(ask())
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  return (
    <button
      type="button"
      className={state.phase === 'ready' ? 'btn btn-primary' : 'btn btn-secondary'}
      onClick={() => void act()}
    >
      {label}
    </button>
  )
}
