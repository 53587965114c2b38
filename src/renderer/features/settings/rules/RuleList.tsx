import { useState, type ReactNode } from 'react'
import {
  accessTexts,
  type ShownRule,
  type TestedCommand,
} from '../../../../shared/contract/runs/permissions.ts'
import { ruleSubject } from '../../../../shared/words/permission-words.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { When } from '../../../ui/text/InlineText.tsx'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { Part } from '../SectionParts.tsx'
import { RuleForm } from './RuleForm.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { placeElements } from '../../../ui/text/place-elements.tsx'

const effectNames = { never: 'Never', ask: 'Always ask', allow: 'Always allow' } as const
const looks = { never: 'text-danger', ask: 'text-warn', allow: 'text-good' } as const
const ORDER = Object.keys(effectNames)
const ADDED = {
  card: 'added on a card {when}',
  settings: 'added here {when}',
  terminal: 'added in a terminal {when}',
} as const

/** The user's standing rules: list, add and remove rules, and test a command against them. */
export function RuleList(): ReactNode {
  const [isAdding, setAdding] = useState(false)
  const answer = useAnswer('permissions.list', {})
  const rules = answer?.ok ? answer.value.rules : []
  const problem = answer?.ok ? answer.value.problem : answer?.fault.message
  return (
    <Part
      id="rules"
      title="Your rules"
      hint="They apply in every chat and mode. “Never” beats “Always ask”, and “Always ask” beats “Always allow”. Only you can add rules."
    >
      <div className="grid gap-4">
        <div role="alert" className="notice-stack">
          {typeof problem === 'string' && <Banner level="error">{problem}</Banner>}
        </div>
        {answer?.ok && rules.length === 0 && <p className="text-sm text-ink-2">No rules yet.</p>}
        {rules.length > 0 && (
          <ul aria-label="Your rules" className="setting-list">
            {rules
              .toSorted((a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect))
              .map(rule => (
                <RuleRow key={rule.id} rule={rule} />
              ))}
          </ul>
        )}
        {isAdding ? (
          <RuleForm onClose={() => setAdding(false)} />
        ) : (
          <button
            type="button"
            className="btn btn-secondary justify-self-start"
            onClick={() => setAdding(true)}
          >
            Add a rule…
          </button>
        )}
        <UnaskedTools />
        <TryCommand />
      </div>
    </Part>
  )
}

function RuleRow({ rule }: { rule: ShownRule }) {
  const { client } = useLink()
  const { effect, folder, network, unconfined, site, by, at } = rule
  const subject = showHidden(site === undefined ? ruleSubject(rule) : `${ruleSubject(rule)} of ${site}`)
  const putBack = async () => {
    const answer = await attemptCall(client['permissions.restore']({ rule }))
    if (!answer.ok) showToast(`The rule was not restored: ${answer.fault.message}`, { level: 'error' })
  }
  const remove = async () => {
    const answer = await attemptCall(client['permissions.remove']({ id: rule.id, seen: rule.seen }))
    if (!answer.ok) showToast(`The rule was not removed: ${answer.fault.message}`, { level: 'error' })
    else
      showToast('The rule was removed.', {
        action: { label: 'Undo', run: () => void putBack() },
        ms: 10_000,
      })
  }
  return (
    <li className="setting">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className={cx('font-medium', looks[effect])}>{effectNames[effect]}</span>
          <bdi dir="ltr" className="min-w-0 font-mono break-all">
            {subject}
          </bdi>
        </p>
        <p className="text-xs text-ink-3">
          {folder === null
            ? 'Everywhere'
            : placeElements('In {folder}', {
                folder: <bdi className="font-mono break-all">{showHidden(folder)}</bdi>,
              })}
          {effect === 'allow' && network && ' · with network'}
          {effect === 'allow' &&
            unconfined &&
            site === undefined &&
            ' · also where commands are not confined'}
          {' · '}
          {placeElements(ADDED[by], { when: <When at={at} /> })}
        </p>
      </div>
      <button
        type="button"
        aria-label={`Remove the rule: ${effectNames[effect]} ${subject}`}
        className="btn btn-quiet"
        onClick={() => void remove()}
      >
        Remove
      </button>
    </li>
  )
}

/** The tools of MCP servers that the user lets run without asking. Renders nothing if there are none. */
function UnaskedTools(): ReactNode {
  const { client } = useLink()
  const answer = useAnswer('mcp.list', {})
  const unasked = (answer?.ok ? answer.value.servers : []).flatMap(server =>
    server.tools.filter(tool => tool.unasked).map(tool => ({ server: server.name, ...tool })),
  )
  const askAgain = async (name: string, tool: string) => {
    const ended = await attemptCall(client['mcp.switch']({ name, tool, unasked: false }))
    if (!ended.ok) showToast(`It was not changed: ${ended.fault.message}`, { level: 'error' })
  }
  if (unasked.length === 0) return null
  return (
    <ul aria-label="Tools of servers" className="setting-list">
      {unasked.map(({ server, name, state }) => (
        <li key={`${server} ${name}`} className="setting">
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
              <span className={cx('font-medium', looks.allow)}>{effectNames.allow}</span>
              <bdi
                dir="ltr"
                className="min-w-0 font-mono break-all"
              >{`${showHidden(name)} of ${server}`}</bdi>
            </p>
            <p className="text-xs text-ink-3">
              {state === 'changed'
                ? 'It changed, so it is off. Once you accept it, it asks again.'
                : 'In every chat, until the tool or its server changes'}
            </p>
          </div>
          <button
            type="button"
            aria-label={`Ask again before ${showHidden(name)} of ${server}`}
            className="btn btn-quiet"
            onClick={() => void askAgain(server, name)}
          >
            Remove
          </button>
        </li>
      ))}
    </ul>
  )
}

const decisions = { run: 'It would run.', ask: 'You would be asked.', refuse: 'It would not run.' } as const

/** Says what would happen to a command in a new chat, without running it. */
function TryCommand(): ReactNode {
  const [command, setCommand] = useState('')
  const given = command.trim()
  const tested = useAnswer('permissions.test', { command: given }, { isOff: given === '', isBrief: true })
  const answer = given === '' ? undefined : tested
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
        {answer?.ok && <Tested tested={answer.value} />}
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
      {tested.mayObey !== null && <span>{showHidden(tested.mayObey)}</span>}
      {tested.parts.map(({ command, reasons }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity beyond their place
        <span key={at} className="text-xs">
          <bdi className="font-mono break-all">{showHidden(command)}</bdi>: {reasons.join(', ')}
        </span>
      ))}
    </>
  )
}
