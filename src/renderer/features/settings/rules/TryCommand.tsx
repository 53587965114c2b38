import { useState, type ReactNode } from 'react'
import { accessTexts, type TestedCommand } from '../../../../shared/contract/permissions.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { TextField } from '../../../ui/TextField.tsx'

const decisions = { run: 'It would run.', ask: 'You would be asked.', refuse: 'It would not run.' } as const

/** Says what would happen to a command in a new chat, without running it. `version` changes with the rules. */
export function TryCommand({ version }: { version: number }): ReactNode {
  const { client } = useLink()
  const [command, setCommand] = useState('')
  const given = command.trim()
  const answer = useAsked<TestedCommand | null>(
    async signal =>
      given === ''
        ? { ok: true as const, value: null }
        : await attemptCall(client['permissions.test']({ command: given }, { signal })),
    `${version} ${given}`,
  )
  return (
    <div className="grid gap-2">
      <TextField
        label="What would happen to a command?"
        placeholder="git push origin main"
        dir="ltr"
        className="field font-mono"
        hint="Nothing runs. The answer is for a new chat in its usual folder."
        value={command}
        onChange={event => setCommand(event.target.value)}
      />
      <output className="grid gap-1 text-sm text-ink-2">
        {answer?.ok === false && <span className="text-danger">{answer.fault.message}</span>}
        {answer?.ok && answer.value && <Tested tested={answer.value} />}
      </output>
    </div>
  )
}

function Tested({ tested }: { tested: TestedCommand }) {
  return (
    <>
      <span>
        <span className="font-medium text-ink">{decisions[tested.decision]}</span> {showHidden(tested.reason)}
      </span>
      {tested.access !== null && <span>{accessTexts[tested.access]}</span>}
      {tested.parts.map(({ command, reasons }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity beyond their place
        <span key={at} className="text-xs">
          <bdi className="font-mono break-all">{showHidden(command)}</bdi>: {reasons.join(', ')}
        </span>
      ))}
    </>
  )
}
