import { KeyRound, RefreshCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ApiState } from '../../../../shared/contract/connections/api.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Banner, Problem } from '../../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { countOf } from '../../../ui/text/format-values.ts'
import { copyText, CopyLine } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { useHostCall } from '../../../use-host-call.ts'
import { Part } from '../SectionParts.tsx'

const STATES: Record<ApiState['state'], string> = { off: 'Off', running: 'On', failed: 'Stopped' }

/**
 * The API server for other programs: its address, its key and the requests of today. Its switch is a setting.
 */
export function ApiPanel({ children }: { children: ReactNode }): ReactNode {
  const answer = useAnswer('api.state', {})
  if (answer && !answer.ok) return <Problem text={answer.fault.message} />
  return (
    <>
      {answer && <Standing state={answer.value} />}
      {children}
      {answer && <Today state={answer.value} />}
    </>
  )
}

function Standing({ state: { state, text, address } }: { state: ApiState }) {
  const { client } = useLink()
  const [isRenewing, setRenewing] = useState(false)
  const copyKey = async () => {
    const answer = await attemptCall(client['api.key']({}))
    if (!answer.ok) return showToast(answer.fault.message, { level: 'error' })
    // copyText reports a failure itself.
    if (await copyText(answer.value.key)) showToast('The key is copied.')
  }
  return (
    <Part
      id="api-address"
      title="Address and key"
      hint="Other programs often call these the base URL and the API key. Any program on this computer that has the key can use your models."
    >
      <div className="model-card">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          Other programs
          <span className="badge">{STATES[state]}</span>
        </p>
        {address === '' ? (
          state === 'off' && <p className="text-xs text-ink-2">Switch it on below to get an address.</p>
        ) : (
          <>
            <CopyLine label="Copy address" text={address} />
            <p className="text-xs text-ink-3">
              For programs that use Anthropic’s API, such as Claude Code, leave out /v1.
            </p>
          </>
        )}
        {text !== '' && <Banner level="error">{showHidden(text)}</Banner>}
        <div className="mt-2 flex flex-wrap gap-2">
          <button type="button" className="btn btn-secondary" onClick={() => void copyKey()}>
            <KeyRound size={14} aria-hidden="true" />
            Copy key
          </button>
          <button
            type="button"
            aria-haspopup="dialog"
            className="btn btn-secondary"
            onClick={() => setRenewing(true)}
          >
            <RefreshCw size={14} aria-hidden="true" />
            New key…
          </button>
        </div>
      </div>
      {isRenewing && <RenewDialog onClose={() => setRenewing(false)} />}
    </Part>
  )
}

function RenewDialog({ onClose }: { onClose: () => void }) {
  const act = useHostCall()
  const renew = async () => {
    onClose()
    await act(client => client['api.newKey']({}))
  }
  return (
    <Dialog title="Create a new key?" closeLabel="Close" onClose={onClose}>
      <p className="text-sm">
        The old key stops working at once, and so do answers in progress. Every program needs the new key.
      </p>
      <div className="mt-4">
        <DialogButtons label="Create a new key" onClick={() => void renew()} onCancel={onClose} />
      </div>
    </Dialog>
  )
}

function Today({ state: { today, unused } }: { state: ApiState }) {
  return (
    <Part
      id="api-today"
      title="Requests today"
      hint="Each request counts in Usage, under “Other programs”. Requests wait while a model on this computer answers you."
    >
      {today.length === 0 ? (
        <p className="text-sm text-ink-2">No program has sent a request today.</p>
      ) : (
        <ul aria-label="Requests today" className="setting-list">
          {today.map(({ model, requests, failed }) => (
            <li key={model} className="setting border-t border-line text-sm first:border-t-0">
              <span className="min-w-0 flex-1 break-words">{showHidden(model)}</span>
              <span className="shrink-0 text-xs text-ink-2">
                {countOf(requests, 'request', 'requests')}
                {failed > 0 && ` · ${failed} failed`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {unused.length > 0 && (
        <p className="mt-2 text-xs break-words text-ink-3">{`Fields that programs sent but Talaria ignores: ${showHidden(unused.join(', '))}`}</p>
      )}
    </Part>
  )
}
