import { Globe } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Model } from '../../../shared/contract/models/model.ts'
import { whyNoWeb } from '../../../shared/words/web-words.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Segmented, Switch } from '../../ui/fields/Choice.tsx'
import { SignPopover } from '../../ui/Popover.tsx'
import { cx } from '../../ui/style.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { useSwitching, useToolsets } from './use-toolsets.ts'

/** The toolset that this button switches. */
const WEB = 'web'

const levels = [
  { value: 'chat', label: 'This chat' },
  { value: 'everything', label: 'Every chat' },
] as const

type Props = {
  /** The chat; undefined before its first message or setting. */
  session: Session | undefined
  workspace: string
  model: Model | undefined
  /** Start the chat. Resolves to its id. */
  begin: () => Promise<Outcome<unknown>>
}

/** The switch beside the message field that lets the model of the visible chat use the web. */
export function WebSwitch({ session, workspace, model, begin }: Props): ReactNode {
  const place = session ? { sessionId: session.id } : { folder: workspace }
  const answer = useToolsets(place, JSON.stringify([workspace, session?.toolsets]))
  const web = answer?.ok ? answer.value.toolsets.find(({ name }) => name === WEB) : undefined
  if (!web) return null
  const isOn = web.state === 'on'
  return (
    <SignPopover
      label="The web in this chat"
      title={isOn ? 'The web is on' : 'The web is off'}
      sign={<Globe size={16} className={cx('shrink-0', isOn && 'text-accent')} />}
      text={isOn ? 'Web' : 'Web is off'}
      hidesText
    >
      {() => <Content {...{ session, begin, isOn, model }} />}
    </SignPopover>
  )
}

type ContentProps = Omit<Props, 'workspace'> & { isOn: boolean }

function Content({ session, begin, isOn, model }: ContentProps) {
  const [level, setLevel] = useState<(typeof levels)[number]['value']>('chat')
  const isLocked = useHost(host => host.locked)
  const switchAt = useSwitching()
  const turn = async (on: boolean) => {
    if (level === 'everything') return void (await switchAt([WEB], on, {}))
    const begun = session ? { ok: true as const, value: session.id } : await begin()
    if (!begun.ok) return showToast(begun.fault.message, { level: 'error' })
    if (typeof begun.value === 'string') await switchAt([WEB], on, { sessionId: begun.value })
  }
  const unable = model && whyNoWeb(model)
  return (
    <div className="grid gap-3">
      <Segmented label="Where the switch applies" options={levels} value={level} onChange={setLevel} />
      <Switch
        label="Let the model use the web"
        hint="It may search the web and read pages. Search words and the addresses of pages leave this computer. Text on a page cannot make the model act without asking you."
        on={isOn}
        onChange={on => void turn(on)}
      />
      {isLocked && (
        <p className="text-xs text-warn">
          The offline lock is on, so the model can use only your own search engine on this computer.
        </p>
      )}
      {unable !== undefined && <p className="text-xs text-warn">{unable}</p>}
      <p className="text-xs text-ink-3">To search without a model, type /web and your search words.</p>
    </div>
  )
}
