import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccessChoice, Approval } from '../../../../shared/contract/runs/run.ts'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import { byCount } from '../../../../shared/text/amounts.ts'
import { tellMayObey } from '../../../../shared/words/obeyed-words.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { placeElements } from '../../../ui/text/place-elements.tsx'

const choices: readonly { value: AccessChoice; label: string; about: string }[] = [
  {
    value: 'confined',
    label: 'Confined',
    about: 'It can change only this chat’s folder and has no network.',
  },
  {
    value: 'network',
    label: 'With network',
    about: 'It can reach the network and servers on this computer. It can change only this chat’s folder.',
  },
  {
    value: 'unconfined',
    label: 'Not confined',
    about: 'It can read and change whatever you can. Choose this only for a command that you trust.',
  },
]

type Props = {
  command: NonNullable<Approval['command']>
  access: AccessChoice
  onChange: (access: AccessChoice) => void
}

/** How a command runs if allowed; or, if commands cannot be confined, the reason. */
export function CommandAccess({ command, access, onChange }: Props): ReactNode {
  const { whyNot, offline, keys = [] } = command
  const options = choices.filter(({ value }) => value !== 'network' || !offline)
  const mayObey = tellMayObey(command)
  const chosen = options.find(({ value }) => value === access)
  return (
    <div className="grid gap-1.5 text-sm text-ink-2">
      {/* Comes first, because a narrow card shows only its beginning. */}
      {mayObey !== undefined && <p className="break-words text-ink">{showHidden(mayObey)}</p>}
      {whyNot === '' ? (
        <>
          <div className="justify-self-start whitespace-nowrap">
            <Segmented label="How it runs" options={options} value={access} onChange={onChange} />
          </div>
          <p>{`${chosen?.about ?? ''}${access === 'unconfined' || keys.length > 0 ? '' : ' It sees no keys.'}`}</p>
        </>
      ) : (
        <p className="flex items-start gap-1.5">
          <ShieldAlert size={16} className="mt-0.5 shrink-0 text-warn" />
          <span>{`Not confined: ${whyNot}`}</span>
        </p>
      )}
      {offline && (whyNot !== '' || access === 'unconfined') && (
        <p>The offline lock is on, but Talaria cannot keep an unconfined command off the network.</p>
      )}
      {keys.length > 0 && (
        <p>
          {placeElements(
            byCount(
              keys.length,
              'It gets only this key of the skill in use: {keys}',
              'It gets only these keys of the skill in use: {keys}',
            ),
            { keys: <span className="font-mono break-all">{keys.join(', ')}</span> },
          )}
        </p>
      )}
    </div>
  )
}
