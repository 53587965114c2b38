import { PlugZap, Power, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { GatewayPlatform } from '../../../shared/contract/connections/gateway.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useHostCall } from '../../use-host-call.ts'
import { Banner, Problem } from '../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { formatWhen } from '../../ui/text/format-values.ts'
import { MoreMenu } from '../../ui/Menu.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { placeElements } from '../../ui/text/place-elements.tsx'

const STATES: Record<GatewayPlatform['state'], { label: string; look: string }> = {
  off: { label: 'Off', look: '' },
  no_key: { label: 'Not connected', look: '' },
  connecting: { label: 'Connecting', look: 'text-accent' },
  connected: { label: 'Connected', look: 'text-good' },
  waiting: { label: 'No connection', look: 'text-warn' },
  locked: { label: 'Stopped by the offline lock', look: 'text-warn' },
  failed: { label: 'Stopped', look: 'text-danger' },
}

type Props = { platform: GatewayPlatform; isPaired: boolean; onPair: () => void }

/** One messenger: the three steps to connect it, then the state of its connection. */
export function PlatformCard({ platform, isPaired, onPair }: Props): ReactNode {
  const { name, title, state, text, fix, me, waitingOut, lastReceivedAt } = platform
  const act = useHostCall()
  const [isForgetting, setForgetting] = useState(false)
  const { label, look } = STATES[state]
  const isOff = state === 'off'
  const isNew = state === 'no_key'
  const facts = [
    ...(me ? [`as ${showHidden(me.name)}`] : []),
    ...(lastReceivedAt === null ? [] : [`last message ${formatWhen(lastReceivedAt)}`]),
    ...(waitingOut === 0 ? [] : [`${waitingOut} to send`]),
  ]
  return (
    <li aria-label={title} className="model-card">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
            {title}
            <span className={cx('badge gap-1', look)}>
              {state === 'connecting' && <Spinner size={12} />}
              {label}
            </span>
          </p>
          {facts.length > 0 && <p className="text-xs break-words text-ink-3">{facts.join(' · ')}</p>}
        </div>
        {!isNew && (
          <div className="flex items-center gap-1.5">
            {isOff ? (
              <button
                type="button"
                className="btn btn-secondary"
                onClick={() => void act(client => client['gateway.connect']({ platform: name }))}
              >
                <Power size={14} aria-hidden="true" />
                Turn on
              </button>
            ) : (
              <button
                type="button"
                aria-haspopup="dialog"
                className={cx('btn', isPaired ? 'btn-secondary' : 'btn-primary')}
                disabled={state !== 'connected'}
                onClick={onPair}
              >
                {isPaired ? 'Pair another…' : 'Pair your phone…'}
              </button>
            )}
            <MoreMenu
              of={title}
              entries={[
                {
                  id: 'off',
                  label: 'Turn off',
                  hint: 'New messages wait there until you turn it on again.',
                  icon: <Power size={16} />,
                  disabled: isOff,
                  onSelect: () => void act(client => client['gateway.disconnect']({ platform: name })),
                },
                {
                  id: 'forget',
                  label: 'Disconnect and forget…',
                  hint: 'This deletes its key and contacts. Chats stay.',
                  icon: <Trash2 size={16} />,
                  danger: true,
                  onSelect: () => setForgetting(true),
                },
              ]}
            />
          </div>
        )}
      </div>
      {text !== '' && (
        <div className="notice-stack mt-2">
          <Banner level={state === 'failed' ? 'error' : 'warning'}>
            {showHidden(`${text} ${fix}`.trim())}
          </Banner>
        </div>
      )}
      {(isNew || state === 'failed') && <ConnectSteps platform={platform} />}
      {isForgetting && <ForgetDialog platform={platform} onClose={() => setForgetting(false)} />}
    </li>
  )
}

/** The steps to connect, with the field for the key. Step three is pairing. */
function ConnectSteps({ platform: { name, title } }: { platform: GatewayPlatform }) {
  const { client } = useLink()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  async function connect() {
    setBusy(true)
    const answer = await attemptCall(client['gateway.connect']({ platform: name, key: key.trim() }))
    setBusy(false)
    setProblem(answer.ok ? '' : answer.fault.message)
    if (answer.ok) setKey('')
  }
  return (
    <form
      className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-3.5 border-t border-line pt-4"
      onSubmit={event => {
        event.preventDefault()
        void connect()
      }}
    >
      <ol className="grid list-decimal gap-2 ps-5 text-sm text-ink-2">
        <li>
          {placeElements('In Telegram, write {command} to {bot} and choose a name. It answers with a key.', {
            command: <code>/newbot</code>,
            bot: <strong>@BotFather</strong>,
          })}
        </li>
        <li>Paste the key here and connect.</li>
        <li>Pair your phone: scan a code that this computer shows.</li>
      </ol>
      <TextField
        label={`Key of your ${title} bot`}
        type="password"
        placeholder="123456789:AA…"
        dir="ltr"
        maxLength={400}
        value={key}
        onChange={event => setKey(event.target.value)}
      />
      <Problem text={showHidden(problem)} />
      <p className="text-xs text-ink-2">
        Telegram’s servers can read your messages and the answers. Anyone who has the key can write as your
        bot.
      </p>
      <button
        type="submit"
        className="btn btn-primary justify-self-end"
        disabled={isBusy || key.trim() === ''}
      >
        <PlugZap size={14} aria-hidden="true" />
        {isBusy ? 'Connecting…' : 'Connect'}
      </button>
    </form>
  )
}

/** Asks before the key and the contacts are deleted. */
function ForgetDialog({ platform, onClose }: { platform: GatewayPlatform; onClose: () => void }) {
  const act = useHostCall()
  const { name, title } = platform
  return (
    <Dialog title={`Forget ${title}?`} closeLabel="Close" onClose={onClose}>
      <p className="text-sm text-ink-2">{`This deletes its key, its paired contacts and its unsent messages from this computer. The chats stay. The bot itself stays on ${title} until you delete it there.`}</p>
      <div className="mt-4">
        <DialogButtons
          label="Forget it"
          isDangerous
          onCancel={onClose}
          onClick={() => {
            void act(client => client['gateway.disconnect']({ platform: name, forget: true })).then(onClose)
          }}
        />
      </div>
    </Dialog>
  )
}
